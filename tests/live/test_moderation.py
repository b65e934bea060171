"""A ban ends what somebody plays at that moment, however they hear of it; they stay signed in."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.live.table import Table
from games.moderation.models import Banned
from tests.live import support
from tests.live.support import Client, House, begin
from tests.live.test_signed_out import Made, Tab, seated
from tests.live.test_signed_out import matches as matches
from tests.live.test_sockets import hang_up as hang_up
from tests.site_process import Site


async def ban(table: Table) -> None:
    """Without a word to anybody: it was lost, or said before there was this table."""
    await sync_to_async(Banned.objects.create)(user_id=table.match.seats[1].user_id, reason="for a test")


async def test_a_ban_that_was_told_before_there_was_a_table(house: House) -> None:
    """Between a process that dies, or hands a match over, and the next one."""
    table = await house.table()
    await begin(table)
    await ban(table)
    await house.restart()
    again = await house.supervisor.table(table.match.slug)
    await Client(again, 0).until(lambda: again.shown.is_over)
    (end,) = await house.ends(again)
    assert (end.cause, end.void) == ("aborted", True)


async def test_a_ban_of_which_the_word_was_lost(house: House) -> None:
    table, other = await house.table(), await house.table()
    players = await begin(table)
    await begin(other)
    await ban(table)
    assert not table.shown.is_over
    await house.supervisor.sweep()
    await players[0].until(lambda: table.shown.is_over)
    assert not other.shown.is_over


async def test_a_ban_ends_the_live_seat_by_the_rule_for_who_leaves(
    site: Site, matches: list[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "WAIT", 60.0)
    _slug, (who, _) = matches[0]
    page, other, tab = await seated(site, matches[0])
    boss = Tab(site)
    await asyncio.to_thread(boss.sign_in, "boss")
    case = f"/admin/moderation/report/person/{who[0]}/"
    await asyncio.to_thread(lambda: boss.post(case, kind="ban", length="1", reason="A program played."))
    # No card was played: else the seat would have lost by having left.
    for seen in (page, other):
        assert (await seen.event("ended"))["status"]["result"] == {"winner": None, "cause": "aborted"}
    # Still signed in, and told why.
    told = await asyncio.to_thread(tab.post, "/preferences/")
    assert "You are banned until" in told
