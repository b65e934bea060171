"""The addresses of lobby, table and players."""

from django.urls import path, re_path

from games import views
from games.learning import views as learning
from games.profiles import views as profiles

urlpatterns = [
    path("", views.home, name="home"),
    path("play/computer/", views.play_computer, name="play_computer"),
    path("play/friend/", views.play_friend, name="play_friend"),
    path("match/<slug:slug>/", views.match, name="match"),
    path("match/<slug:slug>/join/", views.match_join, name="match_join"),
    path("match/<slug:slug>/withdraw/", views.match_withdraw, name="match_withdraw"),
    path("watch/", views.watch, name="watch"),
    path("ratings/", profiles.ratings, name="ratings"),
    path("ratings/<slug:game>/", profiles.leaderboard, name="leaderboard"),
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
