"""The lobby live: real pages at a real server, in one process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import websockets

from tests.lobby.support import Page, make_people
from tests.site_process import Site, copy, manage, start


@pytest.fixture(scope="module")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    var = tmp_path_factory.mktemp("lobby")
    copy(fresh_site, var)
    running = start(var)
    yield running
    running.kill()
    assert "Traceback" not in running.output, running.output[running.output.index("Traceback") - 200 :][:3000]


@pytest.fixture(scope="module")
def people(site: Site) -> Iterator[tuple[str, str]]:
    """Name and session of one more person with an account, each time."""
    return iter(make_people(site, 30))


@pytest.fixture
async def opened() -> AsyncIterator[list[Page]]:
    pages: list[Page] = []
    yield pages
    for page in pages:
        await page.ask("/lobby/cancel/")
        await page.close()


@pytest.fixture
async def enter(
    site: Site, people: Iterator[tuple[str, str]], opened: list[Page]
) -> Callable[..., "asyncio.Future[Page]"]:
    """One more person with a page: `await enter()`."""

    async def entered(person: tuple[str, str] | None = None, **options: bool) -> Page:
        _name, session = person or next(people)
        page = Page(site, session, **options)
        opened.append(page)
        return await page.open()

    return entered  # type: ignore[return-value]


Enter = Callable[..., "asyncio.Future[Page]"]


async def test_two_who_want_the_same_are_sent_to_one_table(enter: Enter) -> None:
    one, two, onlooker = await enter(), await enter(), await enter()
    assert await one.until(lambda: one.last("you")) == {"t": "you", "seek": None, "known": True}
    assert (await one.ask("/lobby/quick/", game="spit", rated="yes"))[0] == 200
    await onlooker.until(
        lambda: onlooker.last("list") and onlooker.last("list")["waiting"] == {"spit": 1, "spit.rated": 1}
    )
    seek = await one.until(lambda: one.seek)
    assert (seek["kind"], seek["facts"], seek["here"], seek["paired"]) == ("quick", "Spit · rated", True, False)
    assert (await two.ask("/lobby/quick/", game="spit", rated="yes"))[0] == 200
    url = await one.until(lambda: one.url)
    assert url == await two.until(lambda: two.url)
    await onlooker.until(lambda: onlooker.last("list")["waiting"] == {})
    status, refusal = await one.ask("/lobby/quick/", game="speed", rated="yes")
    assert (status, refusal["code"], refusal["url"]) == (409, "seated", url)


async def test_b38_of_two_tabs_one_goes_to_the_table(enter: Enter, people: Iterator[tuple[str, str]]) -> None:
    """B38: both tabs ask; the person waits once, and only the tab that asked last is sent away."""
    person = next(people)
    one, two, other = await enter(person), await enter(person), await enter()
    await one.ask("/lobby/quick/", game="speed")
    await two.ask("/lobby/quick/", game="speed")
    await one.until(lambda: one.seek and not one.seek["here"])
    await two.until(lambda: two.seek and two.seek["here"])
    await other.ask("/lobby/quick/", game="speed")
    assert await other.until(lambda: other.url) == await two.until(lambda: two.url)
    await one.until(lambda: one.seek is None)
    assert one.url is None


async def test_who_does_not_come_is_out_and_the_other_one_waits_on(enter: Enter) -> None:
    here, away = await enter(), await enter(comes=False)
    await here.ask("/lobby/quick/", game="two_deck")
    await away.ask("/lobby/quick/", game="two_deck")
    await here.until(lambda: here.is_paired)
    await here.until(lambda: here.seek and not here.seek["paired"], "to be back in the queue")
    await away.until(lambda: away.seek is None)
    # At the front: the next one who comes is theirs.
    next_one = await enter()
    await next_one.ask("/lobby/quick/", game="two_deck")
    assert await here.until(lambda: here.url) == await next_one.until(lambda: next_one.url)


async def test_a_challenge_comes_and_goes_with_its_page(enter: Enter, opened: list[Page]) -> None:
    offers, sees = await enter(), await enter()
    fields = {"game": "spit", "spit-handling": "by_hand", "pace": "relaxed"}
    status, answer = await offers.ask("/lobby/offer/", **fields)
    assert status == 200
    row = f'data-seek="{answer["seek"]}"'
    await sees.until(lambda: row in sees.html)
    assert "by hand · relaxed" in sees.html
    # Loaded anew: the same page, a moment later.
    await offers.close()
    await offers.open()
    await offers.until(lambda: offers.messages[-1] and offers.seek and offers.seek["here"])
    status, refusal = await offers.ask(f"/lobby/{answer['seek']}/accept/")
    assert (status, refusal["code"]) == (409, "own")
    assert row in sees.html
    opened.remove(offers)
    await offers.close()
    await sees.until(lambda: row not in sees.html, "for the challenge to be gone with its page")
    status, refusal = await sees.ask(f"/lobby/{answer['seek']}/accept/")
    assert (status, refusal["code"]) == (409, "over")


async def test_each_page_is_told_what_its_own_person_would_win_or_lose(
    enter: Enter, site: Site, opened: list[Page]
) -> None:
    offers, sees, nobody = await enter(), await enter(), Page(site, None)
    opened.append(nobody)
    await nobody.open()
    _status, answer = await offers.ask("/lobby/offer/", game="spit", rated="yes")
    seek = str(answer["seek"])
    told = await sees.until(lambda: (sees.last("stakes") or {}).get("texts"))
    assert told == {seek: "+20 if you win, ±0 for a draw, −20 if you lose"}
    await nobody.until(lambda: f'data-seek="{seek}"' in nobody.html)
    assert "+20" not in nobody.html + sees.html
    assert offers.last("stakes") is nobody.last("stakes") is None
    await offers.ask("/lobby/cancel/")
    await sees.until(lambda: sees.last("stakes")["texts"] == {})


async def test_a_challenge_is_seen_on_any_page_of_the_person(enter: Enter, people: Iterator[tuple[str, str]]) -> None:
    person = next(people)
    sends, reads = await enter(), await enter(person, wants_list=False)
    status, answer = await sends.ask(f"/challenge/{person[0]}/send/", game="speed", rated="yes")
    assert status == 200
    await reads.until(lambda: reads.last("challenges"))
    assert f"/lobby/{answer['seek']}/decline/" in reads.last("challenges")["html"]
    assert "+20 if you win" in reads.last("challenges")["html"]
    assert reads.last("list") is None
    assert (await reads.ask(f"/lobby/{answer['seek']}/decline/"))[0] == 200
    await sends.until(lambda: sends.seek is None)
    await reads.until(lambda: reads.last("challenges")["html"] == "")
    _status, answer = await sends.ask(f"/challenge/{person[0]}/send/", game="speed", rated="yes")
    await reads.until(lambda: reads.last("challenges")["html"])
    assert (await reads.ask(f"/lobby/{answer['seek']}/accept/"))[0] == 200
    assert await sends.until(lambda: sends.url) == await reads.until(lambda: reads.url)


async def test_somebody_new_is_a_guest_from_then_on(enter: Enter, site: Site, opened: list[Page]) -> None:
    page = Page(site, None)
    opened.append(page)
    await page.open()
    await page.until(lambda: page.last("list"))
    # On a line of nobody's that is said, too: whoever was signed out meanwhile looks for nobody.
    assert await page.until(lambda: page.last("you")) == {"t": "you", "seek": None, "known": False}
    status, answer = await page.ask("/lobby/quick/", game="japanese_speed", rated="yes")
    assert (status, answer["code"]) == (403, "no_account")
    assert "account" in answer["text"]


class TestBadFrames:
    async def test_each_is_refused_and_many_close_the_line(self, enter: Enter) -> None:
        page = await enter()
        assert page.socket is not None
        for number, frame in enumerate(["", "[]", '{"t":"here","x":1}', '{"t":"quick"}'], 1):
            await page.socket.send(frame)
            await page.until(lambda number=number: sum(m["t"] == "refused" for m in page.messages) == number)  # type: ignore[misc]
        assert page.last("refused") == {
            "t": "refused",
            "code": "bad_message",
            "text": "that is no message of the lobby",
        }
        await page.socket.send(b"\0binary")
        await page.until(lambda: page.status == 4400)

    async def test_a_frame_that_is_too_long(self, enter: Enter) -> None:
        page = await enter()
        assert page.socket is not None
        await page.socket.send('{"t":"pong","n":' + "1" * 300 + "}")
        await page.until(lambda: page.last("refused"))

    async def test_a_flood_is_cut_off(self, enter: Enter) -> None:
        page = await enter()
        assert page.socket is not None
        try:
            for _ in range(400):
                await page.socket.send('{"t":"here"}')
        except websockets.ConnectionClosed:
            pass
        await page.until(lambda: page.status == 4429)

    async def test_foreign_pages_are_refused(self, site: Site, people: Iterator[tuple[str, str]]) -> None:
        with pytest.raises(websockets.InvalidStatus):
            await Page(site, next(people)[1]).open(origin="https://evil.example")


async def test_who_is_signed_out_is_sent_away(enter: Enter, site: Site) -> None:
    page = await enter()
    await page.ask("/lobby/quick/", game="japanese_speed")
    await page.until(lambda: page.seek)
    code = f"from django.contrib.sessions.models import Session; Session.objects.filter(pk={page.session!r}).delete()"
    manage(site.var, "shell", "-v0", "-c", code)
    await page.until(lambda: page.status == 4401, "for the look at all sign-ins", 30)
