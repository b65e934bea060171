"""docs/scenarios.md names tests that there are, for every scenario."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "scenarios.md").read_text()
ROWS = {found[1]: found[0] for found in re.finditer(r"^\| (B\d\d) \|.*$", PAGE, re.MULTILINE)}
NAMED = sorted(set(re.findall(r"`(\w+/test_\w+\.py(?:::\w+)*)`", PAGE)))


def test_every_scenario_has_a_row() -> None:
    assert list(ROWS) == [f"B{number:02}" for number in range(1, 40)]


def test_a_row_names_a_test_or_says_that_there_is_none() -> None:
    assert len(NAMED) > 50
    assert [row for row in ROWS.values() if "test_" not in row and "none yet" not in row] == []


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_is_there(name: str) -> None:
    file, *path = name.split("::")
    body: list[ast.stmt] = ast.parse((TESTS / file).read_text()).body
    for part in path:
        found = [
            node
            for node in body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == part
        ]
        assert found, part
        body = found[0].body
