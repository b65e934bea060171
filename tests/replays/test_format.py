"""docs/replay-format.md says everything about the documents, and the documents are as it says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from games.models import End
from games.rules.events import Event, Kind
from games.rules.evolve import fold
from games.rules.judge import judge
from games.rules.log import states
from games.rules.registry import BOOKS, book_of
from games.rules.setup import Options, Pace, Setup
from games.rules.state import Cause, Phase, Result, Status
from games.rules.view import View
from replays import format as replay_format
from replays import statistics as figures
from replays.build import make_course
from replays.format import Document, decode, encode_course, join, schema
from replays.timeline import open_view
from tests.factories import Played, play_match
from tests.replays.example import example, layout

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "replay-format.md").read_text()
EXAMPLE = (DOCS / "replay-format.example.json").read_text()
DESCRIBED = [
    replay_format.Document,
    replay_format.DocumentMatch,
    replay_format.DocumentSeat,
    replay_format.DocumentResult,
    replay_format.DocumentVerdict,
    replay_format.DocumentFault,
    Options,
    Pace,
    Event,
    Status,
    Result,
    View,
    *(kind for kind in vars(figures).values() if isinstance(kind, type) and kind.__module__ == figures.__name__),
]


START_STATUS = json.loads(msgspec.json.encode(Status(Phase.DEALING)))


def section(title: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found.group(1)


def first_cells(text: str) -> set[str]:
    return {name for row in re.findall(r"^\| (.*?) \|", text, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)}


@pytest.fixture(scope="session")
def course(played: Played) -> replay_format.Course:
    result = played.result
    end = End(
        winner=result.winner,
        cause=result.cause.value,
        void=result.is_void,
        events=played.state.seq,
        at=played.state.at,
    )
    return make_course(played.setup, played.events, end)


@pytest.fixture(scope="session")
def document(course: replay_format.Course) -> bytes:
    example = decode(EXAMPLE)
    return join(example.match, encode_course(course))


class TestThePageNamesEverything:
    @pytest.mark.parametrize("described", DESCRIBED, ids=lambda kind: kind.__name__)
    def test_every_field(self, described: type) -> None:
        for name in get_type_hints(described):
            if not name.startswith("_"):
                assert f"`{name}`" in PAGE, f"{described.__name__}.{name}"

    def test_fields_of_the_main_tables_are_exactly_these(self) -> None:
        for title, described in {
            "The top level": Document,
            "Events": Event,
            "Status": Status,
            "result": replay_format.DocumentResult,
            "Keyframes": View,
        }.items():
            assert first_cells(section(title)) == set(described.__struct_fields__), title

    def test_every_kind_phase_cause_and_game(self) -> None:
        assert first_cells(section("Kinds of events")) == {kind.value for kind in Kind}
        assert first_cells(section("Phases")) == {phase.value for phase in Phase}
        assert first_cells(section("Causes")) == {cause.value for cause in Cause}
        for key, book in BOOKS.items():
            assert f'`"{key}"`' in PAGE
            for name, values in book.choices.items():
                row = re.search(rf"^\| `{name}` \| .*\|$", section("match"), re.MULTILINE)
                assert row, name
                for value in values:
                    assert json.dumps(value).strip('"') in row.group(), (name, value)

    def test_every_place(self) -> None:
        roles = {re.sub(r"^[01]\.|\.\d+$", "", name) for name in first_cells(section("Places"))}
        used = {place.role.value for key, book in BOOKS.items() for place in book.places(Setup(key))}
        assert used <= roles

    def test_defaults_are_as_told(self) -> None:
        for name, default in re.findall(r"^\| `(\w+)` \| [^|\n]+ \| (`.*?`|\d|null) \|", section("Status"), re.M):
            assert START_STATUS[name] == json.loads(default.strip("`")), name


class TestDocumentsAreAsTheyAreTold:
    def test_no_field_but_those_of_the_page(self, document: bytes) -> None:
        """Reading and writing again loses nothing: there is no field that the format does not have."""
        assert json.loads(msgspec.json.encode(decode(document))) == json.loads(document)

    def test_kinds_have_the_fields_of_their_row(self, document: bytes) -> None:
        rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section("Kinds of events"), re.MULTILINE))
        told = {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows.items()}
        for event in json.loads(document)["events"]:
            assert event.keys() - {"kind", "at", "command"} <= told[event["kind"]], event

    def test_cards_and_places_are_well_formed(self, document: bytes) -> None:
        read = json.loads(document)
        assert set(read["start"]) == set(read["places"])
        for card in cards_of(read):
            assert re.fullmatch(r"-?[A23456789TJQK][cdhs]'?", card), card
        for event in read["events"]:
            for _card, source, target in event.get("moves", []):
                assert {source, target} <= set(read["places"])

    def test_keyframes_follow_from_the_events(self, document: bytes) -> None:
        """A reader that only does what the page says gets from each keyframe to the next."""
        read = json.loads(document)
        table = {"places": read["start"], "status": START_STATUS}
        frames = {frame["seq"]: frame for frame in read["keyframes"]}
        assert list(frames) == list(range(0, len(read["events"]) + 1, 100))
        for seq, event in enumerate([None, *read["events"]]):
            if event is not None:
                apply_as_the_page_says(table, event)
            if seq in frames:
                assert frames[seq]["places"] == table["places"]
                assert frames[seq]["status"] == table["status"]
        assert table["status"]["result"]["winner"] == read["result"]["winner"]

    def test_the_schema_file_is_the_schema(self) -> None:
        """`python manage.py replay_schema > docs/replay-format.schema.json` writes it."""
        assert json.loads((DOCS / "replay-format.schema.json").read_text()) == json.loads(json.dumps(schema()))

    def test_joining_is_encoding_the_whole(self, document: bytes, course: replay_format.Course) -> None:
        fields = {name: getattr(course, name) for name in course.__struct_fields__}
        whole = Document(format="spit-replay", version=1, match=decode(EXAMPLE).match, **fields)
        assert json.loads(msgspec.json.encode(whole)) == json.loads(document)

    @pytest.mark.parametrize(
        "spoil",
        [{"version": 2}, {"format": "chess"}, {"events": None}, {"result": {"winner": 2}}],
        ids=["newer", "other", "no events", "no such seat"],
    )
    def test_anything_else_is_refused(self, document: bytes, spoil: dict[str, Any]) -> None:
        with pytest.raises(msgspec.ValidationError):
            decode(json.dumps({**json.loads(document), **spoil}))


class TestFoldEquality:
    """fold(events) = the document's states, at every step (invariant 5)."""

    def test_at_every_step(self, played: Played, document: bytes) -> None:
        read = decode(document)
        table: dict[str, Any] = {
            "places": {name: list(pile) for name, pile in read.start.items()},
            "status": START_STATUS,
        }
        course = states(played.setup, played.events)
        for state, event in zip(course, [None, *json.loads(document)["events"]], strict=True):
            if event is not None:
                apply_as_the_page_says(table, event)
            shown = msgspec.to_builtins(open_view(state))
            assert table["places"] == {name: list(pile) for name, pile in shown["places"].items()}
            assert table["status"] == json.loads(msgspec.json.encode(state.status))

    def test_a_document_alone_can_be_judged(self, document: bytes, played: Played) -> None:
        read = decode(document)
        assert read.verdict.sound
        verdict = judge(played.setup, read.events)
        assert verdict.is_sound, verdict.faults
        assert verdict.state == played.state


