"""Plain HTTP, as a client sends it."""

import http.client
import urllib.parse
from http.cookies import SimpleCookie
from typing import NamedTuple


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """Names in lower case."""
    text: str


def ask(url: str, method: str = "GET", body: dict[str, str] | None = None, **headers: str) -> Answer:
    """One request on a connection of its own; `_` in the names of headers stands for `-`. Follows no redirect."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    encoded = None
    if body is not None:
        encoded = urllib.parse.urlencode(body)
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        connection.request(method, f"{parts.path or '/'}?{parts.query}".rstrip("?"), encoded, sent)
        answer = connection.getresponse()
        return Answer(
            answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
        )
    finally:
        connection.close()


class Browser:
    """Keeps its cookies, and signs in. `headers` go with every request."""

    def __init__(self, url: str, **headers: str) -> None:
        self.url = url
        self.headers = headers
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, method: str = "GET", body: dict[str, str] | None = None) -> Answer:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = ask(self.url + path, method, body, Cookie=cookie, Referer=self.url + path, **self.headers)
        for name, morsel in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = morsel.value
        return answer

    def sign_in(self, name: str, password: str) -> Answer:
        """302: signed in; 200: not, with the reason on the page."""
        self.ask("/accounts/login/")
        form = {"login": name, "password": password, "csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.ask("/accounts/login/", "POST", form)
