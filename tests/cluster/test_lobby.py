"""The lobby over several servers: one queue, whoever serves the page."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable

import pytest

from tests.cluster.conftest import Cluster
from tests.cluster.support import Said
from tests.lobby.support import PEOPLE, Page, all_at_once
from tests.site_process import Site


@pytest.fixture
async def pages(cluster: Cluster) -> AsyncIterator[Callable[..., "list[Page]"]]:
    """So many people, each with a page, at these servers in turn: `pages(24, sites)`; to be opened."""
    made: list[Page] = []

    def make(count: int, sites: list[Site]) -> list[Page]:
        people = json.loads(cluster.run(PEOPLE.format(count=count, is_guest=False)).splitlines()[-1])
        new = [Page(sites[number % len(sites)], session) for number, (_name, session) in enumerate(people)]
        made.extend(new)
        return new

    yield make
    for page in made:
        await page.close()


async def test_many_seekers_at_two_servers_are_paired_once_each(
    cluster: Cluster, sites: list[Site], pages: Callable[..., list[Page]]
) -> None:
    """Nobody twice, nobody lost; also when some leave and some ask twice (B38)."""
    spoken = Said(sites[:2])
    everybody = pages(26, sites[:2])
    for page in everybody:
        await page.open()
    staying, leaving = everybody[:24], everybody[24:]
    # Two that ask and are gone at once: whoever is paired with them waits on.
    for page in leaving:
        page.comes = False
        await page.ask("/lobby/quick/", game="speed", rated="yes")
        await page.close()
    answers = await all_at_once(staying, "/lobby/quick/", game="speed", rated="yes")
    again = await all_at_once(staying[:6], "/lobby/quick/", game="speed", rated="yes")
    # Whoever has a match already by then is told so.
    assert {status for status, _answer in answers + again} <= {200, 409}
    for page in staying:
        await page.until(lambda page=page: page.url, "for a table", 40)  # type: ignore[misc]
    tables = Counter(page.url for page in staying)
    assert set(tables.values()) == {2}
    users = cluster.ask(
        "SELECT s.user_id, count(*) FROM games_seat s JOIN games_match m ON m.id = s.match_id "
        "WHERE m.slug = ANY(%s) GROUP BY 1",
        [str(url).split("/")[2] for url in tables],
    )
    assert len(users) == 24
    assert {count for _user, count in users} == {1}
    assert "Traceback" not in spoken.text


async def test_a_challenge_is_accepted_at_another_server(sites: list[Site], pages: Callable[..., list[Page]]) -> None:
    offers, accepts = [await page.open() for page in pages(2, sites[:2])]
    _status, answer = await offers.ask("/lobby/offer/", game="spit")
    await accepts.until(lambda: f'data-seek="{answer["seek"]}"' in accepts.html)
    assert (await accepts.ask(f"/lobby/{answer['seek']}/accept/"))[0] == 200
    assert await offers.until(lambda: offers.url) == await accepts.until(lambda: accepts.url)


async def test_the_seeks_of_a_killed_server_vanish(
    cluster: Cluster, sites: list[Site], pages: Callable[..., list[Page]]
) -> None:
    doomed = cluster.start(1)
    sees = await pages(1, sites)[0].open()
    lost, moves = [await page.open() for page in pages(2, doomed)]
    rows = []
    for page in (lost, moves):
        _status, answer = await page.ask("/lobby/offer/", game="spit")
        rows.append(f'data-seek="{answer["seek"]}"')
    await sees.until(lambda: all(row in sees.html for row in rows))
    doomed[0].kill()
    # A page that finds another server keeps what it offers.
    await moves.open(sites[1])
    await sees.until(lambda: rows[0] not in sees.html, "for the challenge to vanish")
    assert rows[1] in sees.html
