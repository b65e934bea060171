"""A match with a delay: everybody but the players learns of everything that much later, by whatever door (B08)."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from games.clock import wall
from games.live.hub import FEED
from games.live.match_info import load_info
from games.live.onlook import shown_states
from games.live.stands import Stands
from games.live.table import Table
from games.lobby import selectors
from games.lobby.services import rematch as begin_rematch
from games.models import End, Match, RatingChange, Seat
from games.people import withheld_ends
from games.profiles import leaders
from games.profiles import selectors as profiles
from games.rules.state import Phase
from games.stands.programme import programme
from games.stands.television import television
from tests.factories import Player, make_user, store_match
from tests.live.support import Client, House, Message, begin, play_on
from tests.live.test_relay import Far, Way, looked_after
from tests.patience import within

DELAY = 2
"""Seconds; long beside what a test takes to look, short beside what anybody waits for."""


def played_by(player: Any) -> int:
    """How many results of somebody everybody else is told of."""
    records = profiles.records_of(player, withheld_ends()).values()
    return sum(record.played for record in records)


class Watcher(Client):
    """Somebody in the stands; remembers when it was told what."""

    def __init__(self, house: House, place: Any, **options: Any) -> None:
        super().__init__()
        self.told: dict[int, float] = {}
        """When each event was shown, by the loop's clock."""
        stands = house.supervisor.place_of_watchers(place)
        assert isinstance(stands, Stands)
        self.stands = stands
        stands.join(self, None, **options)

    def send(self, frame: str) -> None:
        super().send(frame)
        message = self.messages[-1]
        now = asyncio.get_running_loop().time()
        if message["t"] == "state":
            for seq in range(message["seq"] + 1):
                self.told.setdefault(seq, now)
        elif message["t"] == "events":
            for seq in range(message["seq"], message["seq"] + len(message["events"])):
                self.told.setdefault(seq, now)

    def raw(self, text: str) -> None:
        self.stands.receive(self, text)

    @property
    def seen(self) -> int:
        return max(self.told, default=-1)


class Diary:
    """When each event happened, by the match's clock."""

    def __init__(self, table: Table) -> None:
        self.at: dict[int, int] = {}
        self.table = table
        self.player = Client(table, 0)
        self.player.on_message = self._note

    def _note(self, message: Message) -> None:
        if message["t"] == "events":
            for seq, event in enumerate(message["events"], message["seq"]):
                self.at[seq] = event["at"]

    @property
    def start(self) -> float:
        """When the match's clock stood at nothing, by the loop's clock in seconds."""
        return asyncio.get_running_loop().time() - self.table.now() / 1000

    def nothing_early(self, watcher: Watcher, slack: float = 0.02) -> None:
        """No event was shown sooner than the delay after it happened."""
        early = {
            seq: told - self.start - self.at[seq] / 1000
            for seq, told in watcher.told.items()
            if seq in self.at and told - self.start - self.at[seq] / 1000 < DELAY - slack
        }
        assert not early, early


@pytest.fixture
async def table(house: House) -> Table:
    return await house.table(pace="normal", delay=DELAY)


async def play(table: Table, players: tuple[Client, Client], events: int) -> None:
    goal = table.shown.seq + events
    await play_on(table, players, lambda state: state.seq >= goal)


async def test_everything_comes_later_and_nothing_is_left_out(house: House, table: Table) -> None:
    diary = Diary(table)
    early = Watcher(house, table)
    players = await begin(table)
    await play(table, players, 12)
    at = table.shown.seq
    assert early.seen < at, "the players are ahead"
    late = Watcher(house, table)
    await early.until(lambda: early.seen >= at, "for the stands to catch up")
    await late.until(lambda: late.seen >= at)
    for watcher in (early, late):
        diary.nothing_early(watcher)
        assert watcher.state(table.match.setup).places.keys() == table.shown.places.keys()
    # Without a gap, and at the same pace: `state` folds all of it, and raises otherwise.
    assert early.state(table.match.setup).seq == late.state(table.match.setup).seq


