"""Work for moderators, for the browser tests: somebody reported, somebody banned, and who is to look after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.models import ChatLine, Match
from games.moderation import measures, reports
from games.moderation.models import Kind, Measure
from replays.build import build
from spitsite.accounts.models import User
from tests.browser.stored_replays import CLASSIC
from tests.factories import make_user, moderators
from tests.scale.matches import sessions
from tests.site_process import manage


def fill() -> None:
    """Store it in the database of this process, and say who is who, as JSON."""
    # From a first try.
    User.objects.filter(username__in=("Mona", "Boris")).delete()
    match = Match.objects.get(slug=CLASSIC)
    build(match)
    marta = User.objects.get(username="Marta")
    moderator = make_user("Mona", is_staff=True)
    moderator.groups.add(moderators())
    banned = make_user("Boris")
    measures.decide(moderator, banned, Kind.WARN, "Be kind.")
    measures.decide(moderator, banned, Kind.MUTE, "You were warned.", 7)
    measures.decide(moderator, banned, Kind.BAN, "A program played.", 30)
    lines = [ChatLine.objects.create(match=match, user=marta, text=text) for text in ("hello", "bad words", "bye")]
    reports.report(banned, marta, "chat", "chat", match=match, line=lines[1])
    reports.report(banned, marta, "replay", "cheating", text="Nobody is as fast.", match=match, moment=5000)
    keys = sessions([moderator, banned])
    found = {"marta": marta.pk, "boris": banned.pk, "measure": Measure.objects.latest("pk").pk, "cookies": keys}
    print(json.dumps(found))


def fill_in_server(var: Path) -> dict[str, Any]:
    """Store it in the database of the server with that `var` directory; who is who."""
    code = "from tests.browser.stored_reports import fill; fill()"
    found: dict[str, Any] = json.loads(manage(var, "shell", "-v", "0", "-c", code).stdout.splitlines()[-1])
    return found
