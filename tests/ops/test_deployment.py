"""What the site is deployed with agrees with the site. (Docker itself is not needed here.)"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ops.http import Browser, ask
from tests.site_process import ROOT, Site, environment, manage

StartSite = Callable[..., Site]
COMPOSE = (ROOT / "compose.yaml").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OPERATING = (ROOT / "docs/operating.md").read_text()


class TestImage:
    def test_what_is_copied_is_enough(self, tmp_path: Path) -> None:
        """The image gets what `.dockerignore` lets through: the site works with that alone."""
        let_through = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.M)
        for name in let_through:
            source, target = ROOT / name, tmp_path / "site" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, target)
        var = tmp_path / "var"
        collect = re.search(r"RUN SECRET_KEY=none python -c \"(.+)\"", DOCKERFILE)
        assert collect
        surroundings = environment(var, SECRET_KEY="none", DJANGO_SETTINGS_MODULE="spitsite.settings")
        for arguments in (["-c", collect[1]], ["manage.py", "check"]):
            subprocess.run([sys.executable, *arguments], cwd=tmp_path / "site", env=surroundings, check=True)
        assert (var / "static/staticfiles.json").exists()
        # The key of that step stays nowhere.
        assert not (var / "secret_key").exists()

    def test_it_is_not_root_and_its_packages_are_the_ones_that_were_tested(self) -> None:
        assert re.findall(r"^USER (.+)$", DOCKERFILE, re.M) == ["spit"]
        assert "--require-hashes" in DOCKERFILE
        assert "requirements/base.txt" in DOCKERFILE

    def test_its_health_check_tells_a_living_server_from_none(self, start_site: StartSite) -> None:
        command = re.search(r"HEALTHCHECK.*?CMD (\[.+?\])$", DOCKERFILE, re.S | re.M)
        assert command
        site = start_site()
        check = [sys.executable, *json.loads(command[1].replace("8000", str(site.port)))[1:]]
        assert subprocess.run(check, check=False, capture_output=True).returncode == 0
        site.kill()
        assert subprocess.run(check, check=False, capture_output=True).returncode != 0


class TestCompose:
    def test_it_holds_no_secret(self) -> None:
        named = re.findall(r"^\s+\w*(?:SECRET|PASSWORD|TOKEN)\w*: (.+)$", COMPOSE, re.M)
        assert len(named) == 3
        assert all(value.startswith("${") for value in named)
        assert re.search(r"://spit:\$\{POSTGRES_PASSWORD:\?", COMPOSE)

    def test_its_variables_are_those_of_the_example(self) -> None:
        asked = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE))
        offered = set(re.findall(r"^([A-Z_]+)=", (ROOT / "deploy/env.example").read_text(), re.M))
        assert asked == offered
        # Without its secrets it does not start at all.
        for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "SITE_HOST"):
            assert f"${{{name}:?" in COMPOSE
        assert "/.env" in (ROOT / ".gitignore").read_text().splitlines()

    def test_what_it_tells_the_site_the_site_reads(self) -> None:
        block = COMPOSE.partition("environment: &environment\n")[2].partition("depends_on:")[0]
        told = set(re.findall(r"^    ([A-Z_]+):", block, re.M))
        assert len(told) > 8
        assert told <= set(re.findall(r"^\| `([A-Z_]+)` \|", OPERATING, re.M)) | {"EMAIL_FROM"}

    def test_the_proxy_is_in_the_trusted_network(self) -> None:
        assert COMPOSE.count("172.31.77.0/24") == 2


@pytest.mark.parametrize("name", ["deploy/nginx.conf", "deploy/Caddyfile"])
def test_proxies_keep_the_figures_to_themselves(name: str) -> None:
    text = (ROOT / name).read_text()
    assert all(word in text for word in ("metrics", "readyz", "healthz"))


def commands(heading: str, beginning: str) -> list[str]:
    """The lines of the code block that begins so, in a section of the page for operators."""
    section = OPERATING.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    blocks = [block.strip().splitlines() for block in re.findall(r"(?:^    .+\n)+", section, re.M)]
    return [line.strip() for lines in blocks if lines[0].strip().startswith(beginning) for line in lines]


def test_a_backup_as_the_page_says_brings_everything_back(
    start_site: StartSite, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # The shape of one process, in whichever the tests are run.
    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'spit.sqlite3'}"}
    site = start_site(**database)
    password = "correct horse battery"
    manage(
        site.var, "createsuperuser", "--noinput", "--username=Ann", "--email=ann@example.org",
        DJANGO_SUPERUSER_PASSWORD=password, **database,
    )  # fmt: skip
    here = tmp_path_factory.mktemp("here")
    (here / "var").symlink_to(site.var)
    browser = Browser(site.url)
    assert browser.sign_in("Ann", password).status == 302

    def run(lines: list[str]) -> None:
        assert lines
        for line in lines:
            subprocess.run(line, shell=True, cwd=here, check=True)

    # While it runs.
    run(commands("Backup and restore", "python3 -c"))
    with sqlite3.connect(here / "backup.sqlite3") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    site.kill()
    for name in ("spit.sqlite3", "secret_key"):
        (site.var / name).write_text("lost")
    run(commands("Backup and restore", "rm -f"))
    again = start_site(**database)
    # The account, and even the session, which the key belongs to.
    browser.url = again.url
    assert browser.ask("/accounts/email/").status == 200
    assert ask(again.url + "/readyz").status == 200
