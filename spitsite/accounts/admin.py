"""Users in the admin site."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.utils.translation import gettext_lazy as _

from spitsite.accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Django's own page of users, with guests told apart."""

    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    fieldsets = (*(DjangoUserAdmin.fieldsets or ()), (_("Playing"), {"fields": ("is_guest",)}))
    readonly_fields = ("last_login", "date_joined")
