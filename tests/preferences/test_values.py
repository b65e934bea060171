"""Values of preferences: what is kept of what, and the text of it."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spitsite.accounts.preferences.catalogue import PREFERENCES
from spitsite.accounts.preferences.controls import CONTROLS, SCOPES, printed, read
from spitsite.accounts.preferences.script import script
from spitsite.accounts.preferences.values import LONGEST, Values, conflicts, default_of

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = [*PREFERENCES, *CONTROLS]


class TestCatalogue:
    def test_every_default_can_be_chosen(self) -> None:
        assert all(each.default in each.values for each in PREFERENCES.values())
        assert not any(conflicts(scope, {}) for scope in SCOPES)

    def test_the_script_is_the_catalogue(self) -> None:
        """`python manage.py preferences_script > static/js/site/catalogue.js` writes it."""
        assert (ROOT / "static/js/site/catalogue.js").read_text() == script()

    @pytest.mark.parametrize("name", [name for name, (_scope, control) in CONTROLS.items() if not control.is_fixed])
    def test_a_key_is_read_as_it_is_printed(self, name: str) -> None:
        scope, control = CONTROLS[name]
        assert read(scope, printed(control.default)) == control.default

    @pytest.mark.parametrize("name", ["theme", "deck", "cards", "motion", "hand", "whispers"])
    def test_stylesheets_know_what_is_seen(self, name: str) -> None:
        assert PREFERENCES[name].is_seen


class TestValues:
    def test_what_is_not_chosen_is_as_by_default(self) -> None:
        values = Values({"theme": "dark"})
        assert values["theme"] == "dark"
        assert {name: values[name] for name in values if name != "theme"} == {
            name: default_of(name) for name in NAMES if name != "theme"
        }

    def test_a_default_is_not_kept(self) -> None:
        assert Values({"theme": "auto", "key.table.left": "KeyJ"}).chosen == {}
        assert Values({"theme": "dark"}).with_({"theme": "auto"}).chosen == {}

    @pytest.mark.parametrize(
        "chosen",
        [
            {"theme": "purple"},
            {"nothing": "dark"},
            {"volume": "55"},
            {"key.table.left": "Tab"},
            {"key.table.left": "KeyJ onclick"},
            {"key.table.left": ""},
            {"key.table.cancel": "KeyX"},
            {"key.replay.back": "B"},
            {"key.replay.back": "?"},
            {"theme": 7},
        ],
    )
    def test_nonsense_is_left_out(self, chosen: dict[str, str]) -> None:
        assert Values({"deck": "four", **chosen}).chosen == {"deck": "four"}

    def test_keys_of_which_two_would_be_one_are_as_they_were(self) -> None:
        twice = {"key.table.left": "KeyX", "key.table.right": "KeyX", "key.replay.back": "x", "deck": "four"}
        assert Values(twice).chosen == {"deck": "four", "key.replay.back": "x"}

    def test_two_controls_can_swap_their_keys(self) -> None:
        swapped = {"key.table.left": "KeyK", "key.table.right": "KeyJ"}
        assert Values(swapped).chosen == swapped

    def test_the_text_has_no_private_ones_unless_asked(self) -> None:
        values = Values({"theme": "dark", "online": "no"})
        assert values.encode() == "theme=dark"
        assert values.encode(is_private=True) == "online=no&theme=dark"

    # How fast examples come says how busy the machine is.
    @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["dark", "four", "off", "KeyX", "x", ";", "="])))
    def test_the_text_comes_back(self, chosen: dict[str, str]) -> None:
        values = Values(chosen)
        assert Values.decode(values.encode(is_private=True)).chosen == values.chosen

    @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.text())
    def test_any_text_is_harmless(self, text: str) -> None:
        values = Values.decode(text)
        assert set(values.chosen) <= set(NAMES)

    def test_a_very_long_text_is_not_read(self) -> None:
        assert Values.decode("theme=dark&" + "x" * LONGEST).chosen == {}

    def test_all_that_can_be_chosen_fits_a_cookie(self) -> None:
        most = {name: max(each.values, key=len) for name, each in PREFERENCES.items()}
        keys = {
            name: "NumpadSubtract" if scope.by == "code" else "Shift+ArrowRight"
            for name, (scope, _) in CONTROLS.items()
        }
        text = "&".join(f"{name}={value}" for name, value in {**most, **keys}.items())
        assert len(text) < LONGEST
        assert re.fullmatch(r"[\x21-\x7e]+", Values({"key.replay.back": "é"}).encode())
