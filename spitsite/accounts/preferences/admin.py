"""Preferences in the admin site: to be read, when somebody asks why their table looks as it does."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from spitsite.accounts.preferences.models import Preferences


@admin.register(Preferences)
class PreferencesAdmin(admin.ModelAdmin[Preferences]):
    list_display = ("user", "chosen")
    search_fields = ("^user__username",)
    list_select_related = ("user",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