class TestExample:
    def test_is_a_sound_document(self) -> None:
        example = decode(EXAMPLE)
        setup = Setup(example.match.game, msgspec.convert(dict(example.match.options), Options), example.match.pace.key)
        verdict = judge(setup, example.events)
        assert verdict.is_sound, verdict.faults
        assert verdict.state.status.result == Result(example.result.winner, example.result.cause)
        assert fold(book_of(setup.game).start(setup), example.events) == verdict.state

    def test_is_what_its_script_writes(self) -> None:
        assert layout(example()) + "\n" == EXAMPLE

    def test_shows_every_field_that_exists_today(self) -> None:
        assert json.loads(msgspec.json.encode(decode(EXAMPLE))) == json.loads(EXAMPLE)

    def test_the_page_cuts_it_but_changes_nothing(self) -> None:
        excerpt = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
        assert excerpt
        shown, whole = json.loads(excerpt.group(1)), json.loads(EXAMPLE)["events"]
        assert len(shown) == len(whole)
        for cut, event in zip(shown, whole, strict=True):
            assert agrees(cut, event), cut


def cards_of(read: dict[str, Any]) -> Iterator[str]:
    for pile in read["start"].values():
        yield from pile
    for event in read["events"]:
        for card, _source, _target in event.get("moves", []):
            yield card
        for pile in event.get("orders", {}).values():
            yield from pile


def apply_as_the_page_says(table: dict[str, Any], event: dict[str, Any]) -> None:
    """The three steps of the section on events, with nothing from the site's own code."""
    for name, pile in event.get("orders", {}).items():
        table["places"][name] = list(pile)
    for card, source, target in event.get("moves", []):
        table["places"][source].pop()
        table["places"][target].append(card)
    table["status"] = event.get("status", table["status"])


def agrees(cut: Any, whole: Any) -> bool:
    """Whether an excerpt with "…" agrees with the whole."""
    if isinstance(cut, dict):
        return all(name == "…" or (name in whole and agrees(value, whole[name])) for name, value in cut.items())
    if isinstance(cut, list) and any(item in ("…", ["…"]) for item in cut):
        return [item for item in cut if item not in ("…", ["…"])] == [item for item in whole if item in cut]
    return bool(cut == whole)


def test_statistics_do_not_depend_on_the_run() -> None:
    """The same log gives the same bytes, or entity tags would change with every build."""
    played = play_match(seed=4)
    end = End(winner=played.result.winner, cause=played.result.cause.value, events=played.state.seq, at=played.state.at)
    one, two = (encode_course(make_course(played.setup, played.events, end)) for _ in range(2))
    assert one == two
