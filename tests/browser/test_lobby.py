"""The lobby as people see it: from a press to the table."""

import secrets
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.hands import Hands
from tests.browser.test_accessibility import violations
from tests.site_process import Site

START_MATCH = "**/match/**"


def name(first: str) -> str:
    """A name that nobody has, also when a test is tried once more."""
    return f"{first}-{secrets.token_hex(3)}"


def test_two_people_find_each_other_from_the_home_page(
    people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    """B38, too: what one offers oneself cannot be accepted, and a tab more is no second seat."""
    ann, bob = people(), people(viewport={"width": 360, "height": 740})
    for page, called in ((ann, name("Ann")), (bob, name("Bob"))):
        sign_up(page, called)
        page.goto(site.url)

    # Nobody waits, and that does not look dead.
    expect(ann.get_by_text("Nobody waits now: be the first.")).to_be_visible()

    # A challenge with rules of one's own is seen by the other at once, and by oneself as one's own.
    ann.locator("input[name=game][value=speed]").check(force=True)
    ann.locator(".play-more > summary").click()
    ann.locator("input[name=rated][value=yes]").check(force=True)
    ann.get_by_role("button", name="Offer a challenge").click()
    expect(ann.locator("#seeking")).to_contain_text("Your challenge is open")
    expect(ann.locator(".seek.is-yours")).to_contain_text("Take it back")
    expect(ann.locator(".seek .seek-accept")).to_be_hidden()
    row = bob.locator(".seek")
    expect(row).to_contain_text("Ann-")
    expect(row).to_contain_text("rated")
    expect(row.locator("[data-stake]")).to_have_text("+20 if you win, ±0 for a draw, −20 if you lose")
    expect(ann.locator("[data-stake]")).to_be_hidden()
    # Only what is of the game that is looked for.
    bob.locator("input[name=show][value=spit]").check(force=True)
    expect(row).to_be_hidden()
    expect(bob.get_by_text("No open challenge in this game.")).to_be_visible()
    bob.locator("input[name=show][value='']").check(force=True)
    ann.emulate_media(reduced_motion="reduce")
    assert violations(ann) == []
    # Loaded anew, it still stands; taken back, it is gone.
    ann.reload()
    expect(ann.locator("#seeking")).to_contain_text("Your challenge is open")
    expect(row).to_be_visible()
    ann.locator("#seeking").get_by_role("button", name="Cancel").click()
    expect(ann.locator("#seeking")).to_be_hidden()
    expect(row).to_have_count(0)

    # Quick pairing: a press each, and both are at one table by themselves.
    tile = ann.locator(".tile[value=spit]")
    tile.click()
    expect(tile).to_have_attribute("aria-pressed", "true")
    expect(ann.locator("#seeking")).to_contain_text("Looking for an opponent")
    expect(bob.locator(".tile[value=spit]")).to_contain_text("1 waits")
    bob.locator(".tile[value=spit]").click()
    for page in (ann, bob):
        page.wait_for_url(START_MATCH)
        Hands(page).wait_for_phase("ready")
    assert ann.url == bob.url

    # One rated match at a time: refused with a sentence and the way back.
    tab = ann.context.new_page()
    tab.goto(site.url)
    tab.locator(".tile[value=speed]").click()
    notice = tab.locator(".notice")
    expect(notice).to_contain_text("one rated match at a time")
    notice.get_by_role("link").click()
    tab.wait_for_url(ann.url)


def test_a_person_is_challenged_on_any_page(
    people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    ann, bob = people(), people(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    other = name("Bob")
    sign_up(ann, name("Ann"))
    sign_up(bob, other)
    bob.goto(f"{site.url}/about/")
    ann.goto(f"{site.url}/player/{other}/")
    ann.get_by_role("link", name="Challenge").click()
    send = ann.get_by_role("button", name="Challenge", exact=True)

    send.click()
    expect(ann.locator("#seeking")).to_contain_text(f"Waiting for {other}")
    notice = bob.locator(".notice")
    expect(notice).to_contain_text("Ann-")
    assert violations(bob) == []
    notice.get_by_role("button", name="Decline").click()
    expect(notice).to_have_count(0)
    expect(ann.locator(".notice")).to_contain_text(f"{other} did not accept.")

    send.click()
    notice.get_by_role("button", name="Accept").click()
    for page in (ann, bob):
        page.wait_for_url(START_MATCH)
        Hands(page).wait_for_phase("ready")
    assert ann.url == bob.url

    # An invitation can be read by a camera.
    guest = people(viewport={"width": 360, "height": 740})
    guest.goto(site.url)
    guest.get_by_role("button", name="Make a link").click()
    guest.wait_for_url(START_MATCH)
    code = guest.locator(".panel-qr")
    expect(code).to_be_visible()
    assert code.evaluate("async image => { await image.decode(); return image.naturalWidth > 0; }")
    assert violations(guest) == []

    # And taken back where one waits.
    address = guest.url
    guest.get_by_role("button", name="Take the invitation back").click()
    expect(guest.get_by_text("The invitation is taken back.")).to_be_visible()
    answer = bob.goto(address)
    assert answer is not None
    assert answer.status == 404
    expect(bob.get_by_role("heading", level=1)).not_to_be_empty()
    expect(bob.locator("#table")).to_have_count(0)


def test_an_old_tab_works_on_when_another_one_has_made_a_guest_of_its_reader(
    people: Callable[..., Page], site: Site
) -> None:
    """Whoever gets a name gets another token of forms; the pages that are open have the one of before."""
    old = people()
    old.goto(site.url)
    new = old.context.new_page()
    new.goto(site.url)
    new.locator(".tile[value=speed]").click()
    expect(new.locator("#seeking")).to_contain_text("Looking for an opponent")
    # The line of the old tab is nobody's; it is opened anew for who asks.
    tile = old.locator(".tile[value=two_deck]")
    tile.click()
    expect(old.locator("#seeking")).to_contain_text("Looking for an opponent")
    expect(tile).to_have_attribute("aria-pressed", "true")
    expect(old.locator(".notice")).to_have_count(0)
    # A form that no script sends is good, too.
    other = people()
    other.goto(site.url)
    sign = other.context.new_page()
    sign.goto(site.url)
    sign.locator(".tile[value=speed]").click()
    expect(sign.locator("#seeking")).to_be_visible()
    other.get_by_role("button", name="Make a link").click()
    other.wait_for_url(START_MATCH)
    expect(other.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()


def test_a_page_that_is_too_old_says_so(people: Callable[..., Page], site: Site) -> None:
    page = people()
    page.goto(site.url)
    page.route(
        "**/lobby/quick/", lambda route: route.fulfill(status=403, content_type="text/html", body="<h1>403</h1>")
    )
    page.locator(".tile[value=speed]").click()
    notice = page.locator(".notice")
    expect(notice).to_contain_text("This page is too old to be used.")
    page.unroute("**/lobby/quick/")
    notice.get_by_role("link", name="Load anew").click()
    page.locator(".tile[value=speed]").click()
    expect(page.locator("#seeking")).to_contain_text("Looking for an opponent")


def test_whoever_loses_the_line_is_told_and_looks_on_when_it_is_back(people: Callable[..., Page], site: Site) -> None:
    page, onlooker = people(), people()
    onlooker.goto(site.url)
    page.goto(site.url)
    seeking = page.locator("#seeking")
    waits = onlooker.locator(".tile[value=two_deck] .tile-waits")
    page.locator(".tile[value=two_deck]").click()
    expect(seeking).to_contain_text("Looking for an opponent")
    expect(waits).to_be_visible()
    page.context.set_offline(True)
    expect(seeking).to_contain_text("Connection lost. Reconnecting…")
    expect(seeking.locator("[data-part=time]")).to_be_empty()
    # The server forgets who is not there.
    expect(waits).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator(".notice")).to_contain_text("You are in the queue again.")
    expect(seeking).to_contain_text("Looking for an opponent")
    expect(waits).to_be_visible()
    # What is taken back on purpose needs no word.
    seeking.get_by_role("button", name="Cancel").click()
    expect(seeking).to_be_hidden()
    expect(waits).to_be_hidden()
    expect(page.locator(".notice")).to_have_count(0)


def test_an_open_challenge_is_offered_again_and_after_too_long_a_while_it_is_said(
    people: Callable[..., Page], site: Site
) -> None:
    page, onlooker = people(), people()
    onlooker.goto(site.url)
    page.clock.install()
    page.goto(site.url)
    page.locator("input[name=game][value=speed]").check(force=True)
    page.get_by_role("button", name="Offer a challenge").click()
    row = onlooker.locator(".seek[data-game=speed]")
    expect(row).to_be_visible()
    expect(page.locator("#seeking")).to_contain_text("Your challenge is open")
    page.context.set_offline(True)
    expect(row).to_have_count(0)
    page.context.set_offline(False)
    expect(row).to_be_visible()
    expect(page.locator(".notice")).to_contain_text("Your challenge is open again.")
    expect(page.locator("#seeking")).to_contain_text("Your challenge is open")
    page.context.set_offline(True)
    expect(row).to_have_count(0)
    page.clock.fast_forward(130_000)
    page.context.set_offline(False)
    expect(page.locator(".notice")).to_contain_text("Offer it again if you like.")
    expect(page.locator("#seeking")).to_be_hidden()


def test_whoever_was_signed_out_looks_for_nobody_any_more_and_is_told(
    people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    page = people()
    sign_up(page, name("Ann"))
    page.goto(site.url)
    page.locator(".tile[value=speed]").click()
    expect(page.locator("#seeking")).to_contain_text("Looking for an opponent")
    tab = page.context.new_page()
    tab.goto(f"{site.url}/accounts/logout/")
    tab.locator("main form [type=submit]").click()
    expect(tab.get_by_role("link", name="Sign in").first).to_be_visible()
    expect(page.locator(".notice")).to_contain_text("You were signed out")
    expect(page.locator("#seeking")).to_be_hidden()


def test_only_who_can_be_met_is_said_to_wait(
    people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    """Rated and just for fun are two queues, and each tile tells of the one that is chosen."""
    ann, bob, guest = people(), people(), people()
    for page, called in ((ann, name("Ann")), (bob, name("Bob"))):
        sign_up(page, called)
    for page in (ann, bob, guest):
        page.goto(site.url)
    ann.locator(".tile[value=speed]").click()
    waits = bob.locator(".tile[value=speed] .tile-waits")
    expect(waits).to_have_text("1 waits")
    expect(bob.locator("[data-none]")).to_have_text("Somebody waits: press the game that says so.")
    # A guest is never rated, and cannot meet her.
    expect(guest.locator("[data-none]")).to_have_text("Nobody waits now: be the first.")
    expect(guest.locator(".tile-waits:not([hidden])")).to_have_count(0)
    bob.locator("input[name=quick-rated][value=no]").check(force=True)
    expect(waits).to_be_hidden()
    expect(bob.locator("[data-none]")).to_have_text("Somebody waits to play a rated match: choose that above.")
    bob.locator(".tile[value=speed]").click()
    expect(bob.locator("#seeking")).to_contain_text("just for fun")
    expect(guest.locator(".tile[value=speed] .tile-waits")).to_have_text("1 waits")
    # Loaded anew the page still shows what is looked for; with the other choice a press looks for that.
    bob.reload()
    expect(bob.locator(".tile[value=speed]")).to_have_attribute("aria-pressed", "true")
    expect(bob.locator("input[name=quick-rated][value=no]")).to_be_checked()
    bob.locator("input[name=quick-rated][value=yes]").check(force=True)
    expect(bob.locator(".tile[value=speed]")).to_have_attribute("aria-pressed", "false")
    expect(waits).to_have_text("1 waits")
    bob.locator(".tile[value=speed]").click()
    for page in (ann, bob):
        page.wait_for_url(START_MATCH)


def test_the_lobby_gives_back_only_the_title_that_it_has_set(
    people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    """On the television and at a table the page's own scripts have titles, too."""
    page, sender = people(), people()
    called = name("Ann")
    sign_up(page, called)
    with page.expect_websocket() as line:
        page.goto(f"{site.url}/about/")
    page.evaluate("document.title = 'Somebody – somebody else'")
    line.value.wait_for_event("framereceived", lambda frame: '"t":"you"' in frame)
    sign_up(sender, name("Bob"))
    sender.goto(f"{site.url}/challenge/{called}/")
    sender.get_by_role("button", name="Challenge", exact=True).click()
    expect(page.locator(".notice")).to_be_visible()
    expect(page).to_have_title("Somebody – somebody else")


def test_what_leads_somewhere_or_went_wrong_stays_until_it_is_put_away(people: Callable[..., Page], site: Site) -> None:
    """What is said is put into a region that is there from the beginning, so that it is read out."""
    page = people(reduced_motion="reduce")
    page.clock.install()
    page.goto(site.url)
    region = page.locator("#notices")
    assert region.get_attribute("role") == "status"
    expect(region).to_be_empty()
    refusal = {"code": "seated", "text": "You are playing a rated match.", "url": "/about/", "known": False}
    page.route("**/lobby/quick/", lambda route: route.fulfill(status=409, json=refusal))
    tile = page.locator(".tile[value=speed]")
    tile.click()
    notice = region.locator(".notice")
    expect(notice).to_contain_text("You are playing a rated match.")
    assert violations(page) == []
    tile.click()
    page.clock.fast_forward(60_000)
    expect(notice).to_have_count(1)
    notice.get_by_role("link", name="To the match").focus()
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
    # What then succeeds takes what went wrong away by itself.
    tile.click()
    expect(notice).to_have_count(1)
    page.unroute("**/lobby/quick/")
    tile.click()
    expect(page.locator("#seeking")).to_be_visible()
    expect(notice).to_have_count(0)


def test_after_a_paired_match_another_opponent_is_looked_for(people: Callable[..., Page], site: Site) -> None:
    one, two, third = people(), people(), people()
    for page in (one, two):
        page.goto(site.url)
        page.locator(".tile[value=japanese_speed]").click()
    for page in (one, two):
        page.wait_for_url(START_MATCH)
        Hands(page).wait_for_phase("ready")
    two.locator(".bar-resign").click()
    two.locator("[data-part=resign-sure]").click()
    another = one.get_by_role("button", name="New opponent")
    expect(another).to_be_enabled()
    # Without a line nobody can be looked for, and that is said.
    one.context.set_offline(True)
    expect(another).to_have_attribute("aria-disabled", "true")
    expect(one.locator("#table-panel")).to_contain_text("The connection is lost")
    one.context.set_offline(False)
    expect(one.locator("#table-panel")).not_to_contain_text("The connection is lost")
    another.click()
    one.wait_for_url(f"{site.url}/")
    expect(one.locator("#seeking")).to_contain_text("Looking for an opponent")
    expect(one.locator(".tile[value=japanese_speed]")).to_have_attribute("aria-pressed", "true")
    # Once: the page loaded anew asks for nothing by itself.
    one.locator("#seeking").get_by_role("button", name="Cancel").click()
    expect(one.locator("#seeking")).to_be_hidden()
    one.go_back()
    one.wait_for_url(START_MATCH)
    expect(one.get_by_role("link", name="Replay", exact=True)).to_be_visible()
    one.go_forward()
    expect(one.locator("#seeking")).to_be_hidden()
    two.get_by_role("button", name="New opponent").click()
    expect(two.locator("#seeking")).to_contain_text("Looking for an opponent")
    third.goto(site.url)
    third.locator(".tile[value=japanese_speed]").click()
    for page in (two, third):
        page.wait_for_url(START_MATCH)
    assert two.url == third.url


def test_back_from_a_rematch_stays_on_the_home_page(people: Callable[..., Page], site: Site) -> None:
    one, two = people(), people()
    for page in (one, two):
        page.goto(site.url)
        page.locator(".tile[value=japanese_speed]").click()
    for page in (one, two):
        page.wait_for_url(START_MATCH)
        Hands(page).wait_for_phase("ready")
    # Who has come back once goes on by the browser's button, too.
    one.go_back()
    one.wait_for_url(f"{site.url}/")
    one.go_forward()
    one.wait_for_url(START_MATCH)
    Hands(one).wait_for_phase("ready")
    first = one.url
    two.locator(".bar-resign").click()
    two.locator("[data-part=resign-sure]").click()
    two.get_by_role("button", name="Rematch").click()
    one.get_by_role("button", name="Accept the rematch").click()
    one.wait_for_url(lambda url: "/match/" in url and url != first)
    Hands(one).wait_for_phase("ready")
    one.clock.install()
    with one.expect_websocket(lambda line: "/ws/lobby/" in line.url) as line:
        one.go_back()
    line.value.wait_for_event("framereceived", lambda frame: '"t":"you"' in frame)
    # It has heard of the match, and leads there only whoever presses.
    one.clock.fast_forward(5_000)
    expect(one.get_by_role("link", name="Back to the table")).to_be_visible()
    assert one.url == f"{site.url}/"
