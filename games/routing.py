"""The WebSocket addresses of the games."""

from django.urls import URLPattern, path, re_path

from games.consumers import MatchConsumer, nowhere
from games.lobby.consumers import LobbyConsumer
from games.stands.consumers import TelevisionConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/match/<slug:slug>/", MatchConsumer.app),  # type: ignore[arg-type]
    path("ws/lobby/", LobbyConsumer.app),  # type: ignore[arg-type]
    path("ws/tv/", TelevisionConsumer.app),  # type: ignore[arg-type]
    re_path("", nowhere),  # type: ignore[arg-type]
]
