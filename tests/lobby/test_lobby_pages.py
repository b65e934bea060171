"""docs/protocol.md and docs/lobby.md say what the code does."""

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

from games.lobby import frames, pairing, queue, seeks
from games.lobby.services import INVITATION_LASTS

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text().partition("\n## The lobby\n")[2]
LOBBY = (DOCS / "lobby.md").read_text()


def documented(title: str) -> dict[str, set[str]]:
    part = PROTOCOL.partition(f"### {title}\n")[2].partition("###")[0]
    rows = re.findall(r'^\| `\{"t":"(\w+)"(.*?)\}`', part, re.MULTILINE)
    return {tag: set(re.findall(r'"(\w+)"', fields)) for tag, fields in rows}


def messages(union: object) -> dict[str, set[str]]:
    return {str(each.__struct_config__.tag): set(each.__struct_fields__) for each in get_args(union)}


def test_every_message_is_on_the_page() -> None:
    assert documented("From the page") == messages(frames.LobbyIn)
    assert documented("From the lobby") == messages(frames.LobbyOut)
    for name in frames.SeekCard.__struct_fields__:
        assert f"`{name}`" in PROTOCOL


def test_the_figures_are_on_the_page() -> None:
    seconds = {"whose page is gone": queue.LIVES, "of a paired page": seeks.COMES, "to a person": seeks.CHALLENGE_LASTS}
    for what, lasts in seconds.items():
        assert re.search(rf"{what} \| {lasts.total_seconds():.0f} s \|", LOBBY), what
    assert timedelta(days=1) == INVITATION_LASTS
    widens, patience = f"{pairing.WIDENS:.0f} a second", f"{pairing.PATIENCE:.0f} s"
    assert f"| a rating | ± {pairing.RANGE:.0f} | {widens} | {patience} |" in LOBBY
    assert f"| a provisional one | ± {pairing.PROVISIONAL_RANGE:.0f} | {widens} | {patience} |" in LOBBY
