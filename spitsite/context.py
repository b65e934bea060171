"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from spitsite.accounts.preferences.services import for_request


def site(request: HttpRequest) -> dict[str, object]:
    return {"site_name": settings.SITE_NAME}


def preferences(request: HttpRequest) -> dict[str, object]:
    """What whoever asks has chosen."""
    return {"preferences": SimpleLazyObject(lambda: for_request(request))}
