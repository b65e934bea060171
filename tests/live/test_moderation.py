"""A ban ends what somebody plays at that moment, at a real server; they stay signed in."""

import asyncio

import pytest

from tests.live import support
from tests.live.test_signed_out import Made, Tab, seated
from tests.live.test_signed_out import matches as matches
from tests.live.test_sockets import hang_up as hang_up
from tests.site_process import Site


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
