"""What the templates of all parts draw with."""

from typing import Final

from django import template
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.template import Context
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


@register.simple_tag(takes_context=True)
def absolute(context: Context, path: str | None = None) -> str:
    """The address of a path on this site, the page's own by default, with host and scheme as messengers want it.

    The page that refuses a host that is not ours has no such address: it gets the path alone.
    """
    request: HttpRequest = context["request"]
    path = request.path if path is None else path
    try:
        return request.build_absolute_uri(path)
    except DisallowedHost:
        return path