async def test_who_comes_in_the_middle_is_shown_where_it_stood_then(house: House, table: Table) -> None:
    """The snapshot, asked for again and again: by coming, by asking anew."""
    diary = Diary(table)
    players = await begin(table)
    await play(table, players, 10)
    await asyncio.sleep(DELAY / 2)
    await play(table, players, 10)
    shown = table.shown.seq
    one = Watcher(house, table)
    await one.message("state")
    assert one.seen < shown
    for _ in range(5):
        one.raw('{"t":"resync"}')
    one.say("play", card="7h", to="centre.0", round=1)
    assert (await one.message("refused"))["code"] == "not_seated"
    assert max(message["seq"] for message in one.of("state")) < shown
    await one.until(lambda: one.seen >= shown)
    diary.nothing_early(one)


async def test_the_end_and_what_lies_open_then(house: House) -> None:
    """Nothing of the end is told by state, title, list, result, count, rating, replay or export before its time."""
    # So long that all doors can be tried meanwhile.
    delay = math.ceil(within(4))
    table = await house.table(pace="normal", delay=delay)
    players = await begin(table)
    await play_on(table, players, lambda state: state.played != (0, 0))
    watcher = Watcher(house, table)
    await watcher.message("state")
    await watcher.until(lambda: watcher.seen > 1, "for the beginning, before which it is in no list")
    browser, own = Browser(), Browser()
    match: Match = await sync_to_async(Match.objects.get)(slug=table.match.slug)
    loser = await sync_to_async(lambda: Seat.objects.select_related("user").get(match=match, number=1).user)()
    await sync_to_async(own.force_login)(loser)
    before = await sync_to_async(lambda: selectors.ended().count())()
    ended_at = time.monotonic()
    players[1].say("resign")
    await players[0].until(lambda: table.shown.is_over)

    def doors() -> dict[str, Any]:
        """What everybody can find out."""
        slug = table.match.slug
        match = Match.objects.select_related("end").get(slug=slug)
        state = shown_states([match]).get(match.pk)
        listed = [shown.slug for shown in selectors.live_matches(50)]
        return {
            "replay": browser.get(f"/replay/{slug}/").status_code,
            "document": browser.get(f"/replay/{slug}.json").status_code,
            "results": any(outcome.slug == slug for outcome in selectors.recent_outcomes(50)),
            "list": slug in listed,
            "programme": slug in [channel.slug for channel in programme().channels],
            "cards": slug.encode() in browser.get("/watch/?cards").content,
            "replays": f"/replay/{slug}/".encode() in browser.get("/replays/").content,
            "home": f"/replay/{slug}/".encode() in browser.get("/").content,
            "profile": b"verdict-lost" in browser.get(f"/player/{loser.username}/").content,
            "record": played_by(loser),
            "ended": selectors.ended().count() - before,
            "over": state is not None and state.is_over,
        }

    kept = {
        "replay": 302, "document": 404, "results": False, "list": True, "programme": True, "cards": True,
        "replays": False, "home": False, "profile": False, "record": 0, "ended": 0, "over": False,
    }  # fmt: skip
    found = await sync_to_async(doors)()
    assert time.monotonic() - ended_at < delay, "too slow a machine to tell"
    assert found == kept
    assert not [message for message in watcher.of("state") if not message["match"]["live"]]
    # The players know at once, and see it again at once.
    document = await sync_to_async(own.get)(f"/replay/{table.match.slug}.json")
    assert document.status_code == 200
    assert "private" in document["Cache-Control"]
    assert "public" not in document["Cache-Control"]
    assert (await sync_to_async(own.get)(f"/replay/{table.match.slug}/")).status_code == 200
    assert b"verdict-lost" in (await sync_to_async(own.get)(f"/player/{loser.username}/")).content
    await watcher.until(lambda: watcher.of("state")[-1]["view"]["status"]["phase"] == "over", "for the end")
    assert time.monotonic() - ended_at >= delay - 0.05
    await asyncio.sleep(max(0, ended_at + delay + 1.2 - time.monotonic()))  # Lists are up to a second old.
    found = await sync_to_async(doors)()
    assert found == {
        "replay": 200, "document": 200, "results": True, "list": False, "programme": False, "cards": False,
        "replays": True, "home": True, "profile": True, "record": 1, "ended": 1, "over": True,
    }  # fmt: skip


