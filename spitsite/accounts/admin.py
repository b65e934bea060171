"""Users in the admin site."""

from typing import Any

import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401  (both register theirs first, for ours to replace)
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
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
    # By how they begin: an index finds these.
    search_fields = ("^username", "^email")
    search_help_text = _("How a name begins; for who looks after accounts, an address too.")
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-date_joined",)
    fieldsets = (*(DjangoUserAdmin.fieldsets or ()), (_("Playing"), {"fields": ("is_guest",)}))
    readonly_fields = ("last_login", "date_joined")

    def get_list_display(self, request: HttpRequest) -> Any:
        """Addresses are for those who look after accounts; moderators look after people."""
        shown = super().get_list_display(request)
        return shown if self.has_change_permission(request) else tuple(name for name in shown if name != "email")

    def get_search_fields(self, request: HttpRequest) -> Any:
        return self.search_fields if self.has_change_permission(request) else ("^username",)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        return [(None, {"fields": ("username", "is_guest", "is_active", "last_login", "date_joined")})]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[list[Any], Any, set[Any], list[Any]]:
        """What goes with a person. Matches stay; ratings go, although on their own pages nobody can delete them."""
        to_delete, counts, needed, protected = super().get_deleted_objects(objs, request)
        return to_delete, counts, needed - {Rating._meta.verbose_name}, protected


admin.site.unregister(UserSession)  # To delete one would not end the session; their owners do that.
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin[Authenticator]):
    """Second steps: to be taken off somebody who has lost phone and codes. Their secrets are nobody's to see."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("^user__username",)
    exclude = ("data",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return False
