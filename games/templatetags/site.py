"""What the templates of all parts draw with."""

from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

SUITS: Final = {"h": "heart", "d": "diamond", "s": "spade", "c": "club"}


@register.simple_tag
def icon(name: str, css_class: str = "") -> SafeString:
    """An icon of the site's sprite: a picture beside words. Used alone, its button needs words all the same."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f"icon {css_class}".strip(),
        static("icons/sprite.svg"),
        name,
    )


@register.simple_tag
def suit(letter: str) -> SafeString:
    """The sign of a suit, by its letter in a card."""
    return icon(SUITS[letter], "suit")
