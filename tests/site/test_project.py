"""The project's own papers agree with each other."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def pins(name: str) -> dict[str, str]:
    """The pinned versions of a lock file by package."""
    lines = (ROOT / "requirements" / name).read_text().splitlines()
    return dict(line.split(" ")[0].split("==") for line in lines if re.match(r"[a-z0-9]", line))


def names(requirements: list[str]) -> set[str]:
    """What the packages are called in a lock file."""
    return {re.split(r"[\[<>=;]", requirement)[0].strip().lower().replace("_", "-") for requirement in requirements}


class TestLock:
    def test_it_has_what_the_project_asks_for(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        assert names(project["project"]["dependencies"]) <= set(pins("base.txt"))
        assert names(project["dependency-groups"]["dev"]) <= set(pins("dev.txt"))

    def test_work_is_done_on_what_is_run(self) -> None:
        assert pins("base.txt").items() <= pins("dev.txt").items()

    @pytest.mark.parametrize("name", ["base.txt", "dev.txt"])
    def test_every_package_has_its_hash_and_comes_from_nowhere_in_particular(self, name: str) -> None:
        text = (ROOT / "requirements" / name).read_text()
        packages = re.split(r"\n(?=[a-z0-9])", text)[1:]
        assert all("--hash=sha256:" in package for package in packages)
        assert not re.search(r"https?:|file:|--index|--find-links", text)


class TestDocuments:
    def test_they_tell_of_every_variable(self) -> None:
        read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "spitsite/settings.py").read_text()))
        assert len(read) > 10
        page = (ROOT / "docs/operating.md").read_text()
        table = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.M))
        # `EMAIL_FROM` stands beside `EMAIL_URL`.
        assert table | {"EMAIL_FROM"} == read
        assert "`EMAIL_FROM`" in page
        # What the README picks out is told there too.
        readme = (ROOT / "README.md").read_text()
        assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", readme)) <= read

    @pytest.mark.parametrize(
        "name", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/index.md", "docs/operating.md"]
    )
    def test_its_links_lead_somewhere(self, name: str) -> None:
        page = ROOT / name
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), target

    def test_the_index_lists_all_documents(self) -> None:
        index = (ROOT / "docs/index.md").read_text()
        documents = {
            str(path.relative_to(ROOT / "docs"))
            for path in (ROOT / "docs").rglob("*")
            if path.is_file() and path.suffix in {".md", ".json"}
        }
        assert {name for name in documents - {"index.md"} if f"]({name})" not in index} == set()


class TestMake:
    def test_help_lists_the_targets(self) -> None:
        listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for target in ("run", "setup", "test", "lint", "types", "layers", "lock", "bench", "cluster"):
            assert f"  make {target} " in listed

    def test_an_old_python_is_told_so(self, tmp_path: Path) -> None:
        """Where `python3` is older than the code, a sentence says what is needed."""
        old = tmp_path / "python3"
        old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.2 || exit 1\n')
        old.chmod(0o755)
        (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
        (tmp_path / "requirements").mkdir()
        (tmp_path / "requirements/base.txt").touch()
        said = subprocess.run(
            ["make", "run", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert said.returncode != 0
        assert "Python 3.11 or newer is needed" in said.stdout
        assert "3.8.2" in said.stdout
        assert "Traceback" not in said.stdout + said.stderr
