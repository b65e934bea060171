"""The addresses of lobby, table and players."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
