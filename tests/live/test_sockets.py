"""Real sockets to a real server in a process of its own."""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from games.live import origin
from games.rules.setup import Setup
from games.rules.state import Phase
from tests.live.support import Client, moves
from tests.site_process import Site, manage

MATCHES = "import json; from tests.scale import matches; print(json.dumps(matches.make({count}, {state!r})))"


_made: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}


def make_matches(site: Site, count: int = 1, state: str = "live") -> list[tuple[str, list[str]]]:
    """Matches in the site's database: slug, and the session cookies of the two players."""
    stock = _made.setdefault((site.url, state), [])
    if len(stock) < count:
        said = manage(site.var, "shell", "-v0", "-c", MATCHES.format(count=20, state=state)).stdout
        stock += [(slug, cookies) for slug, cookies in json.loads(said.splitlines()[-1])]
    return [stock.pop() for _ in range(count)]


def stored(site: Site, slug: str) -> list[dict[str, Any]]:
    """The log of a match, numbered from 1 without a gap."""
    code = (
        "import json; from games.models import Event; print(json.dumps(list("
        f"Event.objects.filter(match__slug={slug!r}).order_by('seq').values('seq', 'kind', 'command'))))"
    )
    rows: list[dict[str, Any]] = json.loads(manage(site.var, "shell", "-v0", "-c", code).stdout.splitlines()[-1])
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    return rows


OPEN: "list[Page]" = []


class Page(Client):
    """A browser's page: the same as a sink in the table's own process, with a wire in between."""

    def __init__(self, socket: ClientConnection, seat: int | None) -> None:
        super().__init__(None, seat)
        self.socket = socket
        self.status: int | None = None
        self._tasks = {asyncio.create_task(self._read())}
        OPEN.append(self)

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                assert isinstance(frame, str)
                self.send(frame)
                if self.messages[-1]["t"] == "ping":
                    await self.socket.send(json.dumps({"t": "pong", "n": self.messages[-1]["n"]}))
        except websockets.ConnectionClosed:
            pass
        self.status = self.socket.close_code
        self.close("gone", "")

    def raw(self, text: str) -> None:
        task = asyncio.create_task(self._write(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, text: str | bytes) -> None:
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            return


async def visit(
    site: Site,
    slug: str,
    cookie: str | None = None,
    seat: int | None = None,
    visitor: str | None = None,
    **options: Any,
) -> Page:
    cookies = {"sessionid": cookie, "visitor": visitor}
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items() if value)}
    options.setdefault("origin", site.url)
    socket = await websockets.connect(
        f"ws://127.0.0.1:{site.port}/ws/match/{slug}/", additional_headers=headers, max_size=None, **options
    )
    return Page(socket, seat)


@pytest.fixture(autouse=True)
async def hang_up() -> AsyncIterator[None]:
    """Close what a test has opened."""
    yield
    while OPEN:
        page = OPEN.pop()
        await page.socket.close()
        await page.until(lambda page=page: page.closed)


async def sit(site: Site, slug: str, cookies: list[str]) -> tuple[Page, Page]:
    one, two = await visit(site, slug, cookies[0], 0), await visit(site, slug, cookies[1], 1)
    for page in (one, two):
        assert (await page.message("state"))["you"] == page.seat
    return one, two


SPIT = Setup("spit")


async def play_some(pages: tuple[Page, Page], enough: Callable[[], bool]) -> None:
    """Both players do what they see that they can, until it is enough."""
    while not enough():
        for page in pages:
            state = page.state(SPIT)
            seat = page.seat or 0
            status = state.status
            name = None
            match status.phase:
                case Phase.READY | Phase.STUCK if not status.ready[seat]:
                    name = page.say("ready" if status.phase is Phase.READY else "spit")
                case Phase.PLAYING if possible := moves(state, seat):
                    command = possible[0]
                    name = page.say(type(command).__name__.lower(), card=command.card, to=command.to)
                case Phase.SLAP:
                    name = page.say("slap", pile=f"centre.{seat}")
                case _:
                    await asyncio.sleep(0.02)
            if name is not None:
                await page.until(lambda page=page, name=name: page.answer(name) or page.closed)  # type: ignore[misc]
            if page.closed:
                return


async def test_two_play_and_others_come_and_go(site: Site) -> None:
    """Whoever comes in is at the server's number at once, without a gap and nothing twice."""
    ((slug, cookies),) = make_matches(site)
    pages = await sit(site, slug, cookies)
    watchers: list[Page] = []

    async def come_and_go() -> None:
        for _ in range(25):
            watcher = await visit(site, slug)
            watchers.append(watcher)
            await watcher.message("state")
            await asyncio.sleep(0.02)
            if len(watchers) % 2:
                await watcher.socket.close()

    coming = asyncio.create_task(come_and_go())
    await play_some(pages, lambda: coming.done() and len(pages[0].events) > 60)
    await coming
    rows = stored(site, slug)
    for page in (*pages, *(watcher for watcher in watchers if watcher.closed is None)):
        await page.until(lambda page=page: page.state(SPIT).seq >= rows[-1]["seq"])  # type: ignore[misc]
    for watcher in watchers:
        assert watcher.state(SPIT)
        assert watcher.messages[0]["you"] is None
    pages[0].say("resign")
    await pages[1].event("ended")


