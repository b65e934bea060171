"""Plain HTTP, as a client sends it."""

import http.client
import ssl
import urllib.parse
from http.cookies import SimpleCookie
from typing import NamedTuple


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """Names in lower case."""
    text: str


def ask(
    url: str, method: str = "GET", body: dict[str, str] | None = None, source: str | None = None, **headers: str
) -> Answer:
    """One request on a connection of its own; `_` in the names of headers stands for `-`. Follows no redirect.

    Any name is taken to be this machine's, and any certificate for good. `source`: the address to come from.
    """
    parts = urllib.parse.urlsplit(url)
    come_from = (source, 0) if source else None
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            "127.0.0.1", parts.port, timeout=20, source_address=come_from, context=context
        )
    else:
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=20, source_address=come_from)
    sent = {"Host": parts.netloc, **{name.replace("_", "-"): value for name, value in headers.items()}}
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

    def __init__(self, url: str, source: str | None = None, **headers: str) -> None:
        self.url = url
        self.source = source
        self.headers = headers
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, method: str = "GET", body: dict[str, str] | None = None) -> Answer:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = ask(self.url + path, method, body, self.source, Cookie=cookie, Referer=self.url + path, **self.headers)
        for name, morsel in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = morsel.value
        return answer

    def sign_in(self, name: str, password: str) -> Answer:
        """302: signed in; 200: not, with the reason on the page."""
        self.ask("/accounts/login/")
        token = next(value for name, value in self.cookies.items() if name.endswith("csrftoken"))
        form = {"login": name, "password": password, "csrfmiddlewaretoken": token}
        return self.ask("/accounts/login/", "POST", form)
