"""The addresses of lobby, table and players."""

from django.urls import include, path

from games import views
from games.learning import views as learning
from games.stands import views as stands

urlpatterns = [
    path("", views.home, name="home"),
    path("play/computer/", views.play_computer, name="play_computer"),
    path("play/friend/", views.play_friend, name="play_friend"),
    path("match/<slug:slug>/", views.match, name="match"),
    path("match/<slug:slug>/join/", views.match_join, name="match_join"),
    path("match/<slug:slug>/withdraw/", views.match_withdraw, name="match_withdraw"),
    path("match/<slug:slug>/overlay/", stands.overlay, name="overlay"),
    path("match/<slug:slug>/embed/", stands.embed, name="embed"),
    path("watch/", views.watch, name="watch"),
    path("watching/", stands.choose, name="watching_choice"),
    path("chat/<int:number>/report/", stands.chat_report, name="chat_report"),
    path("tv/", stands.tv, name="tv"),
    path("tv/exhibition/", stands.exhibition, name="exhibition"),
    path("tv/<slug:game>/", stands.tv, name="tv_game"),
    path("", include("games.moderation.urls")),
    path("player/<path:username>/", views.profile, name="profile"),
    path("rules/", learning.rules, name="rules"),
    path("rules/<slug:game>/", learning.rules_of, name="rules_of"),
    path("practice/", learning.practice, name="practice"),
    path("about/", views.about, name="about"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
]
