"""The addresses of lobby, table and players."""

from django.urls import include, path, re_path

from games import views
from games.learning import views as learning
from games.lobby import asking
from games.lobby import views as lobby
from games.profiles import views as profiles
from games.stands import views as stands

urlpatterns = [
    path("", lobby.home, name="home"),
    path("play/computer/", lobby.play_computer, name="play_computer"),
    path("play/friend/", lobby.play_friend, name="play_friend"),
    path("lobby/quick/", asking.quick, name="lobby_quick"),
    path("lobby/offer/", asking.offer, name="lobby_offer"),
    path("lobby/cancel/", asking.cancel, name="lobby_cancel"),
    path("lobby/<int:key>/accept/", asking.accept, name="lobby_accept"),
    path("lobby/<int:key>/decline/", asking.decline, name="lobby_decline"),
    path("challenge/<path:username>/send/", asking.challenge_send, name="challenge_send"),
    path("challenge/<path:username>/", asking.challenge, name="challenge"),
    path("match/<slug:slug>/", views.match, name="match"),
    path("match/<slug:slug>/join/", lobby.match_join, name="match_join"),
    path("match/<slug:slug>/withdraw/", lobby.match_withdraw, name="match_withdraw"),
    path("match/<slug:slug>/qr.svg", lobby.match_qr, name="match_qr"),
    path("match/<slug:slug>/after/", views.match_after, name="match_after"),
    path("match/<slug:slug>/overlay/", stands.overlay, name="overlay"),
    path("match/<slug:slug>/embed/", stands.embed, name="embed"),
    path("watch/", views.watch, name="watch"),
    path("watching/", stands.choose, name="watching_choice"),
    path("chat/<int:number>/report/", stands.chat_report, name="chat_report"),
    path("tv/", stands.tv, name="tv"),
    path("tv/exhibition/", stands.exhibition, name="exhibition"),
    path("tv/<slug:game>/", stands.tv, name="tv_game"),
    path("", include("games.moderation.urls")),
    path("ratings/", profiles.ratings, name="ratings"),
    path("ratings/<slug:game>/", profiles.leaderboard, name="leaderboard"),
    path("players/", profiles.players, name="players"),
    path("people/", profiles.people, name="people"),
    path("player/<path:username>/against/", profiles.head_to_head, name="head_to_head_form"),
    path("player/<path:username>/against/<path:other>/", profiles.head_to_head, name="head_to_head"),
    re_path(r"^player/(?P<username>.+)/(?P<verb>follow|unfollow|block|unblock)/$", profiles.tie, name="tie"),
    path("player/<path:username>/", profiles.profile, name="profile"),
    path("rules/", learning.rules, name="rules"),
    path("rules/<slug:game>/", learning.rules_of, name="rules_of"),
    path("practice/", learning.practice, name="practice"),
    path("about/", views.about, name="about"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
]