async def test_who_watches_with_a_delay_is_heard_and_leaves(site: Site) -> None:
    """They sit in the stands: what they send is read there, and there they are missed when they go."""
    ((slug, cookies),) = make_matches(site)
    delay = f"from games.models import Match; Match.objects.filter(slug={slug!r}).update(delay=3)"
    manage(site.var, "shell", "-v0", "-c", delay)
    one, _ = await sit(site, slug, cookies)
    watcher = await visit(site, slug)
    await watcher.message("state", you=None)
    watcher.raw('{"t":"listen"}')
    assert (await watcher.message("chat"))["may"] == "sign_in"
    assert (await watcher.message("refused", id=watcher.say("ready", round=1)))["code"] == "not_seated"
    await one.message("presence", watchers=1)
    await watcher.socket.close()
    await one.until(lambda: one.of("presence")[-1]["watchers"] == 0)


async def test_after_kill_9_the_match_goes_on_where_it_was(start_site: Callable[..., Site]) -> None:
    site = start_site()
    ((slug, cookies),) = make_matches(site)
    pages = await sit(site, slug, cookies)
    await play_some(pages, lambda: len(pages[0].events) > 15)
    # In the middle of everything: commands are on their way.
    playing = asyncio.create_task(play_some(pages, lambda: False))
    await pages[0].until(lambda: len(pages[0].events) > 25)
    site.kill()
    await playing
    shown = max(page.state(SPIT).seq for page in pages)
    own = {e["command"]: m["seq"] + i for p in pages for m in p.of("events") for i, e in enumerate(m["events"])
           if "command" in e}  # fmt: skip

    site = start_site()
    rows = stored(site, slug)
    assert rows[-1]["seq"] >= shown
    for command, seq in own.items():
        assert rows[seq - 1]["command"] == command
    assert len({row["command"] for row in rows if row["command"]}) == len([row for row in rows if row["command"]])

    again = await sit(site, slug, cookies)
    assert again[0].state(SPIT).seq >= shown
    # The same intent, sent again because nobody knows whether it arrived: it is not done twice.
    command, seq = next(iter(own.items()))
    for page in again:
        page.say("ready", command)
    await again[0].until(lambda: any(message.get("seq") == seq for page in again for message in page.of("ack")))
    before = len(again[0].events)
    await play_some(again, lambda: len(again[0].events) > before + 10)
    again[1].say("resign")
    assert (await again[0].event("ended"))["status"]["result"] == {"winner": 0, "cause": "resigned"}
    assert "Traceback" not in site.output


async def test_told_to_stop_the_server_says_so(start_site: Callable[..., Site]) -> None:
    site = start_site()
    ((slug, cookies),) = make_matches(site)
    pages = await sit(site, slug, cookies)
    name = pages[0].say("ready")
    await pages[0].until(lambda: pages[0].answer(name))
    assert await asyncio.to_thread(site.stop) == 0
    await pages[0].until(lambda: pages[0].closed)
    assert pages[0].status == 1012
    assert pages[0].of("closing")[0]["code"] == "restart"
    assert stored(site, slug)[-1]["command"] == name


