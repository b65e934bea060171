"""The server as `make run` starts it: a process of its own, a database of its own."""

import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spitsite import secret, server
from tests import databases
from tests.site_process import ROOT, NotStarted, Site, copy, environment, manage, start

StartSite = Callable[..., Site]


def get(url: str, **headers: str) -> "tuple[int, dict[str, str], str]":
    """Status, headers (names in lower case) and text of a page."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        answer = urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read().decode()


@pytest.fixture(scope="module")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests that only look."""
    var = tmp_path_factory.mktemp("site")
    copy(fresh_site, var)
    site = start(var)
    yield site
    site.kill()


class TestLog:
    FORM = "application/x-www-form-urlencoded"

    @pytest.mark.parametrize(
        ("path", "host", "kind", "data"),
        [
            ("/rules/", "evil.example", FORM, None),
            ("/play/computer/", "", FORM, "&".join(f"f{number}=1" for number in range(2000)).encode()),
            ("/play/friend/", "", "multipart/form-data; boundary=", b"nothing"),
        ],
        ids=["foreign host", "too many fields", "no body"],
    )
    def test_a_bad_request_is_one_warning(
        self, site: Site, path: str, host: str, kind: str, data: bytes | None
    ) -> None:
        """What a stranger sends is no fault of the site: no traceback, no error."""
        before = len(site.lines)
        headers = {"Content-Type": kind, "Cookie": f"csrftoken={'a' * 32}", **({"Host": host} if host else {})}
        request = urllib.request.Request(f"{site.url}{path}", data=data, headers=headers)
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=10)
        with caught.value as answer:
            assert answer.code == 400
        # What is logged afterwards shows that there is no more to come.
        after = f"/nothing-after{path.replace('/', '-')}"
        assert get(site.url + after)[0] == 404
        site.wait_for(after)
        line, *more = [line for line in site.lines[before:] if after not in line]
        assert not more
        assert path in line
        assert "warning" in line


class TestStart:
    def test_an_empty_directory_becomes_a_site(self, tmp_path: Path) -> None:
        site = start(tmp_path)
        status, headers, page = get(f"{site.url}/accounts/login/")
        assert status == 200
        assert "csrfmiddlewaretoken" in page
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
        # It says where it is, and how to get an administrator.
        assert f"{site.url}/" in site.output
        assert "createsuperuser" in site.output
        assert "Traceback" not in site.output
        assert site.stop() == 0

    def test_its_secrets_are_for_its_owner_only(self, site: Site) -> None:
        key = site.var / "secret_key"
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert len(key.read_text()) > 50

    def test_the_database_keeps_what_it_says_it_keeps(self, site: Site) -> None:
        asked = "from games.live import rows; c = rows.own_connection(); rows.prepare(c); k = c.cursor(); "
        if databases.IS_POSTGRESQL:
            asked += "k.execute('SHOW synchronous_commit'); print(k.fetchone()[0])"
            kept = "on"
        else:
            asked += "print([k.execute('PRAGMA ' + name).fetchone()[0] for name in ('journal_mode', 'synchronous')])"
            kept = "['wal', 2]"
        assert manage(site.var, "shell", "--no-imports", "-c", asked).stdout.strip() == kept

    def test_again_on_the_same_database(self, start_site: StartSite) -> None:
        first = start_site()
        key = (first.var / "secret_key").read_text()
        first.kill()
        second = start_site()
        assert get(f"{second.url}/accounts/login/")[0] == 200
        assert (second.var / "secret_key").read_text() == key
        assert "Bringing the database" not in second.output

    def test_a_command_without_a_server(self, start_site: StartSite) -> None:
        site = start_site()
        made = manage(
            site.var,
            "createsuperuser",
            "--noinput",
            "--username=boss",
            "--email=b@example.org",
            DJANGO_SUPERUSER_PASSWORD="x",
        )
        assert "created" in made.stdout


class TestEnd:
    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
    def test_told_to_stop_it_stops_without_a_word_too_many(self, start_site: StartSite, how: int) -> None:
        site = start_site()
        get(f"{site.url}/accounts/login/")
        assert site.stop(how) == 0
        assert "Traceback" not in site.output
        assert "rror" not in site.output

    def test_it_waits_for_nobody_who_keeps_a_connection_open(self, start_site: StartSite) -> None:
        site = start_site()
        with socket.create_connection(("127.0.0.1", site.port)):
            assert site.stop(seconds=15) == 0


def test_a_second_server_on_the_same_database_does_not_start(fresh_site: Path, tmp_path: Path) -> None:
    """It would take the players of the first one to be away, and end their matches."""
    copy(fresh_site, tmp_path)
    first = start(tmp_path)
    with pytest.raises(NotStarted, match="Another server plays the matches of this database") as caught:
        start(tmp_path)
    assert "Traceback" not in str(caught.value)
    assert get(f"{first.url}/accounts/login/")[0] == 200
    # The claim ends with its holder, however that ends.
    first.kill()
    assert start(tmp_path).stop() == 0


