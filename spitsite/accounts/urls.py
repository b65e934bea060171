"""The addresses of the account pages that allauth does not have, below /accounts/."""

from django.urls import path

from spitsite.accounts import views

urlpatterns = [
    path("", views.account, name="account"),
    path("signup/", views.sign_up, name="account_signup"),
    path("name/", views.name, name="account_name"),
    path("data/", views.data, name="account_data"),
    path("data/download/", views.download, name="account_download"),
    path("delete/", views.delete, name="account_delete"),
    path("sessions/<int:pk>/end/", views.end_session, name="usersessions_end"),
]
