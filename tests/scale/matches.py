"""Live matches for the load: written straight to the database, with signed-in players."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle
from typing import Any, NamedTuple

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from games.models import Match, Seat
from games.rules.registry import BOOKS
from games.rules.setup import Setup

LENGTH = 999
"""Games of a match (M1), more than anyone chooses: every match is played for as long as it is measured."""


class Made(NamedTuple):
    """A match, and the session cookies of its seats; None for the computer."""

    slug: str
    setup: Setup
    cookies: tuple[str, str | None]


def make(count: int, state: str = Match.State.LIVE) -> list[tuple[str, tuple[str, str]]]:
    """So many matches: the slug and the two players' session cookies. At an open one only the first is seated."""
    with transaction.atomic():
        people, keys = _people(2 * count, is_guest=True)
        now = timezone.now()
        options = {"best_of": LENGTH}
        matches = Match.objects.bulk_create(
            Match(game="spit", options=options, state=state, started_at=now) for _ in range(count)
        )
        Seat.objects.bulk_create(
            Seat(match=matches[index // 2], number=index % 2, user=person)
            for index, person in enumerate(people)
            if index % 2 == 0 or state != Match.State.OPEN
        )
    return [(match.slug, (keys[2 * index], keys[2 * index + 1])) for index, match in enumerate(matches)]


def make_mixed(count: int, bot: str = "jack") -> list[Made]:
    """So many matches of one game each, of all games: four in five rated, one in five against the computer."""
    games = cycle(BOOKS)
    made = []
    with transaction.atomic():
        people, keys = _people(2 * count, is_guest=False)
        for index in range(count):
            with_bot = index % 5 == 4
            match = Match.objects.create(
                game=next(games), state=Match.State.LIVE, started_at=timezone.now(), rated=not with_bot
            )
            first, second = people[2 * index], people[2 * index + 1]
            Seat.objects.create(match=match, number=0, user=first)
            Seat.objects.create(match=match, number=1, user=None if with_bot else second, bot=bot if with_bot else "")
            cookies = (keys[2 * index], None if with_bot else keys[2 * index + 1])
            made.append(Made(match.slug, match.setup, cookies))
    return made


def _people(count: int, *, is_guest: bool) -> tuple[Sequence[Any], list[str]]:
    """New people, and the keys of their sessions."""
    users = get_user_model()
    people = users.objects.bulk_create(
        users(username=f"load{secrets.token_hex(6)}", password="!", is_guest=is_guest) for _ in range(count)
    )
    return people, sessions(people)


def sessions(people: Sequence[Any]) -> list[str]:
    """The keys of new sessions of these people."""
    store = SessionStore()
    keys = [secrets.token_hex(16) for _ in people]
    Session.objects.bulk_create(
        Session(
            session_key=key,
            session_data=store.encode(
                {
                    SESSION_KEY: str(person.pk),
                    BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
                    HASH_SESSION_KEY: person.get_session_auth_hash(),
                }
            ),
            expire_date=timezone.now() + timedelta(days=1),
        )
        for person, key in zip(people, keys, strict=True)
    )
    return keys
