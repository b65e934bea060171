"""What the pages of accounts draw with."""

import re
from typing import Final

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# Each says it is the ones behind it as well.
BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


@register.filter
def browser(user_agent: str) -> str:
    """A browser in words that its owner knows it by: "Firefox, Windows"."""
    found = [
        next((name for sign, name in known if re.search(rf"\b{sign}", user_agent)), "") for known in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("another program")
