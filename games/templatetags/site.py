"""What the templates of all parts draw with."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, css_class: str = "") -> SafeString:
    """An icon of the site's sprite. It is a picture beside words: whoever uses it alone gives the words to its button."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f"icon {css_class}".strip(),
        static("icons/sprite.svg"),
        name,
    )
