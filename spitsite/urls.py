"""The addresses of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("", include("games.urls")),
    path("", include("replays.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("jsi18n/", cache_control(public=True, max_age=300)(JavaScriptCatalog.as_view()), name="jsi18n"),
]
