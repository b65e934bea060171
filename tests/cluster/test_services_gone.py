"""Redis goes, for five seconds or with all that it knew; or the database does (B26)."""

import asyncio
import time

import redis

from tests.cluster.conftest import Cluster
from tests.cluster.support import Browser, agree, play_some
from tests.patience import within
from tests.site_process import Site


async def test_redis_stopped_for_five_seconds(cluster: Cluster, sites: list[Site]) -> None:
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    watcher = await Browser(match.slug).open(two)
    await play_some((first, second), 12)

    cluster.valkey.kill()
    away = time.monotonic()
    # Whoever is not where the table is, is told of the trouble when trying to act. (A wish for a rematch does nothing
    # to a match that is not over.)
    troubled = None
    while troubled is None:
        for browser in (first, second):
            if not browser.pending:
                browser.say("rematch")
        await asyncio.sleep(0.1)
        troubled = next((b for b in (first, second) for m in b.of("refused") if m["code"] == "trouble"), None)
        assert time.monotonic() - away < within(12)
    await asyncio.sleep(max(0, away + 5 - time.monotonic()))
    cluster.valkey.start()
    back = time.monotonic()
    for browser in (first, second):
        browser.pending.clear()
    await play_some((first, second), 12)
    print(f"play went on after {time.monotonic() - back:.1f} s")
    assert time.monotonic() - back < within(15)
    assert all(browser.is_connected for browser in (first, second, watcher))
    await agree(first, second, watcher)
    log = cluster.log(match)
    assert log == list(range(1, len(log) + 1))
    for browser in (first, second, watcher):
        assert browser.seen == sorted(browser.seen)

    # And with all keys flushed: there is nothing in there that play needs.
    with redis.Redis.from_url(cluster.valkey.url) as client:
        client.flushall()
        # Channels' groups and channels are subscriptions: they leave no keys behind (B10).
        assert client.dbsize() == 0
    await play_some((first, second), 12)
    await agree(first, second, watcher)


async def test_database_restarted(cluster: Cluster, sites: list[Site]) -> None:
    """After a time without the database all servers look dead. None takes the others' matches for that."""
    one, two, _ = sites
    match = cluster.match()
    first = await Browser(match.slug, match.cookies[0]).open(one)
    second = await Browser(match.slug, match.cookies[1]).open(two)
    await play_some((first, second), 12)
    owner = cluster.ask("SELECT owner_id FROM games_match WHERE id = %s", match.pk)
    cluster.postgres.kill()
    await asyncio.sleep(4)
    cluster.postgres.start()
    back = time.monotonic()
    for browser in (first, second):
        browser.pending.clear()
    await play_some((first, second), 12)
    print(f"play went on after {time.monotonic() - back:.1f} s")
    assert all(browser.is_connected for browser in (first, second))
    await agree(first, second)
    log = cluster.log(match)
    assert log == list(range(1, len(log) + 1))
    assert cluster.ask("SELECT owner_id FROM games_match WHERE id = %s", match.pk) == owner
