"""Live matches for the load: written straight to the database, with signed-in players."""

import secrets
from datetime import timedelta

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from games.models import Match, Seat

LENGTH = 999
"""Games of a match (M1), more than anyone chooses: every match is played for as long as it is measured."""


def make(count: int, state: str = Match.State.LIVE) -> list[tuple[str, tuple[str, str]]]:
    """So many matches: the slug and the two players' session cookies. At an open one only the first is seated."""
    store = SessionStore()
    users = get_user_model()
    with transaction.atomic():
        people = [users(username=f"load{secrets.token_hex(6)}", password="!", is_guest=True) for _ in range(2 * count)]
        people = users.objects.bulk_create(people)
        matches = Match.objects.bulk_create(
            Match(game="spit", options={"best_of": LENGTH}, state=state, started_at=timezone.now())
            for _ in range(count)
        )
        Seat.objects.bulk_create(
            Seat(match=matches[index // 2], number=index % 2, user=person)
            for index, person in enumerate(people)
            if index % 2 == 0 or state != Match.State.OPEN
        )
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
    return [(match.slug, (keys[2 * index], keys[2 * index + 1])) for index, match in enumerate(matches)]
