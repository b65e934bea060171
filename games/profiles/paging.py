"""Lists that go on at the last one shown: however long they are, each page is found at once."""

from urllib.parse import urlencode

from django.http import HttpRequest

HERE = "matches"
"""The part of a page with the list."""


def before_of(request: HttpRequest) -> int | None:
    """The `Outcome.end` that the page asked for begins behind; None: it is the first page."""
    return number(request.GET.get("before"))


def number(text: str | None) -> int | None:
    """A number from an address; what is none is as if it was not there."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 18:
        return None
    return int(text)


def same(request: HttpRequest, before: int | None) -> str:
    """The address of another page of the same list."""
    query = {key: value for key, value in request.GET.items() if key != "before" and value}
    if before is not None:
        query["before"] = str(before)
    return f"?{urlencode(query)}#{HERE}" if query else f"{request.path}#{HERE}"
