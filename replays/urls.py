"""The addresses of the replays."""

from django.urls import path

from replays import views

urlpatterns = [
    path("replays/", views.replays, name="replays"),
    path("replay/<slug:slug>/", views.replay, name="replay"),
    path("replay/<slug:slug>/image.png", views.replay_course, name="replay_image"),
    path("replay/<slug:slug>.packed.json", views.replay_course, name="replay_course"),
    path("replay/<slug:slug>.json", views.replay_document, name="replay_document"),
]
