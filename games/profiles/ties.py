"""The page of whom one follows and blocks: reads only."""

from typing import Any

from django.contrib.auth import get_user_model

from games import ties
from games.lobby.selectors import public_live
from games.models import Block, Follow

UNDOABLE = ("follow", "unfollow", "block", "unblock")


def relations_of(user: Any, undo: str) -> dict[str, Any]:
    """What the page shows.

    :param undo: "unfollow:Bob", what would take the last step back; anything else is ignored.
    """
    followed = list(Follow.objects.filter(follower=user).select_related("followed").order_by("followed__username"))
    ids = [follow.followed_id for follow in followed]
    shown = set(ids) - ties.hidden_ids(ids)
    live = public_live(shown) if shown else []
    playing = {seat.user_id: match for match in reversed(live) for seat in match.seats.all() if seat.user_id in shown}
    rows = [{"person": one.followed, "match": playing.get(one.followed_id), "since": one.since} for one in followed]
    rows.sort(key=lambda row: row["match"] is None)
    verb, _colon, name = undo.partition(":")
    person = None
    if verb in UNDOABLE and name and "\0" not in name:
        person = get_user_model().objects.filter(username=name).first()
    return {
        "followed": rows,
        "blocked": Block.objects.filter(blocker=user).select_related("blocked").order_by("blocked__username"),
        "undo": None if person is None else {"verb": verb, "person": person},
    }
