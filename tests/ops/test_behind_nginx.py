"""B33: a whole installation behind the nginx of `deploy/nginx.conf`, with TLS, as people reach it."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest
import websockets.sync.client
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect, sync_playwright
from websockets.exceptions import InvalidStatus

from tests import chromium, nginx
from tests.browser.hands import Hands
from tests.ops.http import Browser, ask
from tests.ops.test_login_limits import PASSWORD, guess
from tests.patience import within
from tests.site_process import ROOT, Site, manage, start

HOST = "spit.example.org"


class Installation(NamedTuple):
    site: Site
    url: str
    """As people type it; the name is this machine's only for who maps it so."""
    port: int
    plain_port: int


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def certify(directory: Path) -> None:
    """A certificate for the host, by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (directory / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (directory / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def configure(directory: Path, site_port: int, port: int, plain_port: int) -> Path:
    """The example as it is, but for ports and the place of the certificate."""
    text = (ROOT / "deploy/nginx.conf").read_text()
    for ours, theirs in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{site_port};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen 80;", f"listen 127.0.0.1:{plain_port};"),
        ("/etc/ssl/spit", str(directory)),
    ):
        assert ours in text
        text = text.replace(ours, theirs)
    (directory / "spit.conf").write_text(text)
    places = "".join(
        f"    {kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Started by root it serves as another user else, who may not read what root's own tests write.
    user = "user root;\n" if os.geteuid() == 0 else ""
    main = directory / "nginx.conf"
    main.write_text(
        f"{user}daemon off;\npid {directory}/pid;\nerror_log stderr warn;\nworker_processes 1;\n"
        f"events {{}}\nhttp {{\n{places}    access_log off;\n    include {directory}/spit.conf;\n}}\n"
    )
    return main


@pytest.fixture(scope="module")
def installation(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    program = nginx.executable()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("no nginx: python tests/nginx.py gets one")
        pytest.skip("no nginx: python tests/nginx.py gets one")
    var = tmp_path_factory.mktemp("site")
    shutil.copytree(fresh_site, var, dirs_exist_ok=True)
    site = start(var, BEHIND_TLS_PROXY="1", TRUSTED_PROXIES="127.0.0.1", ALLOWED_HOSTS=HOST)
    process: subprocess.Popen[bytes] | None = None
    try:
        directory = tmp_path_factory.mktemp("nginx")
        certify(directory)
        port, plain_port = free_port(), free_port()
        main = configure(directory, int(site.url.rpartition(":")[2]), port, plain_port)
        command = [program, "-e", "stderr", "-p", str(directory), "-c", str(main)]
        tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert tested.returncode == 0, tested.stderr
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        wait_for(port, process)
        yield Installation(site, f"https://{HOST}:{port}", port, plain_port)
    finally:
        if process is not None:
            process.terminate()
            process.wait(20)
        site.kill()


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Until somebody listens there."""
    deadline = monotonic() + within(20)
    while True:
        assert process.poll() is None, "nginx has ended"
        assert monotonic() < deadline, "nginx does not listen"
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        sleep(0.05)


def test_b33_a_match_is_played_over_wss(installation: Installation) -> None:
    path = chromium.executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[*chromium.ARGUMENTS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"],
        )
        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        lines: list[str] = []
        page.on("websocket", lambda line: lines.append(line.url))
        page.goto(installation.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/match/**")
        expect(page.locator("#table")).to_have_attribute("data-line", "open")
        hands = Hands(page)
        hands.wait_for_phase("ready")
        page.locator(".hub").click()
        hands.wait_for_phase("playing", "stuck", "slap", seconds=30)
        assert {url.partition("/ws/")[0] for url in lines} == {f"wss://{HOST}:{installation.port}"}
        cookies: list[dict[str, Any]] = [dict(cookie) for cookie in context.cookies()]
        ours = {cookie["name"]: cookie for cookie in cookies if cookie["name"].startswith("__Host-")}
        assert {"__Host-sessionid", "__Host-csrftoken"} <= set(ours)
        assert all(cookie["secure"] for cookie in ours.values())
        browser.close()


def test_b33_http_leads_to_https_and_what_is_for_the_host_alone_stays_inside(installation: Installation) -> None:
    plain = ask(f"http://{HOST}:{installation.plain_port}/rules/")
    assert (plain.status, plain.headers["location"]) == (301, f"https://{HOST}/rules/")
    page = ask(f"{installation.url}/")
    assert page.status == 200
    assert page.headers["strict-transport-security"].startswith("max-age=")
    # What a page names is itself under the name that people typed.
    assert re.search(rf'property="og:url" content="{re.escape(installation.url)}/"', page.text)
    for path in ("/metrics", "/readyz", "/healthz"):
        assert ask(installation.url + path).status == 404


def test_b33_a_socket_from_another_sites_page_is_refused(installation: Installation) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    options: dict[str, Any] = {"ssl": context, "server_hostname": HOST, "sock": None}

    def connect(origin: str) -> None:
        line = socket.create_connection(("127.0.0.1", installation.port), 20)
        url = f"wss://{HOST}:{installation.port}/ws/lobby/"
        with websockets.sync.client.connect(url, origin=origin, **{**options, "sock": line}):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        connect("https://evil.example")
    assert refused.value.response.status_code == 403
    connect(installation.url)


def test_b33_who_guesses_passwords_is_known_by_the_address_that_nginx_saw(installation: Installation) -> None:
    manage(
        installation.site.var, "createsuperuser", "--noinput", "--username=Ann", "--email=ann@example.org",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )  # fmt: skip
    offender = Browser(installation.url, source="127.0.0.7", X_Forwarded_For="198.51.100.7")
    assert guess(offender)
    assert offender.sign_in("Ann", PASSWORD).status != 302
    # To make up another address helps nobody ...
    again = Browser(installation.url, source="127.0.0.7", X_Forwarded_For="198.51.100.8")
    assert again.sign_in("Ann", PASSWORD).status != 302
    # ... and who comes from another one signs in.
    assert Browser(installation.url, source="127.0.0.8").sign_in("Ann", PASSWORD).status == 302
