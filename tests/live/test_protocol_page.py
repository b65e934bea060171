"""docs/protocol.md says what the code does: every message, every field, every code."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from games.live import protocol
from games.live.protocol import Close
from games.rules.refusals import Code

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found[1]


def documented(text: str) -> dict[str, set[str]]:
    """The messages of a table, with the names of their fields at the top level."""
    rows = {}
    for line in text.splitlines():
        found = re.match(r'\| `\{"t":"(\w+)"(.*)\}`', line)
        if found:
            flat = found[2]
            while (inner := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", flat)) != flat:
                flat = inner
            rows[found[1]] = set(re.findall(r'"(\w+)"', flat))
    return rows


def messages(union: object) -> dict[str, set[str]]:
    found = {}
    for struct in get_args(union):
        found[str(struct.__struct_config__.tag)] = set(struct.__struct_fields__)
    return found


@pytest.mark.parametrize(
    ("title", "union"),
    [("From the browser (`ClientIn`)", protocol.ClientIn), ("From the server (`ClientOut`)", protocol.ClientOut)],
)
def test_every_message_and_field_is_on_the_page(title: str, union: object) -> None:
    assert documented(section(title)) == messages(union)


@pytest.mark.parametrize(("title", "codes"), [("Refusals", Code), ("Closing", Close)])
def test_every_code_is_on_the_page(title: str, codes: type[Code] | type[Close]) -> None:
    rows = set(re.findall(r"^\| `(\w+)`", section(title), re.MULTILINE))
    assert rows - {"code"} == {code.value for code in codes}


@pytest.mark.parametrize("struct", [protocol.MatchCard, protocol.SeatCard, protocol.SeatPresence])
def test_the_parts_of_state_are_on_the_page(struct: type[msgspec.Struct]) -> None:
    for name in struct.__struct_fields__:
        assert f'"{name}"' in PAGE


def test_the_close_status_is_on_the_page() -> None:
    for code, status in protocol.CLOSE_STATUS.items():
        assert re.search(rf"^\| `{code.value}` \| {status} \|", PAGE, re.MULTILINE), code