async def test_ratings_are_told_later_too(transactional_db: None) -> None:
    """What a withheld match did to a rating is known to who played it, and to nobody else."""

    def look() -> tuple[list[profiles.GameCard], list[profiles.GameCard], leaders.Leader, int | None]:
        from games.ratings.services import rate_pending
        from tests.factories import make_match

        ann, bob = make_user(), make_user()
        for until in (None, wall() + timedelta(seconds=60)):
            match = make_match(ann, bob, winner=0, rated=True)
            if until is not None:
                held = End.objects.get(match=match)
                from django.db import connection

                from games import append_only

                with append_only.lifted(connection):
                    End.objects.filter(pk=held.pk).update(withheld_until=until)
        rate_pending()
        assert RatingChange.objects.filter(seat__user=ann).count() == 2
        listed = {row.user: row for row in leaders.leaders(leaders.newcomers("spit"), bob, None)}
        # Their next match is watched, too, and may have no delay.
        following = load_info(begin_rematch(match).slug)
        return profiles.games_of(ann, withheld_ends()), profiles.games_of(ann), listed[ann], following.seats[0].rating

    (public,), (own,), listed, at_the_next_table = await sync_to_async(look)()
    assert at_the_next_table == public.rating == listed.value
    assert public.matches == listed.matches == 1
    assert own.matches == 2
    assert public.rating is not None
    assert own.rating is not None
    assert public.rating < own.rating
    assert public.peak == listed.peak < own.peak
    assert public.record.played == 1


async def test_after_a_restart_nothing_comes_sooner(house: House, table: Table) -> None:
    players = await begin(table)
    await play(table, players, 15)
    slug, shown = table.match.slug, table.shown.seq
    await house.restart()
    restarted = asyncio.get_running_loop().time()
    again = await house.supervisor.table(slug)
    assert again.shown.seq == shown
    watcher = Watcher(house, again)
    await watcher.message("state")
    assert watcher.seen < shown
    await watcher.until(lambda: watcher.seen >= shown)
    assert watcher.told[shown] - restarted > DELAY - 0.5, "the last event was fresh when the server went down"


async def test_players_pay_nothing_and_a_match_without_a_delay_neither(house: House, table: Table) -> None:
    plain = await house.table(pace="normal")
    assert house.supervisor.place_of_watchers(plain) is plain
    assert house.supervisor.stands == {}
    players = await begin(table)
    assert not table.room.watchers, "nobody watches: nothing is held"
    assert players[0].of("events")


async def test_watchers_are_counted_at_once_and_by_the_one_rule(house: House, table: Table) -> None:
    """B09 behind a delay: an account once, a browser once, the feed never; known to the players at once."""
    players = await begin(table)
    one = Watcher(house, table, who=("user", 7, "Ann"))
    two = Watcher(house, table, who=("user", 7, "Ann"))
    three = Watcher(house, table, who=("visitor", "x"))

    def counted(client: Client, number: int, named: list[str]) -> Callable[[], bool]:
        return lambda: bool(
            client.of("presence")
            and (client.of("presence")[-1]["watchers"], client.of("presence")[-1]["named"]) == (number, named)
        )

    await players[0].until(counted(players[0], 2, ["Ann"]))
    await three.until(counted(three, 2, ["Ann"]))
    for watcher in (one, two):
        watcher.stands.leave(watcher)
    await players[0].until(counted(players[0], 1, []))
    three.stands.leave(three)
    await players[0].until(counted(players[0], 0, []))
    assert house.supervisor.stands == {}
    assert not any(member.who == FEED for member in table.room.members.values())


