"""Those who watch, at other servers than those who play: the delay, the television, the chat."""

import asyncio
import json
from typing import Any

import psycopg

from tests.cluster.conftest import Cluster, Sample
from tests.cluster.support import Browser, Said, play_some
from tests.scale.wire import connect
from tests.site_process import Site

DELAY = 3


class Late(Browser):
    """Remembers how many events it had been shown at each moment."""

    def __init__(self, slug: str, cookie: str | None = None) -> None:
        super().__init__(slug, cookie)
        self.at: dict[int, float] = {}

    def _heard(self, frame: bytes) -> None:
        super()._heard(frame)
        if self.table is not None:
            self.at.setdefault(self.table.seq, asyncio.get_running_loop().time())


def with_delay(cluster: Cluster) -> Sample:
    match = cluster.match()
    with psycopg.connect(cluster.postgres.url) as connection:
        connection.execute("UPDATE games_match SET delay = %s WHERE id = %s", (DELAY, match.pk))
    return match


def nothing_early(player: Late, watcher: Late) -> None:
    """Whatever number the watcher was shown, the player had reached it before, by nearly the delay at least.

    By nearly: the player, too, hears of it only when it is in the database.
    """
    for seq, told in watcher.at.items():
        before = [at for number, at in player.at.items() if number >= seq > 0]  # With 0 nothing is dealt.
        if before:
            assert told - min(before) > DELAY - 1, (seq, told - min(before))


async def test_b08_what_comes_later_comes_later_everywhere(cluster: Cluster, sites: list[Site]) -> None:
    """Watchers at the owner's and at another server, and one who comes in the middle."""
    one, two, three = sites
    spoken = Said(sites)
    match = with_delay(cluster)
    first = await Late(match.slug, match.cookies[0]).open(one)
    second = await Late(match.slug, match.cookies[1]).open(two)
    near, far = await Late(match.slug).open(one), await Late(match.slug).open(three)
    await first.until(lambda: first.watchers == 2, "for the watchers to be counted, at once")
    await play_some((first, second), 30)
    assert first.table is not None
    shown = first.table.seq
    coming = await Late(match.slug).open(two)
    assert coming.table is not None
    assert coming.table.seq < shown
    for watcher in (near, far, coming):
        await watcher.until(lambda w=watcher: w.table is not None and w.table.seq >= shown, "to catch up")  # type: ignore[misc]
        nothing_early(first, watcher)
        assert watcher.seen == sorted(watcher.seen)
        assert watcher.gaps == 0
    assert "Traceback" not in spoken.text


async def test_the_delay_outlives_the_owner(cluster: Cluster) -> None:
    """The server that has the match is killed; who watches at the other one is shown nothing sooner."""
    owner, other = cluster.start(2)
    match = with_delay(cluster)
    first = await Late(match.slug, match.cookies[0]).open(owner)
    second = await Late(match.slug, match.cookies[1]).open(other)
    watcher = await Late(match.slug).open(other)
    await play_some((first, second), 20)
    assert second.table is not None
    shown = second.table.seq
    owner.kill()
    await first.open(other)
    assert watcher.table is not None
    await play_some((first, second), 20)
    await watcher.until(lambda: watcher.table is not None and watcher.table.seq > shown, "for what came after")
    nothing_early(second, watcher)
    assert watcher.seen == sorted(watcher.seen), "no screen steps back"
    assert "Traceback" not in other.output


async def test_television_of_matches_elsewhere(cluster: Cluster, sites: list[Site]) -> None:
    one, two, three = sites
    spoken = Said(sites)
    plain, late = cluster.match(), with_delay(cluster)
    frames: list[dict[str, Any]] = []
    wire = await connect("127.0.0.1", three.port, "/ws/tv/", lambda frame: frames.append(json.loads(frame)))
    players = [await Late(plain.slug, cookie).open(one) for cookie in plain.cookies]
    others = [await Late(late.slug, cookie).open(two) for cookie in late.cookies]
    await play_some((players[0], players[1]), 20)
    await play_some((others[0], others[1]), 20)
    goal = {match.slug: tab.table.seq for match, tab in ((plain, players[0]), (late, others[0])) if tab.table}

    def seen(slug: str) -> int:
        return max((int(each["of"][slug][0]) for each in frames if slug in each.get("of", {})), default=0)

    assert seen(late.slug) < goal[late.slug]
    for slug, seq in goal.items():
        await players[0].until(lambda slug=slug, seq=seq: seen(slug) >= seq, f"for the thumbnail of {slug}")  # type: ignore[misc]
    wire.close()
    assert "Traceback" not in spoken.text


async def test_chat_over_servers(cluster: Cluster, sites: list[Site]) -> None:
    one, two, three = sites
    match = cluster.match()
    player = await Browser(match.slug, match.cookies[0]).open(one)
    writer = await Browser(match.slug, cluster.boss).open(two)
    reader = await Browser(match.slug).open(three)
    for browser in (player, writer, reader):
        browser._send('{"t":"listen"}')
        await browser.until(lambda b=browser: b.of("chat"), "to be heard")  # type: ignore[misc]
    assert [browser.of("chat")[0]["may"] for browser in (player, writer, reader)] == ["playing", "yes", "sign_in"]
    for text in ("one", "two", "three"):
        writer._send(json.dumps({"t": "say", "text": text}))
        await writer.until(lambda text=text: text in said(writer), "for the own line")  # type: ignore[misc]
    await reader.until(lambda: said(reader) == ["one", "two", "three"], "for the lines")
    assert said(player) == []
    cluster.run("from games.models import ChatLine; ChatLine.objects.all().update(is_hidden=True)")
    late = await Browser(match.slug).open(one)
    late._send('{"t":"listen"}')
    await late.until(lambda: late.of("chat"))
    assert said(late) == []


def said(browser: Browser) -> list[str]:
    return [line["text"] for message in browser.of("chat") for line in message["lines"]]
