"""The ASGI application: pages by Django, live matches by Channels."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
pages = get_asgi_application()

from games.live.supervisor import get_supervisor  # noqa: E402
from games.lobby.hall import get_hall  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402  (the apps have to be ready)
from spitsite.lifespan import Lifespan  # noqa: E402
from spitsite.monitoring.answers import Monitored  # noqa: E402

application = ProtocolTypeRouter(
    {
        "lifespan": Lifespan(get_supervisor, get_hall),
        "http": Monitored(pages),
        # Origin, session and user are looked at once, by the consumer itself: a stack of middleware here would also sit
        # between it and every frame that it sends.
        "websocket": URLRouter(websocket_urlpatterns),
    }
)
