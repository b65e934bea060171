"""A match whose people are at different servers."""

import json
import subprocess
import sys

import pytest

from tests.cluster.conftest import Cluster
from tests.cluster.support import Browser, Said, agree, play, play_some
from tests.site_process import ROOT, NotStarted, Site, start


def begun(browser: Browser) -> str | None:
    return next((str(message["url"]) for message in browser.of("rematch") if message["url"]), None)


async def test_a_match_to_its_end(cluster: Cluster, sites: list[Site]) -> None:
    one, two, three = sites
    spoken = Said(sites)
    match = cluster.match(game="speed")
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    watcher = await Browser(match.slug).open(three)
    everybody = (first, second, watcher)
    await first.until(lambda: first.watchers == 1 and all(seat["here"] for seat in first.seats), "for all to be there")

    await play((first, second), lambda: first.is_over and second.is_over, seconds=60)

    await agree(*everybody)
    assert watcher.is_over
    for browser in everybody:
        # Applied strictly by number, and the screen never stepped back (B25).
        assert browser.seen == sorted(browser.seen)
        assert browser.gaps == 0
        # The last state shows every face (G9).
        await browser.until(lambda browser=browser: not browser.is_live, "for the last state")  # type: ignore[misc]
    log = cluster.log(match)
    assert log == list(range(1, len(log) + 1))
    assert cluster.end(match)[1] == len(log) == first.seq
    assert "Traceback" not in spoken.text
    # One rematch for both, wherever they are.
    first.say("rematch")
    await second.until(lambda: second.of("rematch"), "for the offer")
    second.say("rematch")
    urls = [await browser.until(lambda b=browser: begun(b), "for the rematch") for browser in (first, second)]  # type: ignore[misc]
    assert urls[0] == urls[1]


def test_b25_twenty_events_a_second_in_order() -> None:
    """A at one server, B at the other, a watcher at each: every screen goes by the server's numbers, never back."""
    command = [sys.executable, "-m", "tests.scale.order", "--seconds", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert (result["back"], result["gaps"], result["different"]) == (0, 0, 0)
    assert result["events"] > 100


def test_a_server_that_wants_all_matches_does_not_start_beside_them(cluster: Cluster, sites: list[Site]) -> None:
    with pytest.raises(NotStarted, match="Another server plays the matches"):
        start(sites[0].var, DATABASE_URL=cluster.postgres.url)


async def test_nobody_is_sent_what_is_not_theirs(cluster: Cluster, sites: list[Site]) -> None:
    """B08, over two servers: what a watcher far away is sent has no card that does not lie open."""
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(one)
    watcher = await Browser(match.slug).open(two)
    near = await Browser(match.slug).open(one)
    await play_some((first, second), 30)
    await agree(first, second, watcher, near)
    assert watcher.table is not None
    assert near.table is not None
    assert watcher.table.places == near.table.places
    assert any(card == "-" for pile in watcher.table.places.values() for card in pile)
