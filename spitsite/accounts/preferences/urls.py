"""The addresses of preferences."""

from django.urls import path

from spitsite.accounts.preferences import views

urlpatterns = [path("preferences/", views.preferences, name="preferences")]
