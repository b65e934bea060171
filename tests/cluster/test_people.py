"""Who comes, waits, watches and goes, over many servers."""

import re
import urllib.parse
import urllib.request

import pytest

from tests.cluster.conftest import Cluster
from tests.cluster.support import Browser, play_some
from tests.patience import within
from tests.site_process import Site


def post(site: Site, path: str, cookie: str, **fields: str) -> int:
    """Send the form of a page; the status."""
    token = "a" * 32
    request = urllib.request.Request(
        f"{site.url}{path}",
        data=urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode(),
        headers={"Cookie": f"sessionid={cookie}; csrftoken={token}", "Referer": f"{site.url}/"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return int(answer.status)


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return str(answer.read().decode())


async def test_a_waiting_room(cluster: Cluster, sites: list[Site]) -> None:
    """The host waits at one server, the guest sits down at another."""
    one, two, _ = sites
    match = cluster.match("open")
    host = await Browser(match.slug, match.cookies[0]).open(one)
    assert host.of("waiting")
    assert post(two, f"/match/{match.slug}/join/", match.cookies[1]) == 200
    await host.until(lambda: host.of("state"), "for the table", within(3))
    guest = await Browser(match.slug, match.cookies[1]).open(two)
    await play_some((host, guest), 8)

    other = cluster.match("open")
    waiting = await Browser(other.slug, other.cookies[0]).open(two)
    assert post(one, f"/match/{other.slug}/withdraw/", other.cookies[0]) == 200
    await waiting.until(lambda: waiting.of("closing"), "to be sent away", within(3))


@pytest.mark.parametrize("way", ["shell", "one", "two"])
async def test_breaking_off(cluster: Cluster, sites: list[Site], way: str) -> None:
    """From a shell, which is no server at all, and from each server's admin site, whichever has the table."""
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    await play_some((first, second), 4)
    if way == "shell":
        cluster.run(f"from games.live import announce; assert announce.break_off('{match.slug}')")
    else:
        fields = {"action": "break_off", "_selected_action": str(match.pk), "confirmed": "1"}
        assert post(one if way == "one" else two, "/admin/games/match/", cluster.boss, **fields) == 200
    for browser in (first, second):
        await browser.until(lambda b=browser: b.is_over, "for the end", within(5))  # type: ignore[misc]
    assert cluster.end(match)[0] == "broken_off"


async def test_pages_show_matches_of_all_servers(cluster: Cluster, sites: list[Site]) -> None:
    """The same cards, whichever server has the table."""
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(sites[0])
    second = await Browser(match.slug, match.cookies[1]).open(sites[1])
    await play_some((first, second), 12)
    assert first.table is not None
    seen = []
    for site in sites:
        page = get(f"{site.url}/watch/")
        link = page.index(f"/match/{match.slug}/")
        card = page[page.rindex("<li", 0, link) : link]
        seen.append(re.findall(r"<b>([^<]*)</b>", card))
    # The cards left of the second seat, the tops of the piles (as at the table, seen from below, the second one on the
    # left), the cards left of the first.
    tops = [first.table.places[name][-1][0].replace("T", "10") for name in ("centre.1", "centre.0")]
    assert seen[0][1:3] == tops
    assert seen[0] == seen[1] == seen[2]


async def test_b28_signed_out_at_another_server(cluster: Cluster, sites: list[Site]) -> None:
    """A signs out at a server that knows nothing of A's socket: it is told at once, not at the next look (20 s)."""
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    await play_some((first, second), 4)
    assert post(two, "/accounts/logout/", match.cookies[0]) == 200
    await first.until(lambda: first.of("closing"), "to be sent away", within(5))
    assert first.of("closing")[0]["code"] == "signed_out"
    await second.until(lambda: not second.seats[0]["here"], "for the seat to be away", within(5))
    assert not second.is_over


@pytest.mark.parametrize("who", [0, 1])
async def test_banned_at_another_server(cluster: Cluster, sites: list[Site], who: int) -> None:
    """A ban that is decided at a server which has nothing of the match ends it by the rule for who leaves (M2), whether
    the table is at the person's own server or they play from another one."""
    match = cluster.match()
    players = [await Browser(match.slug, cookie).open(site) for cookie, site in zip(match.cookies, sites, strict=False)]
    await play_some(players, 12)
    path = f"/admin/moderation/report/person/{match.players[who]}/"
    assert post(sites[2], path, cluster.boss, kind="ban", length="1", reason="a program played") == 200
    for browser in players:
        await browser.until(lambda b=browser: b.is_over, "for the end", within(5))  # type: ignore[misc]
    assert cluster.end(match)[0] == "left"
    assert cluster.ask("SELECT winner FROM games_end WHERE match_id = %s", match.pk) == [(1 - who,)]
    assert cluster.ask("SELECT count(*) FROM moderation_banned WHERE user_id = %s", match.players[who]) == [(1,)]
    # The one who is banned sees how it ended, and has no other match.
    assert players[who].is_connected
    assert not players[who].of("closing")


async def test_b29_deleted_in_a_shell(cluster: Cluster, sites: list[Site]) -> None:
    """The match of somebody who is deleted ends by the rule for who leaves (M2), wherever its table is."""
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    await play_some((first, second), 12)
    cluster.run(f"from spitsite.accounts.models import User; User.objects.get(pk={match.players[0]}).delete()")
    await second.until(lambda: second.is_over, "for the end", within(10))
    await first.until(lambda: first.of("closing"), "to be sent away", within(5))
    assert cluster.end(match)[0] == "left"
