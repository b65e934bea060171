"""What the frame of every page is drawn with: preferences, the sheet of keys, scripts without a chain of waiting."""

from typing import Any, Final

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language

from spitsite.accounts.preferences.catalogue import PREFERENCES
from spitsite.accounts.preferences.controls import SCOPES, WHILE_LIVE, printed
from spitsite.accounts.preferences.services import has_account
from spitsite.accounts.preferences.values import Values
from spitsite.bundles import SHARED, needed

register = template.Library()

QUICK: Final = ("theme", "deck", "cards", "sounds")
"""What the quick menu in the header offers."""
CLOCKS: Final = {"24": "H:i", "12": "P"}


@register.simple_tag
def modulepreloads(name: str) -> SafeString:
    """Everything that a script imports, to be fetched at once, not one after the other."""
    return format_html_join("\n  ", '<link rel="modulepreload" href="{}">', ((static(each),) for each in fetched(name)))


@register.simple_tag
def module(name: str) -> SafeString:
    """A script of the page, and everything that it imports."""
    return format_html('{}\n  <script type="module" src="{}"></script>', modulepreloads(name), static(name))


@register.simple_tag
def catalogue() -> SafeString:
    """The words of this language for scripts (`gettext`); those of the source are in the scripts already."""
    language = get_language()
    if language is None or language == settings.LANGUAGE_CODE:
        return SafeString()
    return format_html('<script src="{}"></script>', reverse("jsi18n", args=[language]))


def fetched(name: str) -> tuple[str, ...]:
    """The files that a script makes a browser fetch, too: one where scripts are put together, else all it imports."""
    if getattr(staticfiles_storage, "has_bundles", False):
        return (SHARED,)
    return needed(name)


def _values(context: Context) -> Values:
    """The preferences of whoever asks; where a page is drawn for nobody (an error), those by default."""
    found = context.get("preferences")
    return found if isinstance(found, Values) else Values()


@register.simple_tag(takes_context=True)
def root_attributes(context: Context) -> SafeString:
    """Of `<html>`: what stylesheets want to know, and all that was chosen, for the scripts.

    So the first thing that is painted is right, and no script has to run before.
    """
    values = _values(context)
    seen = [
        (f"data-{name}", values[name]) for name in values.chosen if name in PREFERENCES and PREFERENCES[name].is_seen
    ]
    is_kept = has_account(getattr(context.get("request"), "user", None))
    chosen = values.encode(is_private=is_kept)
    told = [("data-preferences", chosen)] if chosen else []
    kept = [("data-keeps", reverse("preferences"))] if is_kept else []
    return format_html_join("", ' {}="{}"', [*seen, *told, *kept])


@register.simple_tag(takes_context=True)
def color_scheme(context: Context) -> str:
    """What the browser paints before there is a stylesheet, and its own parts in."""
    theme = _values(context)["theme"]
    return theme if theme in ("light", "dark") else "light dark"


@register.inclusion_tag("preferences/quick.html", takes_context=True)
def quick_preferences(context: Context) -> dict[str, Any]:
    """The quick menu: a few preferences as buttons."""
    values = _values(context)
    return {"preferences": [(PREFERENCES[name], values[name]) for name in QUICK]}


@register.inclusion_tag("preferences/keys.html", takes_context=True)
def sheet_of_keys(context: Context, page: str) -> dict[str, Any]:
    """The sheet of keys of a page (`table`, `watch`, `practice`, `replay`), which `?` opens."""
    values = _values(context)
    scopes = [
        (
            scope,
            [
                {"name": name, "label": control.label, "keys": [caps(values[name]), *map(caps, control.also)]}
                for control in scope.controls
                if page != "watch" or scope.name != "replay" or control.name in WHILE_LIVE
                # Only who watches can turn the table; whoever plays may have that very key for a card.
                if page not in ("table", "practice") or (scope.name, control.name) != ("view", "flip")
                for name in [f"key.{scope.name}.{control.name}"]
            ],
        )
        for scope in SCOPES
        if page in scope.sheets
    ]
    return {"page": page, "scopes": scopes}


def caps(key: str) -> list[str]:
    """A key, or keys to be pressed together, as they are printed."""
    return [printed(part) for part in key.split("+")] if len(key) > 1 else [printed(key)]


@register.simple_tag(takes_context=True)
def day_and_time(context: Context, moment: Any) -> SafeString:
    """A moment in the server's time zone; the page's script puts it into the reader's."""
    clock = _values(context)["clock"]
    here = localtime(moment)
    text = f"{date_format(here, 'DATE_FORMAT')}, {time_format(here, CLOCKS[clock])}"
    return format_html('<time datetime="{}" data-clock>{}</time>', moment.isoformat(), text)
