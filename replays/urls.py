"""The addresses of the replays."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from replays import opening, sharing, views


class SeatConverter(IntConverter):
    """The number of a seat."""

    regex = "[01]"


register_converter(SeatConverter, "seat")

CLIP = "replay/<slug:slug>/clip/<int:start>-<int:stop>-<seat:bottom>"

urlpatterns = [
    path("replays/", views.replays, name="replays"),
    path("replays/open/", opening.open_replay, name="open_replay"),
    path("replays/open/judge/", opening.judge_replay, name="judge_replay"),
    path("replay/<slug:slug>/", views.replay, name="replay"),
    path("replay/<slug:slug>.json", views.replay_document, name="replay_document"),
    path("replay/<slug:slug>.packed.json", views.replay_course, name="replay_course"),
    path("replay/<slug:slug>/embed/", sharing.replay_embed, name="replay_embed"),
    path("replay/<slug:slug>/image.png", sharing.replay_image, name="replay_image"),
    path(f"{CLIP}/", sharing.replay_clip, name="replay_clip"),
    path(f"{CLIP}/state/", sharing.replay_clip_state, name="replay_clip_state"),
    path(f"{CLIP}.gif", sharing.replay_clip_picture, name="replay_clip_picture"),
]
