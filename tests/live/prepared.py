"""Matches in a server's database that stand at a certain moment; run there by `manage.py shell`."""

from itertools import chain, zip_longest

from django.contrib.auth import get_user_model

from games.models import Match
from games.rules.commands import Spit
from games.rules.evolve import fold
from games.rules.log import decode_event
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import SEATS, Phase
from games.verification import verify
from tests.factories import Played, Player, store_match
from tests.scale.matches import sessions

HIDDEN = {"speed": ("side.0", "side.1"), "spit": ("0.spit", "1.spit")}
"""The places whose cards come up one after the other, from their tops."""


def before_a_reshuffle() -> Played:
    """A match of Speed with no side cards left: the next turn gathers and shuffles (P4)."""
    player = _in_mid_round("speed")
    while any(player.state.places[name] for name in HIDDEN["speed"]):
        before = len(player.events)
        for seat in SEATS:
            player.do(Spit(player.state.status.round), seat, 100)
        assert len(player.events) > before
    assert player.state.status.phase in (Phase.PLAYING, Phase.STUCK)
    return player.played()


def in_mid_round() -> Played:
    """A match of Spit with cards played and many still to be turned."""
    return _in_mid_round("spit").played()


def _in_mid_round(game: str) -> Player:
    player = Player(Setup(game), seed=1)
    while player.state.status.phase is not Phase.PLAYING or sum(player.state.played) < 4:
        player.step()
    return player


def make(game: str) -> tuple[str, list[str]]:
    """Such a match, rated: its slug and the session cookies of its seats."""
    users = get_user_model()
    people = [users.objects.create_user(f"{game}{number}") for number in (0, 1)]
    match = store_match(before_a_reshuffle() if game == "speed" else in_mid_round(), *people)
    return match.slug, sessions(people)


def hidden(slug: str) -> list[str]:
    """The cards to come, in the order in which they are turned: one of each side at a time."""
    match = Match.objects.get(slug=slug)
    log = [decode_event(body) for body in match.events.order_by("seq").values_list("body", flat=True)]
    state = fold(book_of(match.game).start(match.setup), log)
    piles = [reversed(state.places[name]) for name in HIDDEN[match.game]]
    return [card.removeprefix("-") for card in chain.from_iterable(zip_longest(*piles)) if card is not None]


def faults(slug: str) -> list[str]:
    """What is wrong with the log when it is judged again."""
    return [str(fault) for fault in verify(Match.objects.get(slug=slug)).faults]
