"""Static files as they are sent."""

import pytest

from spitsite.bundles import without_comments


class TestWithoutComments:
    @pytest.mark.parametrize(
        ("text", "sent"),
        [
            ("/** Says why. */\nlet a = 1;\n", "let a = 1;\n"),
            ("/*\n * Several\n * lines.\n */\n\nlet a;\n", "\nlet a;\n"),
            ("let a;\n  // A line.\nlet b;\n", "let a;\nlet b;\n"),
            ("let a;\n// The last one.", "let a;\n"),
            # What stands beside code stays where it is, and nothing between two comments goes.
            ("  /** @type {any} */ (a).b();\nlet c;\n/* d */\n", "  /** @type {any} */ (a).b();\nlet c;\n"),
            ('let a = "/* no */"; // said\n', 'let a = "/* no */"; // said\n'),
            ('fetch("http://x/");\n', 'fetch("http://x/");\n'),
            ("a { b: url(//c); }\n/* d */\ne { f: g; }\n", "a { b: url(//c); }\ne { f: g; }\n"),
            ("/*! Licence of somebody */\nlet a;\n", "/*! Licence of somebody */\nlet a;\n"),
        ],
    )
    def test_is_what_a_browser_wants(self, text: str, sent: str) -> None:
        assert without_comments(text) == sent
