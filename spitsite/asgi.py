"""The ASGI application: pages by Django, live matches by Channels."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
pages = get_asgi_application()

from games.routing import websocket_urlpatterns  # noqa: E402  (the apps have to be ready)
from spitsite.lifespan import Lifespan  # noqa: E402

application = ProtocolTypeRouter(
    {
        "lifespan": Lifespan(),
        "http": pages,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
