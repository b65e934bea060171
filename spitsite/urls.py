"""The addresses of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from spitsite import words

# Administrators sign in where everybody does, under the same limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = "spitsite.faults.bad_request"

urlpatterns = [
    path("", include("games.urls")),
    path("", include("replays.urls")),
    path("", include("spitsite.accounts.preferences.urls")),
    path("accounts/", include("spitsite.accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("jsi18n/<str:language>/", words.catalogue, name="jsi18n"),
]
