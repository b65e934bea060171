"""`/metrics`: what it tells, and whom."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from spitsite.cluster.services import PostgreSQL, Valkey
from spitsite.monitoring.access import may_read
from tests.ops.http import Browser, ask
from tests.site_process import ROOT, Site, start

StartSite = Callable[..., Site]


@pytest.fixture(scope="module")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of the large shape: it has everything that there is to tell of."""
    var = tmp_path_factory.mktemp("var")
    shutil.copytree(fresh_site, var, dirs_exist_ok=True)
    with PostgreSQL(forgetful=True) as postgres, Valkey() as valkey:
        site = start(var, DATABASE_URL=postgres.url, REDIS_URL=valkey.url)
        yield site
        site.kill()


def samples(url: str) -> dict[str, float]:
    """By name and labels, as in `spit_sockets{role="player"}`."""
    answer = ask(url + "/metrics")
    assert answer.status == 200
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_what_a_fresh_site_tells(site: Site) -> None:
    found = samples(site.url)
    assert found["spit_database_up"] == found["spit_redis_up"] == 1
    assert found["spit_matches_live"] == found["spit_queue_tasks"] == found["spit_replay_lag_seconds"] == 0
    assert found['spit_plays_total{game="two_deck"}'] == 0
    assert found['spit_refusals_total{code="pile_changed"}'] == 0
    assert found["process_resident_memory_bytes"] > 1e7


def test_pages_are_counted_by_view_and_nobody_makes_up_names(site: Site) -> None:
    before = samples(site.url)
    for path in ("/accounts/login/", "/no/such/page", "/no/such/page/2", "/static/no.js", "/match/nosuchma/"):
        ask(site.url + path, "DELETE" if path.endswith("2") else "GET")
    after = samples(site.url)
    view = 'spit_http_requests_total{method="GET",status="2xx",view="account_login"}'
    assert after[view] == before.get(view, 0) + 1
    assert after['spit_http_requests_total{method="other",status="4xx",view="none"}'] == 1
    assert after['spit_http_request_seconds_count{view="account_login"}'] >= 1
    assert not [name for name in after if "nosuchma" in name or "/no/" in name]


def test_every_metric_of_the_dashboard_exists(site: Site) -> None:
    ask(site.url + "/accounts/login/")
    names = {name.partition("{")[0] for name in samples(site.url)}
    dashboard = json.loads((ROOT / "docs/grafana-dashboard.json").read_text())
    expressions = list(_values(dashboard, "expr"))
    used = {name for text in expressions for name in re.findall(r"\b(?:spit|process)_[a-z_]+", text)}
    assert len(used) > 15
    assert used - names == set()


def _values(node: Any, key: str) -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _values(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value, key)


def test_with_a_token_nobody_reads_without(start_site: StartSite) -> None:
    site = start_site(METRICS_TOKEN="open sesame")
    assert ask(site.url + "/metrics").status == 403
    assert ask(site.url + "/metrics", Authorization="Bearer open").status == 403
    assert "spit_plays_total" in ask(site.url + "/metrics", Authorization="Bearer open sesame").text


def test_strangers_behind_a_proxy_are_strangers(start_site: StartSite) -> None:
    site = start_site(TRUSTED_PROXIES="127.0.0.1")
    assert ask(site.url + "/metrics", X_Forwarded_For="8.8.8.8").status == 403
    assert ask(site.url + "/metrics", X_Forwarded_For="127.0.0.1, 8.8.8.8").status == 403
    assert ask(site.url + "/metrics", X_Forwarded_For="192.168.1.7").status == 200
    assert ask(site.url + "/metrics").status == 200


@pytest.mark.parametrize(
    ("client", "headers", "allowed"),
    [
        ("127.0.0.1", {}, True),
        ("::1", {}, True),
        ("192.168.3.4", {}, True),
        ("::ffff:10.0.0.3", {}, True),
        ("8.8.8.8", {}, False),
        ("172.32.0.1", {}, False),
        ("2001:4860::1", {}, False),
        # A proxy on the same machine that nobody has named hides who asks.
        ("127.0.0.1", {b"x-forwarded-for": b"127.0.0.1"}, False),
        ("127.0.0.1", {b"via": b"1.1 proxy"}, False),
        (None, {}, False),
    ],
)
def test_who_is_from_here(client: str | None, headers: dict[bytes, bytes], allowed: bool) -> None:
    scope = {"client": client and (client, 1), "headers": list(headers.items())}
    assert may_read(scope) is allowed


@pytest.mark.parametrize(
    ("client", "headers", "allowed"),
    [
        ("127.0.0.1", {}, True),
        ("192.168.3.4", {b"x-forwarded-for": b"192.168.3.4"}, True),
        ("8.8.8.8", {b"x-forwarded-for": b"8.8.8.8"}, False),
        # A trusted proxy that does not say who asks; one that nobody has named.
        ("127.0.0.1", {b"x-real-ip": b"8.8.8.8"}, False),
        ("127.0.0.1", {b"x-forwarded-for": b""}, False),
        ("10.0.0.6", {b"x-forwarded-for": b"8.8.8.8"}, False),
    ],
)
def test_who_is_from_here_through_a_trusted_proxy(
    client: str, headers: dict[bytes, bytes], allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.TRUSTED_PROXIES", ["127.0.0.1"])
    monkeypatch.setattr("django.conf.settings.METRICS_TOKEN", "")
    assert may_read({"client": (client, 1), "headers": list(headers.items())}) is allowed


class TestRequestId:
    def test_every_page_has_one_of_its_own(self, site: Site) -> None:
        first, second = (ask(site.url + "/accounts/login/", X_Request_ID="mine").headers["x-request-id"] for _ in "12")
        assert first != second
        assert "mine" not in (first, second)

    def test_a_trusted_proxy_may_name_it_and_it_is_in_the_log(self, start_site: StartSite) -> None:
        site = start_site(TRUSTED_PROXIES="127.0.0.1", LOG_FORMAT="json")
        assert ask(site.url + "/nowhere", X_Request_ID="req-1.a").headers["x-request-id"] == "req-1.a"
        assert ask(site.url + "/nowhere", X_Request_ID="no id\tat all").headers["x-request-id"] != "no id\tat all"
        site.wait_for('"request_id": "req-1.a"')

    def test_no_session_key_and_no_password_is_logged(self, start_site: StartSite) -> None:
        site = start_site(LOG_FORMAT="json", LOG_LEVEL="DEBUG")
        browser = Browser(site.url)
        browser.sign_in("Ann", "a very wrong passphrase")
        browser.ask("/nowhere")
        site.wait_for("Not Found: /nowhere")
        lines = [json.loads(line) for line in site.output.splitlines() if line.startswith("{")]
        assert any(line["level"] == "warning" for line in lines)
        assert "a very wrong passphrase" not in site.output
        assert browser.cookies
        assert not [value for value in browser.cookies.values() if value and value in site.output]


def test_a_log_form_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="LOG_FORMAT is 'xml'"):
        start(tmp_path, LOG_FORMAT="xml")
