"""As `Intl.DateTimeFormat` writes a medium date (static/js/site/times.js): "Dec 1, 2026"."""

from typing import Final

DATE_FORMAT: Final = "M j, Y"
