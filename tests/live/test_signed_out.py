"""B28: an open socket does not outlive the sign-in that it was opened with. Real tabs at a real server."""

import asyncio
import http.cookiejar
import json
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.live import support
from tests.live.test_sockets import Page, visit
from tests.live.test_sockets import hang_up as hang_up
from tests.patience import within
from tests.site_process import Site, manage

PASSWORD = "correct horse battery"
MAKE = f"""
import json, secrets
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from games.models import Match, Seat
from spitsite.accounts.models import User
password = make_password({PASSWORD!r})
User.objects.get_or_create(username="boss", defaults=dict(password=password, is_staff=True, is_superuser=True))
group = secrets.token_hex(4)
made = []
for nth in range(4):
    match = Match.objects.create(game="spit", state=Match.State.LIVE, started_at=timezone.now())
    people = [User.objects.create(username=f"p{{group}}-{{nth}}-{{seat}}", password=password) for seat in (0, 1)]
    Seat.objects.bulk_create(Seat(match=match, number=number, user=user) for number, user in enumerate(people))
    made.append([match.slug, [[user.pk, user.username] for user in people]])
print(json.dumps(made))
"""
Made = tuple[str, list[tuple[int, str]]]


@pytest.fixture
def matches(site: Site) -> list[Made]:
    """Live matches between people who sign in with `PASSWORD`, new for each test: if nobody comes, they end."""
    made: list[Made] = json.loads(manage(site.var, "shell", "-v0", "-c", MAKE).stdout.splitlines()[-1])
    return made