class TestWhoMayConnect:
    @pytest.mark.parametrize(
        ("origin", "reason"),
        [
            ("http://evil.example", "foreign origin"),
            ("http://127.0.0.1:1", "foreign origin"),
            ("http://127.0.0.1", "foreign origin"),
            ("null", "origin not understood"),
            ("https://127.0.0.1.evil.example", "foreign origin"),
            (None, "no origin"),
        ],
    )
    async def test_b27_foreign_origins_are_refused(self, site: Site, origin: str | None, reason: str) -> None:
        """Another host, another port, a null origin and none, all with the player's own cookie; the log says why."""
        ((slug, cookies),) = make_matches(site)
        with pytest.raises(websockets.InvalidStatus) as refused:
            await visit(site, slug, cookies[0], origin=origin)
        assert refused.value.response.status_code == 403
        # Its output is read in a thread.
        await asyncio.to_thread(site.wait_for, f'"match": "{slug}"')
        (line,) = (line for line in site.lines if f'"match": "{slug}"' in line)
        said = json.loads(line)
        assert (said["level"], said["message"]) == ("warning", f"socket refused: {reason}")
        assert said["origin"] == (origin or "")

    @pytest.mark.parametrize("path", ["/", "/ws/", "/ws/match/", "/admin/", "/ws/match/%00/"])
    async def test_addresses_that_are_none_are_refused_without_a_traceback(self, site: Site, path: str) -> None:
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://127.0.0.1:{site.port}{path}", origin=site.url)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403
        assert "Traceback" not in site.output

    @pytest.mark.parametrize("host", ["localhost:99999999", "[", "evil.example", ""])
    def test_hosts_that_are_none_are_refused(self, host: str) -> None:
        headers = [(b"origin", b"http://localhost"), (b"host", host.encode())]
        assert origin.fault({"scheme": "ws", "headers": headers}) == "host not allowed"

    def test_the_scheme_counts_as_a_proxy_says_it(self, settings: Any) -> None:
        headers = [(b"host", b"localhost"), (b"x-forwarded-proto", b"https")]
        plain, secure = [(b"origin", b"http://localhost")], [(b"origin", b"https://localhost")]
        assert origin.fault({"scheme": "ws", "headers": headers + plain}) is None
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        assert origin.fault({"scheme": "ws", "headers": headers + secure}) is None
        assert origin.fault({"scheme": "ws", "headers": headers + plain}) == "foreign origin"

    async def test_own_names_and_trusted_origins_work(self, start_site: Callable[..., Site]) -> None:
        site = start_site(CSRF_TRUSTED_ORIGINS="https://play.example:8443")
        ((slug, cookies),) = make_matches(site)
        assert (await (await visit(site, slug, cookies[0], origin="https://play.example:8443")).message("state"))[
            "you"
        ] == 0
        with pytest.raises(websockets.InvalidStatus):
            await visit(site, slug, cookies[0], origin="http://play.example:8443")
        host = f"localhost:{site.port}"
        socket = await websockets.connect(f"ws://{host}/ws/match/{slug}/", origin=f"http://{host}")  # type: ignore[arg-type]
        assert json.loads(await socket.recv())["you"] is None
        await socket.close()

    async def test_without_a_session_one_watches(self, site: Site) -> None:
        ((slug, _),) = make_matches(site)
        watcher = await visit(site, slug)
        assert (await watcher.message("state"))["you"] is None
        stale = await visit(site, slug, "nosuchsession")
        assert (await stale.message("state"))["you"] is None
        watcher.say("ready", "w")
        assert (await watcher.message("refused"))["code"] == "not_seated"

    async def test_a_player_of_another_match_watches(self, site: Site) -> None:
        (one, two) = make_matches(site, 2)
        page = await visit(site, one[0], two[1][0])
        assert (await page.message("state"))["you"] is None

    async def test_no_such_match(self, site: Site) -> None:
        page = await visit(site, "zzzzzzzz")
        assert (await page.message("closing"))["code"] == "no_such_match"
        await page.until(lambda: page.closed)
        assert page.status == 4404


class TestBadFrames:
    async def test_binary_and_broken(self, site: Site) -> None:
        ((slug, cookies),) = make_matches(site)
        page, other = await sit(site, slug, cookies)
        for frame in (b"\x00\xff", '{"t":"ready"', "[]", '{"t":"ready","id":1,"round":1}'):
            await page.socket.send(frame)
        await page.until(lambda: len(page.of("refused")) == 4)
        assert {message["code"] for message in page.of("refused")} == {"bad_message"}
        await page.socket.send('{"t":"play","id":"long","round":1,"card":"' + "x" * 5000 + '","to":"centre.0"}')
        assert (await page.message("closing"))["code"] == "bad_message"
        await page.until(lambda: page.closed)
        assert page.status == 4400
        # The seat is away now, as both see; it comes back as if nothing had been.
        await other.until(lambda: other.of("presence") and not other.of("presence")[-1]["seats"][0]["here"])
        back = await visit(site, slug, cookies[0], 0)
        assert (await back.message("state"))["you"] == 0

    async def test_a_huge_frame_is_not_read(self, site: Site) -> None:
        ((slug, cookies),) = make_matches(site)
        page, _ = await sit(site, slug, cookies)
        await page._write("x" * 1_000_000)
        await page.until(lambda: page.closed)
        assert page.status == 1009


async def test_who_waits_is_sent_the_state_once_the_other_sits_down(site: Site) -> None:
    ((slug, cookies),) = make_matches(site, state="open")
    host = await visit(site, slug, cookies[0], 0)
    stranger = await visit(site, slug)
    for page in (host, stranger):
        await page.message("waiting")
    host.say("ready", "early", round=1)
    assert (await host.message("refused"))["code"] == "not_now"
    assert await asyncio.to_thread(_join, site, slug, cookies[1]) in (200, 302)
    assert (await host.message("state"))["you"] == 0
    assert (await stranger.message("state"))["you"] is None


def _join(site: Site, slug: str, cookie: str) -> int:
    """Sit down as the page's form does."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
        connection.request("GET", f"/match/{slug}/", headers={"Cookie": f"sessionid={cookie}"})
        response = connection.getresponse()
        response.read()
        token = next(
            value.partition("=")[2].partition(";")[0]
            for name, value in response.getheaders()
            if name.lower() == "set-cookie" and value.startswith("csrftoken=")
        )
        connection.request(
            "POST",
            f"/match/{slug}/join/",
            headers={"Cookie": f"sessionid={cookie}; csrftoken={token}", "X-CSRFToken": token, "Origin": site.url},
        )
        response = connection.getresponse()
        response.read()
        return response.status
