"""Draws the site's pictures for others: the app's icons and what is shown with a shared link. `make icons`

The icon is `static/icons/favicon.svg`; cards and words are drawn with the site's font and the suits of its sprite.
"""

import base64
import re
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.chromium import ARGUMENTS, executable

STATIC: Final = Path(__file__).resolve().parent.parent / "static"
SQUARE: Final = {"favicon-32.png": 32, "touch-180.png": 180, "app-512.png": 512}
SHARE: Final = "share.png"
PILES: Final = ("8h", "Ks")
ROW: Final = ("7d", "3s", "Th", "Qc")
FIT: Final = ("7d", "Qc")
SUITS: Final = {"h": "heart", "d": "diamond", "s": "spade", "c": "club"}

STYLE: Final = """
  @font-face { font-family: Inter; font-weight: 400 800; src: url(data:font/woff2;base64,%(font)s); }
  * { box-sizing: border-box; margin: 0; }
  body { width: 1200px; height: 630px; overflow: hidden; font-family: Inter; color: #eef2f6;
         background: radial-gradient(700px 520px at 76%% 46%%, #212d39, #0f151c); }
  svg { fill: currentColor; }
  .brand { position: absolute; left: 78px; top: 168px; display: flex; align-items: center; gap: 34px;
           font-size: 126px; font-weight: 800; letter-spacing: -0.03em; line-height: 1; }
  .brand svg { width: 94px; height: 94px; color: #4fd27f; }
  p { position: absolute; left: 78px; top: 330px; color: #9fb0c0; font-size: 42px; font-weight: 500;
      line-height: 1.27; }
  .piles, .row { position: absolute; display: flex; }
  .piles { left: 660px; top: 70px; gap: 70px; }
  .row { left: 610px; top: 432px; gap: 28px; }
  .card { display: grid; align-content: center; justify-items: center; width: var(--w); aspect-ratio: 5 / 7;
          gap: calc(var(--w) * .09); border-radius: calc(var(--w) * .1); background: #fdfcf9; color: #171b21;
          font-size: calc(var(--w) * .66); font-weight: 800; letter-spacing: -.03em; line-height: 1;
          box-shadow: 0 6px 24px rgb(0 0 0 / .35); }
  .card svg { width: calc(var(--w) * .26); height: calc(var(--w) * .26); }
  .red { color: #c42332; }
  .piles .card { --w: 190px; }
  .row .card { --w: 118px; }
  .fits { outline: 6px solid #4fd27f; outline-offset: 6px; translate: 0 -12px; }
"""


def suit(name: str) -> str:
    """A suit of the sprite, as an SVG."""
    sprite = (STATIC / "icons" / "sprite.svg").read_text()
    found = re.search(rf'<symbol id="{name}"[^>]*>(.*?)</symbol>', sprite, re.DOTALL)
    assert found is not None
    return f'<svg viewBox="0 0 24 24">{found[1]}</svg>'


def card(text: str) -> str:
    rank = "10" if text[0] == "T" else text[0]
    classes = f"card {'red' if text[1] in 'hd' else ''} {'fits' if text in FIT else ''}"
    return f'<div class="{classes}">{rank}{suit(SUITS[text[1]])}</div>'


def share_page() -> str:
    font = base64.b64encode((STATIC / "fonts" / "inter.woff2").read_bytes()).decode()
    piles, row = ("".join(map(card, cards)) for cards in (PILES, ROW))
    return (
        f"<!doctype html><style>{STYLE % {'font': font}}</style>"
        f'<div class="brand">{suit("spade")}Spit</div><p>Two people, one table,<br>no turns.</p>'
        f'<div class="piles">{piles}</div><div class="row">{row}</div>'
    )


def draw(page: Page, content: str, width: int, height: int, path: Path) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(content)
    page.evaluate("() => document.fonts.ready")
    page.screenshot(path=path, omit_background=True)
    print(path)


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    icon = (STATIC / "icons" / "favicon.svg").read_text()
    square = f"<!doctype html><style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }}</style>{icon}"
    path = executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        page = browser.new_page()
        for name, size in SQUARE.items():
            draw(page, square, size, size, directory / name)
        draw(page, share_page(), 1200, 630, directory / SHARE)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else STATIC / "icons")
