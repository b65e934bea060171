"""B39: who floods is cut off, whatever with; others at the same server do not notice. The flood is its own process."""

import asyncio

from games.live.limits import BURST
from tests.live.flooding import SlowQuery, flood, follow, memory, play
from tests.live.test_sockets import hang_up as hang_up
from tests.live.test_sockets import make_matches, sit, visit
from tests.ops.http import ask
from tests.patience import within
from tests.site_process import Site

SECONDS = 4
"""How long the flood lasts; whoever floods comes back as soon as they are cut off."""
PLAYS = 40
GROWTH = 40
"""MB that the server may have grown by: less than ten frames of 5 MB."""


async def test_b39_a_flood_of_everything_costs_the_others_nothing(site: Site) -> None:
    (flooded, (slug, cookies)) = await asyncio.to_thread(make_matches, site, 2)
    pages = await sit(site, slug, cookies)
    screens = [follow(page) for page in pages]
    before = memory(site)
    answer = await flood(site, *flooded, SECONDS)
    plays = 0
    while not answer.done():
        plays += len(await play(pages, screens, 1))
    told = await answer
    assert (await asyncio.to_thread(ask, site.url + "/accounts/login/")).status == 200
    assert memory(site) - before < GROWTH
    # Cut off, and again whenever they come back; of the 1,000 frames in a second few were even read.
    assert len(told["flood"]) > 1
    assert {code for code, _ in told["flood"]} == {4429}
    assert max(seconds for _, seconds in told["flood"]) < within(2)
    assert told["rude"][0][1] < within(5)
    assert {code for code, _ in told["huge"]} == {1009}
    assert {code for code, _ in told["broken"]} == {code for code, _ in told["binary"]} == {4400}
    # The others play on meanwhile; how fast they are answered is measured by `python -m tests.scale.flood`.
    assert plays > PLAYS
    assert "Traceback" not in site.output


async def test_b39_a_slow_query_delays_no_play(site: Site) -> None:
    ((slug, cookies),) = await asyncio.to_thread(make_matches, site, 1)
    pages = await sit(site, slug, cookies)
    screens = [follow(page) for page in pages]
    with SlowQuery(site) as query:
        await play(pages, screens, PLAYS)
        assert query.is_asking


async def test_b39_more_tabs_are_no_more_hands(site: Site) -> None:
    (slug, cookies), (calm, others) = await asyncio.to_thread(make_matches, site, 2)
    tabs = [await visit(site, slug, cookies[0], 0) for _ in range(3)]
    alone = await visit(site, calm, others[0], 0)
    each = int(BURST) - 10
    for page in (*tabs, alone):
        await page.message("state")
    last = {page: [page.say("slap", pile="centre.0", round=1) for _ in range(each)][-1] for page in (*tabs, alone)}
    for page, name in last.items():
        await page.until(lambda page=page, name=name: page.answer(name))  # type: ignore[misc]
    codes = [[message["code"] for message in page.of("refused")] for page in (*tabs, alone)]
    # All at once: of three times fifty, sixty and what comes anew in the meantime.
    assert sum(found.count("too_fast") for found in codes[:3]) > each / 2
    assert "too_fast" not in codes[3]
