"""Who signs in with name or address and password."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest


class Backend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's, which looks at an address once: twice would take longer where there is an account, and tell so."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        if credentials.get("email"):
            credentials.pop("username", None)
        return super().authenticate(request, **credentials)
