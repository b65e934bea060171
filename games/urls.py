"""The addresses of lobby, table and players."""

from django.urls import path

from games import views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/computer/", views.play_computer, name="play_computer"),
    path("play/friend/", views.play_friend, name="play_friend"),
    path("match/<slug:slug>/", views.match, name="match"),
    path("match/<slug:slug>/join/", views.match_join, name="match_join"),
    path("watch/", views.watch, name="watch"),
    path("player/<path:username>/", views.profile, name="profile"),
    path("rules/", views.rules, name="rules"),
    path("about/", views.about, name="about"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
]
