"""Runs each `*.test.js` beside this file."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

FILES = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_module(blank: Page, file: Path) -> None:
    results = blank.evaluate(
        """async path => {
          await import(path);
          const { run } = await import("/tests/js/harness.js");
          return run();
        }""",
        f"/tests/js/{file.name}",
    )
    assert results, f"{file.name} has no tests"
    failed = [f"{result['name']}: {result['error']}" for result in results if result["error"]]
    assert not failed, "\n".join(failed)
