"""How many pages were asked for, and how long they took."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

METHODS: Final = frozenset(("GET", "HEAD", "POST", "OPTIONS"))
"""Others are counted together: anybody can think of more."""


class RequestFigures:
    """Counted since the process began, in the threads that make pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        """By the view's name (as in `urls.py`), method and class of status (`2xx`)."""
        self.seconds: defaultdict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
        """By the view's name: how many, and how long they took together."""

    def add(self, view: str, method: str, status: int, seconds: float) -> None:
        with self._lock:
            self.counts[view, method if method in METHODS else "other", f"{status // 100}xx"] += 1
            number, total = self.seconds[view]
            self.seconds[view] = (number + 1, total + seconds)


request_figures: Final = RequestFigures()
"""Of this process."""


class Requests:
    """Django's outermost middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        response = self.get_response(request)
        found = request.resolver_match
        # A static file has no view, nor has what is not found: neither may make up names.
        request_figures.add(
            found.view_name or "other" if found else "none",
            request.method or "",
            response.status_code,
            time.monotonic() - began,
        )
        return response
