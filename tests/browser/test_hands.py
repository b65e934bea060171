"""Ways to play: keyboard alone, mouse, fingers on a narrow screen; a play that is taken back; a line that goes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.hands import Hands, Play, fits
from tests.browser.test_match import cards, play_on, wait_for_change
from tests.patience import within
from tests.site_process import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def against_computer(site: Site) -> Callable[[Page], Hands]:
    """Sits down at a table against the slowest computer."""

    def sit(page: Page) -> Hands:
        page.goto(site.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/match/**")
        hands = Hands(page)
        hands.wait_for_phase("ready")
        return hands

    return sit


def own_play(hands: Hands) -> tuple[dict[str, Any], Play]:
    """The table and a play onto a pile, as soon as there is one."""
    for _ in range(400):
        seen = hands.look()
        assert seen["phase"] != "over"
        for play in hands.plays(seen):
            if play.target.startswith("centre"):
                return seen, play
        if not hands.act(plays=False) and not (seen["phase"] == "stuck" and hands.act()):
            found = hands.plays(seen)
            if found:
                hands.key_play(seen, found[0])
            else:
                wait_for_change(hands, 500)
    raise AssertionError("never a play")


def left(hands: Hands, seat: int = 0) -> int:
    """The cards that the seat has yet to get rid of."""
    return int(hands.page.locator(f".board-seat[data-seat='{seat}'] .plate-left b").inner_text())


def put_one(hands: Hands, do: Callable[[dict[str, Any], Play], None]) -> None:
    """Get a card onto a pile in that way. The computer plays too and may be faster: then once more."""
    for _ in range(10):
        seen, play = own_play(hands)
        count = left(hands)
        do(seen, play)
        try:
            expect(hands.page.locator(".board-seat-below .plate-left b")).to_have_text(
                str(count - 1), timeout=within(2.5) * 1000
            )
        except AssertionError:
            assert hands.look()["seq"] > seen["seq"], "the table is as it was, and the card did not go"
        else:
            return
    raise AssertionError("never fast enough")


def test_every_way_with_the_mouse(people: Callable[..., Page], against_computer: Callable[[Page], Hands]) -> None:
    hands = against_computer(people())
    hands.page.get_by_role("button", name="Ready").click()
    for how in ("click", "drag", "click", "drag"):
        put_one(hands, getattr(hands, f"{how}_play"))
    # Taken up and put back: nothing is sent.
    seen, play = own_play(hands)
    place = hands.page.locator(f"[data-place='{play.source}']")
    x, y = (seen["places"][play.source][axis] for axis in "xy")
    hands.page.mouse.click(x, y)
    expect(place).to_have_class(re.compile("is-selected"))
    hands.page.mouse.click(x, y)
    expect(place).not_to_have_class(re.compile("is-selected"))


def test_a_mouse_that_is_held_presses_once(
    people: Callable[..., Page], against_computer: Callable[[Page], Hands]
) -> None:
    """Whoever presses slowly means one press: Ready, and not Spit as well when the button comes up."""
    page = people()
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda data: sent.append(json.loads(data)["t"])))
    hands = against_computer(page)
    spit = hands.look()["places"]["0.spit"]
    page.mouse.move(spit["x"], spit["y"])
    page.mouse.down()
    hands.wait_for_phase("playing", "stuck")
    page.mouse.up()
    # A press is shown in the next frame.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.locator(".board-seat-below .plate-badge")).to_be_hidden()
    assert [kind for kind in sent if kind != "pong"] == ["ready"]


def test_fingers_on_a_narrow_screen(people: Callable[..., Page], against_computer: Callable[[Page], Hands]) -> None:
    page = people(**PHONE)
    hands = against_computer(page)
    page.get_by_role("button", name="Ready").tap()
    for how in ("tap", "drag", "tap", "drag"):
        put_one(hands, hands.tap_play if how == "tap" else finger_drag(page))
    box = page.evaluate(
        """() => ({ wide: document.documentElement.scrollWidth, x: scrollX, y: scrollY, scale: visualViewport.scale,
                    reach: Math.min(...[...document.querySelectorAll("button.place")].map((place) =>
                      place.getBoundingClientRect().top)) / innerHeight })"""
    )
    assert box["wide"] <= 360
    assert (box["x"], box["y"], box["scale"]) == (0, 0, 1)
    assert box["reach"] > 1 / 3, "everything to press is in the lower two thirds"
    expect(page.locator(".place-key").first).not_to_be_visible()


def finger_drag(page: Page) -> Callable[[dict[str, Any], Play], None]:
    """Drags with one finger, as the browser gets it from the screen."""

    def drag(seen: dict[str, Any], play: Play) -> None:
        start, end = seen["places"][play.source], seen["places"][play.target]
        line = page.context.new_cdp_session(page)
        steps = 6

        def touch(kind: str, *points: dict[str, float]) -> None:
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        touch("touchStart", {axis: start[axis] for axis in "xy"})
        for step in range(1, steps + 1):
            touch("touchMove", {axis: start[axis] + (end[axis] - start[axis]) * step / steps for axis in "xy"})
        touch("touchEnd")
        line.detach()

    return drag


def test_keyboard_alone(people: Callable[..., Page], against_computer: Callable[[Page], Hands]) -> None:
    page = people()
    hands = against_computer(page)
    page.keyboard.press("Space")
    for _ in range(3):
        put_one(hands, hands.key_play)
    # Help, and back to the table.
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_visible()
    # Resigning asks first, and the answer at hand is no.
    page.get_by_role("button", name="Resign").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).not_to_be_visible()
    assert not hands.is_over()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    hands.wait_for_phase("over")
    expect(page.get_by_role("heading", name="You lost")).to_be_visible()
    expect(page.get_by_text("You resigned.", exact=True)).to_be_visible()
    # And again: the computer accepts.
    old = page.url
    page.get_by_role("button", name="Rematch").press("Enter")
    page.wait_for_url(lambda url: url != old)
    hands.wait_for_phase("ready")
    # The old page stays where it is, and shows the way.
    new = page.url
    page.goto(old)
    page.get_by_role("link", name="To the rematch").click()
    page.wait_for_url(new)


def test_by_hand_with_the_keys_of_the_row(people: Callable[..., Page], site: Site) -> None:
    page = people()
    page.goto(site.url)
    page.locator("input[name=game][value=speed]").check(force=True)
    page.locator(".play-more > summary").click()
    page.locator("input[name=speed-handling][value=by_hand]").check(force=True)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    hands = Hands(page)
    hands.wait_for_phase("ready")
    hands.play_by_itself("quick")
    # Five were dealt; more than five can only be played by drawing.
    # How often both are stuck meanwhile, and wait for the turn, is up to the cards.
    page.wait_for_function(
        "() => Number(document.querySelector('.board-seat-below .plate-left b').textContent) < 9", timeout=90_000
    )
    hands.pause()
    expect(page.locator("[data-part=round]")).to_have_text("game 1 of 3")


def test_an_invitation_is_accepted_once(people: Callable[..., Page], site: Site) -> None:
    host, visitor, plain = people(), people(), people(java_script_enabled=False)
    host.goto(site.url)
    host.get_by_role("button", name="Make a link").click()
    host.wait_for_url("**/match/**")
    url = host.url
    # The server may answer with the same page, and then says there why: the page does not ask again by itself.
    page_again = plain.request.get(url).text()
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="text/html", body=page_again)

    visitor.route("**/join/", refuse)
    visitor.goto(url)
    visitor.wait_for_url("**/join/")
    button = visitor.get_by_role("button", name="Sit down")
    expect(button).to_be_visible()
    # The page's script has run: it looks for the line after the form.
    expect(visitor.locator("#table")).not_to_have_attribute("data-line", "connecting")
    assert len(asked) == 1
    # Without a script there is the button too, and nothing lies over it.
    plain.goto(url)
    expect(plain.locator("#table-join noscript p")).to_be_visible()
    expect(host).to_have_title(re.compile("waits for an opponent"))
    plain.get_by_role("button", name="Sit down").click()
    Hands(host).wait_for_phase("ready")
    expect(host).to_have_title(re.compile(r"^Your turn: Ready\? · Spit: Guest \d+ – Guest \d+ · Spit$"))


class Line:
    """A line whose frames can be held back on their way to the page, or swallowed both ways."""

    def __init__(self, page: Page) -> None:
        self.is_held = False
        self.is_dead = False
        self.held: list[tuple[WebSocketRoute, str]] = []
        page.route_web_socket(re.compile("/ws/match/"), self._route)

    def _route(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        born_dead = False

        def to_page(data: str | bytes) -> None:
            nonlocal born_dead
            born_dead = born_dead or self.is_dead
            if born_dead:
                return
            if self.is_held:
                self.held.append((route, str(data)))
            else:
                route.send(data)

        def to_server(data: str | bytes) -> None:
            nonlocal born_dead
            born_dead = born_dead or self.is_dead
            if not born_dead:
                server.send(data)

        server.on_message(to_page)
        route.on_message(to_server)

    def release(self) -> None:
        self.is_held = False
        for route, data in self.held:
            route.send(data)
        self.held.clear()


def contest(one: dict[str, Any], other: dict[str, Any]) -> tuple[Play, Play] | None:
    """Plays of both seats onto one pile of which the second no longer fits after the first."""
    for first in Hands.plays(one):
        for second in Hands.plays(other):
            same = first.target == second.target and first.target.startswith("centre")
            if same and not fits(second.card, first.card):
                return first, second
    return None


def test_a_lost_race_goes_back(people: Callable[..., Page], seat_two: Callable[..., str]) -> None:
    """B01: the card goes back, and it is said why."""
    host, visitor = people(), people()
    line = Line(visitor)
    seat_two(host, visitor)
    quick, slow = Hands(host), Hands(visitor)
    found: list[tuple[Play, Play]] = []

    def a_contest() -> bool:
        one, other = quick.look(), slow.look()
        assert one["phase"] != "over", "a whole match without a contest"
        if one["phase"] == "playing" and one["seq"] == other["seq"] and (pair := contest(one, other)):
            found.append(pair)
        return bool(found)

    play_on(quick, slow, a_contest)
    first, second = found[0]
    seen, before = quick.look(), slow.look()
    line.is_held = True
    # One right after the other: a race is over within a second (G4).
    quick.key_play(seen, first)
    slow.key_play(before, second)
    quick.wait_for_seq(seen["seq"] + 1)
    # Shown at once, although nobody has heard of it.
    assert slow.look()["places"][second.target]["card"] == second.card
    visitor.wait_for_function("() => document.querySelector('.is-pending') !== null")
    line.release()
    expect(visitor.locator(f"[data-place='{second.source}']")).to_have_attribute("data-card", second.card)
    rank = second.card[0].replace("T", "10")
    note = visitor.locator(".board-note")
    expect(note).to_have_text(re.compile(rf"Your {rank} went back — .+ was \d+ ms earlier"))
    # It lies beside the card and over none.
    overlap = note.evaluate(
        """note => { const a = note.getBoundingClientRect();
          const stacks = [...document.querySelectorAll(".place-stack")];
          return stacks.some((stack) => { const b = stack.getBoundingClientRect();
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }); }"""
    )
    assert not overlap
    # The winner is told too, and both see the same.
    expect(host.locator(".board-note")).to_have_text(re.compile(r"You were \d+ ms faster than"))
    quick.wait_for_seq(slow.look()["seq"])
    slow.wait_for_seq(quick.look()["seq"])
    assert cards(quick.look()) == cards(slow.look())


def test_a_silent_line_is_noticed_and_what_was_sent_counts_once(
    people: Callable[..., Page], seat_two: Callable[..., str]
) -> None:
    """B05, B06: within 10 s both sides know of a line that swallows everything, and both recover by themselves."""
    host, visitor = people(), people()
    line = Line(host)
    seat_two(host, visitor)
    quick, slow = Hands(host), Hands(visitor)
    play_on(quick, slow, lambda: quick.look()["phase"] == "playing" and bool(quick.plays(quick.look())))
    seen = quick.look()
    play = quick.plays(seen)[0]
    line.is_dead = True
    quick.key_play(seen, play)
    assert quick.look()["places"][play.target]["card"] == play.card
    # Six seconds of silence: the line is dead, and it is said. The card is still shown as on its way.
    dead = time.monotonic()
    expect(host.locator("#table")).to_have_attribute("data-sync", "false", timeout=10_000)
    expect(host.get_by_text("Connection lost")).to_be_visible()
    assert "is-pending" in str(host.locator(f"[data-place='{play.target}']").get_attribute("class"))
    left = (within(11) - (time.monotonic() - dead)) * 1000
    expect(visitor.locator(".board-seat-above .plate-badge")).to_have_text(re.compile("away"), timeout=left)
    line.is_dead = False
    expect(host.locator("#table")).to_have_attribute("data-sync", "true", timeout=20_000)
    expect(host.locator(".is-pending")).to_have_count(0)
    # It was judged once: the card lies where it was played, in both pages.
    slow.wait_for_seq(quick.look()["seq"])
    assert cards(quick.look()) == cards(slow.look())
    assert quick.look()["places"][play.source]["card"] != play.card


def test_offline_and_back(people: Callable[..., Page], against_computer: Callable[[Page], Hands]) -> None:
    """B05: offline nothing can be played, and afterwards everything."""
    page = people()
    hands = against_computer(page)
    page.keyboard.press("Space")
    seen, play = own_play(hands)
    page.context.set_offline(True)
    expect(page.locator("#table")).to_have_attribute("data-line", "reconnecting")
    before = cards(hands.look())
    hands.key_play(seen, play)
    assert cards(hands.look()) == before
    page.context.set_offline(False)
    expect(page.locator("#table")).to_have_attribute("data-sync", "true", timeout=20_000)
    put_one(hands, hands.key_play)


def test_who_resigns_without_a_line_is_told_that_nothing_was_sent(
    people: Callable[..., Page], against_computer: Callable[[Page], Hands]
) -> None:
    """The question stays, and afterwards it is answered; the focus goes to what is said of the end, not to the page."""
    page = people()
    hands = against_computer(page)
    page.locator("[data-part=resign]").press("Enter")
    dialog = page.get_by_role("dialog")
    page.context.set_offline(True)
    expect(page.locator("#table")).to_have_attribute("data-line", "reconnecting")
    expect(page.locator("[data-part=resign]")).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("button", name="Resign").click()
    expect(dialog.get_by_role("alert")).to_contain_text("nothing was sent")
    page.context.set_offline(False)
    expect(page.locator("#table")).to_have_attribute("data-sync", "true", timeout=20_000)
    expect(dialog.get_by_role("alert")).to_have_text("")
    dialog.get_by_role("button", name="Resign").press("Enter")
    hands.wait_for_phase("over")
    expect(page.locator("#table-panel")).to_be_focused()
    # Offered, the rematch keeps the focus; the computer accepts at once, so its answer is held back.
    rematch = page.get_by_role("button", name="Rematch")
    page.context.set_offline(True)
    expect(rematch).to_have_attribute("aria-disabled", "true")
    rematch.focus()
    page.context.set_offline(False)
    expect(rematch).to_have_attribute("aria-disabled", "false", timeout=20_000)
    expect(rematch).to_be_focused()


def test_a_server_that_stops_is_told_as_such(
    people: Callable[..., Page], against_computer: Callable[[Page], Hands]
) -> None:
    """While a server starts again nobody reads that the match goes on without them."""
    page = people()
    lines: list[WebSocketRoute] = []

    def route(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close(code=1012)

    page.route_web_socket(re.compile("/ws/match/"), route)
    against_computer(page)
    lines[0].send(json.dumps({"t": "closing", "code": "restart", "text": "The server stops."}))
    lines[0].close(code=1012)
    expect(page.locator("#table")).to_have_attribute("data-line", "reconnecting")
    expect(page.locator("#table-banner")).to_have_text(
        "The server starts again. The match goes on where it was. Reconnecting."
    )


@pytest.mark.parametrize("as_watcher", [False, True])
def test_where_lines_are_blocked_the_page_says_so(
    people: Callable[..., Page], against_computer: Callable[[Page], Hands], as_watcher: bool
) -> None:
    """As in a school whose proxy lets no live lines through: not an empty table for ever."""
    player = people()
    against_computer(player)
    page = people() if as_watcher else player
    page.route_web_socket(re.compile("/ws/match/"), lambda line: line.close())
    page.clock.install()
    page.goto(player.url)
    expect(page.locator("#table")).to_have_attribute("data-line", "reconnecting")
    expect(page.get_by_role("heading", name="No connection to the table")).to_be_hidden()
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("heading", name="No connection to the table")).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_be_visible()
