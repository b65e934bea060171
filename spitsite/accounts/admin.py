"""Users in the admin site."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Rating
from spitsite.accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User]):
    """Django's own page of users, with guests told apart."""

    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    fieldsets = (*(DjangoUserAdmin.fieldsets or ()), (_("Playing"), {"fields": ("is_guest",)}))
    readonly_fields = ("last_login", "date_joined")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[list[Any], Any, set[Any], list[Any]]:
        """What goes with a person. Matches stay; ratings go, although on their own pages nobody can delete them."""
        to_delete, counts, needed, protected = super().get_deleted_objects(objs, request)
        return to_delete, counts, needed - {Rating._meta.verbose_name}, protected
