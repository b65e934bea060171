"""Scripts and stylesheets put together."""

import re
from pathlib import Path
from typing import Final

import pytest

from spitsite.bundles import BESIDE, FRAME, SHARED, Bundles, CannotBundle, needed, stylesheet

STATIC = Path(__file__).resolve().parents[2] / "static"
TEMPLATES = STATIC.parent / "templates"

SITE = {
    FRAME: 'import "./sheet.js";\n',
    "js/site/sheet.js": 'import { words } from "../text.js";\nwords();\n',
    BESIDE: 'import { words } from "../text.js";\nimport { Line } from "../line.js";\nnew Line(words);\n',
    "js/text.js": "export const words = () => 1;\n",
    "js/line.js": "export class Line {}\n",
    "js/table/main.js": (
        'import { Line } from "../line.js";\n'
        'import {\n  deal as first,\n  LAST,\n} from "./deck.js";\n'
        "first(Line, LAST);\n"
    ),
    "js/table/deck.js": (
        'import { words } from "../text.js";\n'
        "export async function deal() {\n  return words();\n}\n"
        "export const LAST = 3;\n"
    ),
    "js/alone.js": "document.title = 1;\n",
}


def bundles(**others: str) -> Bundles:
    site = SITE | {f"js/{name}.js": text for name, text in others.items()}
    return Bundles(site, site.__getitem__)


class TestScripts:
    def test_an_entry_is_what_no_other_imports(self) -> None:
        assert set(bundles().entries) == {FRAME, BESIDE, "js/table/main.js", "js/alone.js"}

    def test_what_the_frame_has_is_shared_and_so_is_what_the_lobby_has_in_common_with_others(self) -> None:
        assert set(bundles().shared) == {"js/site/sheet.js", "js/text.js", "js/line.js"}

    def test_no_module_is_in_two_files_that_one_page_has(self) -> None:
        made = bundles()
        for name in ("js/text.js", "js/line.js"):
            assert f'"{name}"()' in made.text(SHARED)
            assert f'"{name}"()' not in made.text("js/table/main.js")
        assert '"js/table/deck.js"()' in made.text("js/table/main.js")

    def test_what_is_made_has_one_import_and_its_path_is_right(self) -> None:
        assert re.findall(r'^import .* from "(.*)";$', bundles().text("js/table/main.js"), re.M) == ["../shared.js"]
        assert re.findall(r'^import .* from "(.*)";$', bundles().text(FRAME), re.M) == ["../shared.js"]
        assert bundles().text("js/alone.js") == SITE["js/alone.js"]

    @pytest.mark.parametrize(
        "text",
        [
            "export default 1;\n",
            "export let count = 0;\n",
            "export { a };\n",
            'export * from "./text.js";\n',
            'import * as text from "./text.js";\n',
            'import text from "./text.js";\n',
            'const text = await import("./text.js");\n',
            "const here = import.meta.url;\n",
            "export const a = 1, b = 2;\n",
        ],
    )
    def test_what_cannot_be_put_together_says_so_and_where(self, text: str) -> None:
        with pytest.raises(CannotBundle, match=r"js/odd\.js"):
            bundles(odd=text).text("js/odd.js")

    @pytest.mark.parametrize("text", ["await 1;\n", "const a = await 1;\n", "for await (const a of b) a();\n"])
    def test_only_a_pages_own_script_may_wait(self, text: str) -> None:
        assert bundles(odd=text).text("js/odd.js") == text
        made = bundles(odd='import { a } from "./slow.js";\n', slow=f"export class a {{}}\n{text}")
        with pytest.raises(CannotBundle, match=r"js/slow\.js"):
            made.text("js/odd.js")

    def test_a_name_that_is_not_exported_is_named(self) -> None:
        with pytest.raises(CannotBundle, match=r"js/odd\.js imports word of js/text\.js"):
            bundles(odd='import { word } from "./text.js";\n')

    def test_a_type_may_name_a_module(self) -> None:
        text = '/** @type {import("./text.js").Words} */ (window).words = 1;\n'
        assert bundles(odd=text).text("js/odd.js") == text

    def test_a_circle_is_named(self) -> None:
        with pytest.raises(CannotBundle, match=r"js/a\.js > js/b\.js > js/a\.js"):
            bundles(a='import { b } from "./b.js";\n', b='import { a } from "./a.js";\nexport const b = 1;\n')

    def test_a_module_that_is_not_there_is_named(self) -> None:
        with pytest.raises(CannotBundle, match=r"js/a\.js imports js/b\.js"):
            bundles(a='import { b } from "./b.js";\n')

    def test_all_of_the_site_can_be_put_together(self) -> None:
        names = [str(path.relative_to(STATIC)) for path in (STATIC / "js").rglob("*.js")]
        made = Bundles(names)
        for entry in made.entries:
            whole = made.text(SHARED) + made.text(entry)
            for name in needed(entry):
                assert whole.count(f'\n"{name}"() {{') == 1, f"{name} in {entry}"

    def test_no_module_is_in_two_scripts_of_one_page(self) -> None:
        """Else there would be two of what it keeps."""
        made = Bundles([str(path.relative_to(STATIC)) for path in (STATIC / "js").rglob("*.js")])
        pages = [
            re.findall(r"{% module \"(js/[^\"]+)\"", page.read_text()) for page in TEMPLATES.rglob("*.html")
        ]  # fmt: skip
        assert sum(len(scripts) > 1 for scripts in pages) > 2
        for scripts in pages:
            own = [set(needed(script)) - {*made.shared} for script in scripts]
            assert sum(map(len, own)) == len(set().union(*own)), scripts


class TestStylesheets:
    FILES: Final = {
        "css/page.css": '@import "board.css";\n@import "cards.css";\n\n.page {}\n',
        "css/board.css": '@import "cards.css";\n.board {}\n',
        "css/cards.css": "/* A card. */\n.card {}\n",
        "css/odd.css": "@import url(cards.css);\n",
    }

    def test_each_is_there_once_before_what_imports_it(self) -> None:
        assert re.findall(r"\.(\w+)", stylesheet("css/page.css", self.FILES.__getitem__)) == ["card", "board", "page"]

    def test_another_way_to_import_says_so(self) -> None:
        with pytest.raises(CannotBundle, match=r"css/odd\.css"):
            stylesheet("css/odd.css", self.FILES.__getitem__)
