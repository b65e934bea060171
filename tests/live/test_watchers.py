"""B09: watchers are counted by one rule: an account once, without one a browser once, and never the players."""

import asyncio
import http.client
import re
from contextlib import closing
from http.cookies import SimpleCookie

import pytest

from tests.live import support
from tests.live.test_sockets import Page, make_matches, sit, visit
from tests.live.test_sockets import hang_up as hang_up
from tests.patience import within
from tests.site_process import Site


def cookies_of(site: Site, slug: str, method: str = "GET", **sent: str) -> dict[str, str]:
    """The cookies that a browser has after it was given the page of the match."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
        header = "; ".join(f"{name}={value}" for name, value in sent.items())
        connection.request(method, f"/match/{slug}/", headers={"Cookie": header} if header else {})
        response = connection.getresponse()
        response.read()
        given: SimpleCookie = SimpleCookie()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                given.load(value)
    return {**sent, **{name: morsel.value for name, morsel in given.items()}}


async def test_b09_the_number_of_watchers(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """S opens three tabs, two others come, somebody with an account opens two, A opens the link of the own match."""
    monkeypatch.setattr(support, "WAIT", within(5.0))  # So soon it has to be right.
    (slug, players), (_, others) = make_matches(site, 2)
    one, two = await sit(site, slug, players)

    async def counted(number: int) -> None:
        for page in (one, two):
            await page.until(lambda page=page: page.of("presence") and page.of("presence")[-1]["watchers"] == number)

    async def tabs(count: int, **cookies: str) -> list[Page]:
        return [await visit(site, slug, cookies.get("sessionid"), visitor=cookies.get("visitor")) for _ in range(count)]

    browsers = [await asyncio.to_thread(cookies_of, site, slug) for _ in range(3)]
    assert len({browser["visitor"] for browser in browsers}) == 3
    assert all("sessionid" not in browser for browser in browsers)
    crowd = await tabs(3, **browsers[0])
    await counted(1)
    for browser in browsers[1:]:
        crowd += await tabs(1, **browser)
    await counted(3)
    crowd += await tabs(2, sessionid=others[0])
    await counted(4)
    again = await visit(site, slug, players[0], 0, visitor=browsers[0]["visitor"])
    assert (await again.message("state"))["presence"]["watchers"] == 4
    for page in crowd[:2]:
        await page.socket.close()
    await page.until(lambda: page.closed)
    last = await visit(site, slug, visitor=browsers[2]["visitor"])
    assert (await last.message("state"))["presence"]["watchers"] == 4, "one tab of S is still there"
    for page in (*crowd[2:], again, last):
        await page.socket.close()
    await counted(0)


def test_only_whoever_needs_it_is_given_a_name(site: Site) -> None:
    """Not who has one, or is signed in, and nobody by a mere look at the headers; what is no name is replaced."""
    ((slug, players),) = make_matches(site)
    name = cookies_of(site, slug)["visitor"]
    assert re.fullmatch("[A-Za-z0-9]{16}", name)
    assert cookies_of(site, slug, visitor=name)["visitor"] == name
    assert cookies_of(site, slug, visitor="mine")["visitor"] != "mine"
    assert "visitor" not in cookies_of(site, slug, sessionid=players[0])
    assert "visitor" not in cookies_of(site, slug, method="HEAD")
