"""The words of a language, for scripts."""

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog


@require_safe
@cache_control(public=True, max_age=300)
def catalogue(request: HttpRequest, language: str) -> HttpResponseBase:
    """Django's catalogue for scripts. The language is in the address: a cache on the way keeps one for each."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        response = JavaScriptCatalog.as_view()(request)
    response["Content-Language"] = language
    return response