class TestPort:
    def test_a_taken_port_is_a_sentence(self, site: Site, tmp_path: Path) -> None:
        with pytest.raises(NotStarted) as caught:
            start(tmp_path, port=site.port)
        said = str(caught.value)
        assert f"Port {site.port} of 127.0.0.1 is taken" in said
        assert f"PORT={site.port + 1}" in said
        assert "Traceback" not in said
        # Whoever was there does not notice.
        assert get(f"{site.url}/accounts/login/")[0] == 200

    @pytest.mark.parametrize("port", [-1, 65536, 80801])
    def test_what_is_no_port(self, tmp_path: Path, port: int) -> None:
        with pytest.raises(NotStarted, match="is no port"):
            start(tmp_path, port=port)

    def test_an_address_of_another_machine(self, tmp_path: Path) -> None:
        with pytest.raises(NotStarted, match=r"Cannot listen on 203\.0\.113\.1"):
            start(tmp_path, host="203.0.113.1")

    def test_all_addresses(self, start_site: StartSite, tmp_path: Path) -> None:
        site = start_site(host="0.0.0.0")
        assert site.url.startswith("http://localhost:")
        assert get(f"http://127.0.0.1:{site.port}/accounts/login/")[0] == 200

    def test_a_name(self) -> None:
        with server.listen("localhost", 0) as listening:
            assert listening.getsockname()[1] > 0


class TestHosts:
    def test_only_known_hosts_are_served(self, site: Site) -> None:
        assert get(f"{site.url}/accounts/login/", Host="evil.example")[0] == 400
        assert get(f"{site.url}/accounts/login/", Host=f"localhost:{site.port}")[0] == 200

    def test_others_are_named_by_the_environment(self, start_site: StartSite) -> None:
        site = start_site(ALLOWED_HOSTS="spit.example")
        assert get(f"{site.url}/accounts/login/", Host="spit.example")[0] == 200
        assert get(f"{site.url}/accounts/login/", Host="localhost")[0] == 400

    def test_behind_a_proxy_cookies_are_for_https_only(self, start_site: StartSite) -> None:
        site = start_site(BEHIND_TLS_PROXY="1", TRUSTED_PROXIES="127.0.0.1")
        _, headers, _ = get(f"{site.url}/accounts/login/", X_Forwarded_Proto="https", X_Forwarded_For="192.0.2.7")
        assert "Secure" in headers["set-cookie"]
        assert "max-age" in headers["strict-transport-security"]


class TestStaticFiles:
    def test_a_page_names_them_by_their_content_and_they_are_kept_for_ever(self, site: Site) -> None:
        login = get(f"{site.url}/accounts/login/")[2]
        found = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', login)
        assert found
        status, headers, _ = get(site.url + found[1])
        assert status == 200
        assert "immutable" in headers["cache-control"]
        assert headers["content-type"].startswith("text/css")

    def test_modules_import_each_other_by_hashed_names(self, fresh_site: Path) -> None:
        """Mixed versions of two modules are a fault that nobody can reproduce."""
        scripts = [
            path for path in (fresh_site / "static/js").rglob("*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)
        ]
        assert scripts
        imports = 0
        for script in scripts:
            code = re.sub(r"/\*.*?\*/", "", script.read_text(), flags=re.S)
            for name in re.findall(r"""(?:from|import|import\()\s*["'](\.[^"']+)["']""", code):
                imports += 1
                assert re.search(r"\.[0-9a-f]{12}\.js$", name), f"{script.name} imports {name}"
                assert (script.parent / name).exists(), f"{script.name} imports {name}"
        assert imports

    def test_they_are_sent_compressed(self, site: Site) -> None:
        request = urllib.request.Request(f"{site.url}/static/admin/css/base.css", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"


class TestSecretKey:
    def test_made_once(self, tmp_path: Path) -> None:
        path = tmp_path / "key"
        assert secret.kept(path) == secret.kept(path)
        assert [entry.name for entry in tmp_path.iterdir()] == ["key"]

    def test_processes_that_start_at_once_agree(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from spitsite import secret; print(secret.kept(Path(sys.argv[1])))"
        )
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(tmp_path / "key")],
                cwd=ROOT,
                env=environment(tmp_path),
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(4)
        ]
        assert len({process.communicate()[0] for process in processes}) == 1


def test_a_database_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match="The database cannot be reached") as caught:
        start(tmp_path, DATABASE_URL="postgres://nobody@127.0.0.1:9/nothing")
    assert "Traceback" not in str(caught.value)
