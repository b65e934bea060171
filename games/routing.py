"""The WebSocket addresses of the games."""

from django.urls import URLPattern, path

from games.consumers import MatchConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/match/<slug:slug>/", MatchConsumer.app),  # type: ignore[arg-type]
]
