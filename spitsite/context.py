"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.moderation import notices, standing
from spitsite.accounts.preferences.services import for_request


def site(request: HttpRequest) -> dict[str, object]:
    return {"site_name": settings.SITE_NAME}


def preferences(request: HttpRequest) -> dict[str, object]:
    """What whoever asks has chosen."""
    return {"preferences": SimpleLazyObject(lambda: for_request(request))}


def words_of_the_house(request: HttpRequest) -> dict[str, object]:
    """What whoever looks after the site has to say: to everybody, and to whoever asks.

    Each is looked up only by pages that show it.
    """
    return {
        "notice": SimpleLazyObject(notices.current),
        "own_word": SimpleLazyObject(lambda: standing.word_for(request.user)),
    }