class Tab:
    """A browser's tab, as far as forms and cookies go."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def cookie(self, name: str) -> str:
        return next(str(cookie.value) for cookie in self.jar if cookie.name == name)

    def post(self, path: str, **fields: str) -> str:
        """Fill in the form of a page and send it; the page that follows."""
        with self._opener.open(self.site.url + path, timeout=60) as page:
            page.read()
        data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": self.cookie("csrftoken")}).encode()
        with self._opener.open(self.site.url + path, data, timeout=60) as page:
            text: str = page.read().decode()
        return text

    def sign_in(self, name: str, password: str = PASSWORD) -> str:
        """The cookie of the session."""
        self.post("/accounts/login/", login=name, password=password)
        return self.cookie("sessionid")


def sign_out(tab: Tab, _who: tuple[int, str]) -> None:
    tab.post("/accounts/logout/")


def change_password(tab: Tab, _who: tuple[int, str]) -> None:
    new = f"{PASSWORD} 2"
    tab.post("/accounts/password/change/", oldpassword=PASSWORD, password1=new, password2=new)


def be_signed_out_from_elsewhere(tab: Tab, who: tuple[int, str]) -> None:
    other = Tab(tab.site)
    other.sign_in(who[1])
    other.post("/accounts/sessions/")


def be_deactivated(tab: Tab, who: tuple[int, str]) -> None:
    boss = Tab(tab.site)
    boss.sign_in("boss")
    assert "was changed successfully" in boss.post(f"/admin/accounts/user/{who[0]}/change/", username=who[1])


def be_deleted(tab: Tab, who: tuple[int, str]) -> None:
    boss = Tab(tab.site)
    boss.sign_in("boss")
    assert "was deleted successfully" in boss.post(f"/admin/accounts/user/{who[0]}/delete/", post="yes")


async def seated(site: Site, made: Made) -> tuple[Page, Page, Tab]:
    """Both players at the table, and the tab in which the first one signed in."""
    slug, (one, two) = made
    tab = Tab(site)
    pages = []
    for seat, (who, at) in enumerate(((one, tab), (two, Tab(site)))):
        page = await visit(site, slug, await asyncio.to_thread(at.sign_in, who[1]), seat)
        assert (await page.message("state"))["you"] == seat
        pages.append(page)
    await pages[1].until(lambda: here(pages[1]) == [True, True])
    return pages[0], pages[1], tab


def seats_of(page: Page) -> list[dict[str, Any]]:
    """Who is there, as the page was told last: with a state, or by itself."""
    told = [message.get("presence", message) for message in page.messages if message["t"] in ("state", "presence")]
    seats: list[dict[str, Any]] = told[-1]["seats"]
    return seats


def here(page: Page) -> list[bool]:
    """Which seats are there."""
    return [seat["here"] for seat in seats_of(page)]


async def sent_away(page: Page, other: Page, comes_back: bool = True) -> None:
    """The page was told why and is closed; to the other one it is an absence like any, if whoever it is can come back.

    Else the match is over (B29).
    """
    assert (await page.message("closing"))["code"] == "signed_out"
    await page.until(lambda: page.closed)
    assert page.status == 4401
    if not comes_back:
        # No card was played.
        assert (await other.event("ended"))["status"]["result"] == {"winner": None, "cause": "aborted"}
        return
    await other.until(lambda: here(other) == [False, True])
    await other.until(lambda: seats_of(other)[0]["away_due"] is not None)
    assert not [event for event in other.events if event["kind"] == "ended"]


def delete_oneself(tab: Tab, _who: tuple[int, str]) -> None:
    assert "/accounts/delete/" not in tab.post("/accounts/delete/", password=PASSWORD)


async def test_b29_who_is_deleted_in_mid_match_has_no_name_there_and_loses_by_the_rules(
    site: Site, matches: list[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "WAIT", 60.0)
    slug, (who, _) = matches[0]
    page, other, tab = await seated(site, matches[0])
    assert who[1] in str(other.of("state")[-1])
    await asyncio.to_thread(delete_oneself, tab, who)
    await sent_away(page, other, comes_back=False)
    await other.until(lambda: "deleted player" in str(other.of("state")[-1]))
    assert who[1] not in str(other.of("state")[-1])
    await other.until(lambda: [event for event in other.events if event["kind"] == "ended"])
    watcher = await visit(site, slug)
    state = await watcher.message("state")
    assert who[1] not in str(state)


@pytest.mark.parametrize(
    ("how", "password"),
    [
        (sign_out, PASSWORD),
        (change_password, f"{PASSWORD} 2"),
        (be_deactivated, None),
        (be_deleted, None),
        (be_signed_out_from_elsewhere, PASSWORD),
    ],
)
async def test_b28_a_sign_in_that_ends_takes_the_seat_along(
    site: Site, matches: list[Made], how: Callable[[Tab, tuple[int, str]], None], password: str | None
) -> None:
    """In another tab A signs out or changes the password, or an administrator deactivates or deletes A."""
    slug, (who, _) = matches[0]
    page, other, tab = await seated(site, matches[0])
    was = tab.cookie("sessionid")
    await asyncio.to_thread(how, tab, who)
    await sent_away(page, other, comes_back=how is not be_deleted)
    # What the old cookie opens is a watcher's socket.
    assert (await (await visit(site, slug, was)).message("state"))["you"] is None
    if password is not None:
        again = await visit(site, slug, await asyncio.to_thread(Tab(site).sign_in, who[1], password), 0)
        assert (await again.message("state"))["you"] == 0
        await other.until(lambda: here(other) == [True, True])


async def test_b28_what_another_process_did_is_found_within_30_seconds(
    site: Site, matches: list[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also past Django's signals: rows changed in one go, a session that lapses."""
    monkeypatch.setattr(support, "WAIT", within(30.0))
    tables = [await seated(site, made) for made in matches]
    gone, deactivated = (matches[nth][1][0][0] for nth in (0, 1))
    session = tables[2][2].cookie("sessionid")
    code = (
        "from django.contrib.sessions.models import Session; from spitsite.accounts.models import User;"
        f"User.objects.filter(pk={gone}).delete(); User.objects.filter(pk={deactivated}).update(is_active=False);"
        f"Session.objects.filter(pk={session!r}).update(expire_date='2020-01-01T00:00:00Z')"
    )
    await asyncio.to_thread(manage, site.var, "shell", "-v0", "-c", code)
    for page, other, _ in tables[:3]:
        await sent_away(page, other)
    page, other, _ = tables[3]
    assert here(other) == [True, True]
    assert page.closed is None