async def test_in_another_process_and_when_that_takes_the_match(house: House, table: Table) -> None:
    """Through the relay everything comes as late; what waits goes on waiting when the owner is gone."""
    diary = Diary(table)
    way = Way(house, table)
    beats = asyncio.create_task(looked_after(way))
    players = (diary.player, Far(way.remote, 1))
    for player in players:
        player.say("ready")
    await players[1].event("turned")
    watcher = Watcher(house, way.remote)
    await watcher.message("state")
    await play_far(table, players, 14)
    shown = table.shown.seq
    assert watcher.seen < shown
    # Another process has the match now: for the stands that is one more state, as late as everything.
    way.remote.attach(way.remote.owner)
    await watcher.until(lambda: watcher.seen >= shown)
    diary.nothing_early(watcher)
    assert watcher.state(table.match.setup).seq >= shown
    beats.cancel()


async def play_far(table: Table, players: tuple[Client, Client], events: int) -> None:
    from tests.live.support import do, moves

    goal = table.shown.seq + events
    while table.shown.seq < goal and not table.shown.is_over:
        status = table.state.status
        for player in players:
            possible = moves(table.state, player.seat or 0)
            if status.phase is Phase.PLAYING and possible:
                do(player, possible[0])
            elif status.phase is Phase.STUCK and not status.ready[player.seat or 0]:
                player.say("spit", round=status.round)
            elif status.phase is Phase.SLAP:
                player.say("slap", pile="centre.0", round=status.round)
            elif status.phase is Phase.READY:
                player.say("ready", round=status.round)
        await asyncio.sleep(0.02)


class Screen:
    """A socket of the television."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, Message]] = []

    def send(self, frame: str) -> None:
        self.frames.append((asyncio.get_running_loop().time(), json.loads(frame)))

    def close(self, code: str, text: str) -> None:
        pass


@pytest.fixture
async def screen(house: House, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Screen]:
    for module in ("games.stands.television", "games.live.onlook"):
        monkeypatch.setattr(f"{module}.get_supervisor", lambda: house.supervisor)
    found = Screen()
    television.join(found)  # type: ignore[arg-type]
    yield found
    television.leave(found)  # type: ignore[arg-type]


async def test_the_television_is_as_late(house: House, table: Table, screen: Screen) -> None:
    """And quick for a match without a delay, of which it tells in the same frames."""
    plain = await house.table(pace="normal")
    diary = Diary(table)
    one = await begin(table)
    other = await begin(plain)
    await play(table, one, 10)
    await play(plain, other, 10)
    shown, quick = table.shown.seq, plain.shown.seq

    def told(slug: str, seq: int) -> float | None:
        return next(
            (at for at, each in screen.frames if each["t"] == "thumbnails" and each["of"].get(slug, [0])[0] >= seq),
            None,
        )

    await one[0].until(lambda: told(plain.match.slug, quick))
    await one[0].until(lambda: told(table.match.slug, shown))
    for at, message in screen.frames:
        seen = message.get("of", {}).get(table.match.slug, [0])[0]
        if seen in diary.at:
            assert at - diary.start - diary.at[seen] / 1000 > DELAY - 0.02
    late = [at for at, each in screen.frames if table.match.slug in json.dumps(each)]
    assert late, "it is on the programme in the end"


async def test_a_match_with_a_delay_begins_later_for_all(house: House) -> None:
    """A list that names it at once would tell that the match before has ended."""
    match = await house.match(pace="normal", delay=60)
    assert match.slug not in [shown.slug for shown in await sync_to_async(selectors.live_matches)(50)]
    await sync_to_async(Match.objects.filter(pk=match.pk).update)(started_at=wall() - timedelta(seconds=61))
    assert match.slug in [shown.slug for shown in await sync_to_async(selectors.live_matches)(50)]


async def test_where_the_clock_is_elsewhere_the_last_plays_are_told_all_the_same(transactional_db: None) -> None:
    """Nobody plays on, so no later event says what the match's clock shows."""
    match = await sync_to_async(lambda: store_match(Player().play(until=30), delay=1))()
    look = sync_to_async(lambda match: shown_states([match]).get(match.pk), thread_sensitive=False)
    first = await look(match)
    assert first is None or first.seq < 30
    async with asyncio.timeout(10):
        while (state := await look(match)) is None or state.seq < 30:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)
