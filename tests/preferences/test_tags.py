"""What the frame of a page is drawn with."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import override_settings
from django.utils import translation

from spitsite.accounts.preferences.values import Values
from spitsite.templatetags.pages import fetched

EVENING = datetime(2026, 11, 30, 17, 30, tzinfo=UTC)


def drawn(tag: str, values: Values | None = None, **context: object) -> str:
    """A tag of the library as a page has it; without values, as a page for nobody."""
    given = {**context, **({"preferences": values} if values is not None else {})}
    return Template("{% load pages %}" + tag).render(Context(given))


@pytest.mark.parametrize(("clock", "said"), [("24", "17:30"), ("12", "5:30 p.m.")])
def test_a_moment_is_said_by_the_clock_that_was_chosen(clock: str, said: str) -> None:
    text = drawn("{% day_and_time moment %}", Values({"clock": clock}), moment=EVENING)
    assert said in text
    assert 'datetime="2026-11-30T17:30:00+00:00"' in text


def test_the_root_has_only_what_was_chosen() -> None:
    assert drawn("<html{% root_attributes %}>", Values()) == "<html>"
    chosen = drawn("<html{% root_attributes %}>", Values({"cards": "large", "volume": "10", "online": "no"}))
    assert chosen == '<html data-cards="large" data-preferences="cards=large&amp;volume=10">'


def test_a_page_for_nobody_is_drawn_all_the_same() -> None:
    """An error's page knows no reader."""
    assert drawn("{% root_attributes %}{% color_scheme %}") == "light dark"


def test_the_sheet_has_the_keys_that_were_chosen() -> None:
    text = drawn('{% sheet_of_keys "table" %}', Values({"key.table.left": "KeyU", "key.view.sound": "x"}))
    assert "<kbd>U</kbd>" in text
    assert "<kbd>J</kbd>" not in text
    assert "<kbd>X</kbd>" in text


@pytest.mark.parametrize(("page", "is_told"), [("table", False), ("practice", False), ("watch", True)])
def test_only_who_can_turn_the_table_is_told_the_key_for_it(page: str, is_told: bool) -> None:
    assert ("Turn the table" in drawn(f'{{% sheet_of_keys "{page}" %}}', Values())) is is_told


def test_a_module_comes_with_all_that_it_needs_and_nothing_twice() -> None:
    needed = fetched("js/table/main.js")
    assert {"js/text.js", "js/site/catalogue.js", "js/table/input/keyboard.js", "js/net/socket.js"} <= set(needed)
    assert len(needed) == len(set(needed))
    assert "js/table/main.js" not in needed
    text = drawn('{% module "js/site/page.js" %}')
    assert text.index("modulepreload") < text.index('<script type="module"')
    assert text.count("js/site/preferences") == 1


def test_only_another_language_needs_its_words() -> None:
    with translation.override("en"):
        assert drawn("{% catalogue %}") == ""
    with translation.override("de"):
        assert 'src="/jsi18n/de/"' in drawn("{% catalogue %}")


@override_settings(DEBUG=True)
def test_while_one_works_on_it_an_import_is_seen_at_once() -> None:
    assert "js/site/preferences.js" in fetched("js/site/page.js")


@pytest.mark.django_db
def test_the_preferences_of_a_request_are_read_when_they_are_wanted(django_assert_num_queries: object) -> None:
    from spitsite.context import preferences

    request = RequestFactory().get("/")
    request.COOKIES["preferences"] = "theme=dark"
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert str(preferences(request)["preferences"]) == "Values({'theme': 'dark'})"
