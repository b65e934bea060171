"""Visitors who are not signed in, told apart so that watchers can be counted (B09).

A browser that opens a match is given a cookie with a random name, which lasts as long as the browser does. Not a
session: that would be a row in the database for every program that looks at a page.
"""

import re
from collections.abc import Mapping
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

COOKIE: Final = "visitor"


def name(request: HttpRequest, response: HttpResponse) -> None:
    """Give whoever gets this page, which opens a socket, a name, if there is none yet."""
    if request.method == "GET" and not request.user.is_authenticated and name_in(request.COOKIES) is None:
        response.set_cookie(COOKIE, get_random_string(16), httponly=True, samesite="Lax", secure=request.is_secure())


def name_in(cookies: Mapping[str, str]) -> str | None:
    """The name that a browser sends, None without one."""
    sent = cookies.get(COOKIE, "")
    return sent if re.fullmatch(r"[A-Za-z0-9]{16}", sent) else None
