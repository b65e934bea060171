"""The chat of those who watch: who may write, what is kept, who hears it."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from games import ties
from games.clock import wall
from games.live.protocol import BadMessage, Listen, Say, decode
from games.models import ChatLine, Match, Muted, Onlooker
from games.moderation import measures
from games.moderation.models import Kind, Report
from games.stands import chat
from games.stands.chat import May
from games.stands.hall import Hall
from games.stands.text import one_line
from spitsite.accounts.guests import create_guest
from spitsite.accounts.models import User
from tests.factories import make_match, make_user
from tests.live.support import House


def live(*, seats: bool = True) -> Match:
    match = make_match(make_user(), make_user()) if not seats else Match.objects.create(game="spit", state="live")
    if seats:
        for number in (0, 1):
            match.seats.create(number=number, user=make_user())
    return chat.find(match.slug) or match


@pytest.mark.django_db
class TestWhoMayWrite:
    def test_people_with_an_account_who_only_watch(self, ann: User) -> None:
        match = live()
        assert chat.may_write(match, ann.pk) is May.YES
        assert chat.may_write(match, None) is May.SIGN_IN
        assert chat.may_write(match, create_guest().pk) is May.SIGN_IN

    def test_players_neither_while_they_play_nor_while_others_do_not_know_the_end(self, ann: User, bob: User) -> None:
        match = live()
        player = match.seats.get(number=0).user
        assert player is not None
        assert chat.may_write(match, player.pk) is May.PLAYING
        over = make_match(ann, bob)
        found = chat.find(over.slug)
        assert found is not None
        assert chat.may_write(found, ann.pk) is May.YES
        found.end.withheld_until = wall() + timedelta(seconds=5)
        assert chat.may_write(found, ann.pk) is May.PLAYING

    def test_not_the_muted_until_it_is_over(self, ann: User) -> None:
        match = live()
        measures.decide(None, ann, Kind.MUTE, "loud", 7)
        assert chat.say(match, ann.pk, "hello") is May.MUTED
        Muted.objects.update(until=wall() - timedelta(seconds=1))
        assert chat.say(match, ann.pk, "hello") is May.YES
        measures.decide(None, ann, Kind.MUTE, "loud")
        assert chat.may_write(match, ann.pk) is May.MUTED

    def test_nobody_where_the_site_has_none(self, ann: User, settings: Any) -> None:
        settings.WATCHERS_CHAT = False
        assert chat.say(live(), ann.pk, "hello") is May.OFF

    def test_not_more_than_a_few_lines_and_nothing_twice(self, ann: User) -> None:
        match = live()
        assert [chat.say(match, ann.pk, f"line {number}") for number in range(6)] == [May.YES] * 5 + [May.TOO_FAST]
        ChatLine.objects.update(at=wall() - timedelta(minutes=1))
        assert chat.say(match, ann.pk, "again") is May.YES
        assert chat.say(match, ann.pk, " again ") is May.TOO_FAST


class TestText:
    """B31: what is written stays plain text, on one line, and turns nothing around."""

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("<svg/onload=alert(1)>", "<svg/onload=alert(1)>"),
            ("  two\n lines\tand   room ", "two lines and room"),
            ("\u202egpj.exe", "gpj.exe"),
            ("a\u200bb\ufeffc", "abc"),
            ("\u200b\u2067 ", ""),
            ("Z" + "\u0351" * 30, "Z\u0351\u0351"),
            ("x" * 300, "x" * 200),
            ("Wörter, 日本語, שלום", "Wörter, 日本語, שלום"),
        ],
    )
    def test_one_line(self, text: str, kept: str) -> None:
        assert one_line(text) == kept

    def test_too_long_or_nothing_is_no_message(self) -> None:
        assert decode('{"t":"say","text":"hi"}') == Say("hi")
        assert decode('{"t":"listen"}') == Listen()
        for text in ("", "x" * 201):
            with pytest.raises(BadMessage):
                decode(json.dumps({"t": "say", "text": text}))


@pytest.mark.django_db
class TestReports:
    def test_the_queue_and_what_is_done_with_it(self, ann: User, bob: User, boss: User, client: Browser) -> None:
        match = live()
        assert chat.say(match, ann.pk, "something bad") is May.YES
        line = ChatLine.objects.get()
        assert client.post(f"/chat/{line.pk}/report/").status_code == 403
        client.force_login(bob)
        for _ in range(2):
            assert client.post(f"/chat/{line.pk}/report/").status_code == 200
        report = Report.objects.get()
        assert (report.reporter, report.about, report.line, report.measure) == (bob, ann, line, None)
        assert client.post("/chat/99999/report/").status_code == 404
        client.force_login(boss)
        case = f"/admin/moderation/report/person/{ann.pk}/"
        assert b"something bad" in client.get(case).content
        assert client.post(f"/admin/moderation/report/line/{line.pk}/hide/").status_code == 302
        assert chat.lines(match) == []
        assert ChatLine.objects.get().text == "something bad", "kept for who looks after the site"
        assert Report.objects.get().measure is not None
        assert client.post(case, {"kind": "mute", "length": "7", "reason": "bad words"}).status_code == 302
        assert chat.may_write(match, ann.pk) is May.MUTED
        for page_of in ("games/chatline", "games/muted", "moderation/report", "moderation/measure"):
            assert client.get(f"/admin/{page_of}/").status_code == 200

    def test_a_deleted_author_is_called_so(self, ann: User) -> None:
        """B29."""
        match = live()
        chat.say(match, ann.pk, "hello")
        ann.delete()
        assert [line.entry.name for line in chat.lines(match)] == ["deleted player"]

    def test_choices_are_kept_for_people_with_an_account(self, ann: User, guest: User, client: Browser) -> None:
        assert client.post("/watching/", {"is_named": "1"}).status_code == 403
        client.force_login(ann)
        client.post("/watching/", {"is_named": "1"})
        client.post("/watching/", {"has_chat": "0"})
        choice = Onlooker.objects.get(user=ann)
        assert (choice.is_named, choice.has_chat) == (True, False)


class Ear:
    """Somebody who listens."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []

    def send(self, frame: str) -> None:
        self.frames.append(json.loads(frame))

    @property
    def texts(self) -> list[str]:
        return [line["text"] for frame in self.frames for line in frame["lines"]]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_what_is_said_is_heard_by_all_who_listen(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, and in another one when it is told; in the order of the numbers, and without those who play."""
    told: list[bytes] = []
    monkeypatch.setattr("games.stands.hall.get_supervisor", lambda: house.supervisor)
    monkeypatch.setattr(house.supervisor, "tell_bystanders", told.append)
    here, there = Hall(), Hall()
    match = await house.match(pace="normal")
    ann = await sync_to_async(make_user)()
    player = await sync_to_async(lambda: match.seats.select_related("user").get(number=0).user)()
    one, two, far, seated, unknown = (Ear() for _ in range(5))
    for hall, ear, user in (
        (here, one, ann.pk), (here, two, None), (there, far, None), (here, seated, player.pk),
    ):  # fmt: skip
        await hall.listen(match.slug, user, ear, lambda: True)
    await here.listen("nowhere1", None, unknown, lambda: True)
    assert [ear.frames[0]["may"] for ear in (one, two, seated)] == ["yes", "sign_in", "playing"]
    assert unknown.frames == []
    for number in range(3):
        await here.say(match.slug, ann.pk, Say(f"line {number}"), one)
    await here.say(match.slug, None, Say("and I?"), two)
    there.nudge(match.slug)
    said = ["line 0", "line 1", "line 2"]
    await until(lambda: one.texts == two.texts == far.texts == said)
    assert two.frames[-1] == {"t": "chat", "lines": [], "gone": [], "may": "sign_in"} or two.texts == said
    assert len(told) == 3
    late = Ear()
    await there.listen(match.slug, None, late, lambda: True)
    assert late.texts == said
    here.hidden(match.slug, [1])
    assert one.frames[-1]["gone"] == [1]
    await here.say(match.slug, player.pk, Say("help me"), seated)
    assert seated.texts == []
    assert [frame["may"] for frame in seated.frames] == ["playing", "playing"]
    here.leave(match.slug, two)
    here.leave(match.slug, two)
    await here.say(match.slug, ann.pk, Say("bye"), one)
    await until(lambda: one.texts[-1] == "bye")
    assert two.texts == said


async def test_a_block_holds_from_then_on_whatever_they_are_called(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways, for those who listen already, and for what was said before for those who come."""
    monkeypatch.setattr("games.stands.hall.get_supervisor", lambda: house.supervisor)
    hall = Hall()
    match = await house.match(pace="normal")
    ann, bob, eve = [await sync_to_async(make_user)(name) for name in ("Ann", "Bob", "Eve")]
    ears = {user: Ear() for user in (ann, bob, eve)}

    async def listen(user: User, ear: Ear) -> None:
        await hall.listen(match.slug, user.pk, ear, lambda: True)

    async def say(user: User, text: str) -> None:
        await hall.say(match.slug, user.pk, Say(text), ears[user])
        await until(lambda: ears[eve].texts[-1:] == [text])

    for user, ear in ears.items():
        await listen(user, ear)
    await say(ann, "hello")
    await sync_to_async(ties.block)(bob, ann)
    await say(ann, "can you hear me")
    await say(bob, "no")
    await sync_to_async(User.objects.filter(pk=ann.pk).update)(username="Cid")
    await say(ann, "and now")
    assert [line["name"] for frame in ears[eve].frames for line in frame["lines"]] == ["Ann", "Ann", "Bob", "Cid"]
    assert ears[bob].texts == ["hello", "no"]
    assert ears[ann].texts == ["hello", "can you hear me", "and now"]
    late = Ear()
    await listen(bob, late)
    assert late.texts == ["no"]
    await sync_to_async(ties.unblock)(bob, ann)
    await say(ann, "at last")
    await until(lambda: ears[bob].texts == ["hello", "no", "at last"])


async def test_who_writes_by_many_sockets_at_once_writes_no_more(transactional_db: None) -> None:
    match, ann = await sync_to_async(live)(), await sync_to_async(make_user)()
    say = sync_to_async(chat.say, thread_sensitive=False)
    answers = await asyncio.gather(*(say(match, ann.pk, f"line {number}") for number in range(12)))
    assert answers.count(May.YES) == chat.RATE


async def test_a_crowd_is_told_in_slices(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A play that comes meanwhile does not wait until everybody has heard a line."""
    monkeypatch.setattr("games.stands.hall.get_supervisor", lambda: house.supervisor)
    monkeypatch.setattr("games.stands.hall.SLICE", 5)
    hall = Hall()
    match = await house.match(pace="normal")
    ann = await sync_to_async(make_user)()
    crowd = [Ear() for _ in range(20)]
    for ear in crowd:
        await hall.listen(match.slug, None, ear, lambda: True)
    heard: list[int] = []

    async def look() -> None:
        while not (heard and heard[-1] == len(crowd)):
            heard.append(sum(ear.texts == ["hello"] for ear in crowd))
            await asyncio.sleep(0)

    async with asyncio.timeout(10):
        await asyncio.gather(look(), hall.say(match.slug, ann.pk, Say("hello"), crowd[0]))
    assert {0, 5, 10, 15, 20} <= set(heard)
