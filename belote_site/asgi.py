"""The way in: pages to Django; sockets through the origin check and the session to their consumer."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import WebsocketDenier
from django.core.asgi import get_asgi_application
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "belote_site.settings")
pages = get_asgi_application()

# The consumer's models can be imported only once Django is set up.
from belote_site.origins import ExactOrigin  # noqa: E402
from games.consumers import table_socket  # noqa: E402
from games.room_consumers import LobbyConsumer, RoomConsumer  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": ExactOrigin(
            AuthMiddlewareStack(
                URLRouter(
                    [
                        path("ws/match/<uuid:match_id>/", table_socket),
                        path("ws/room/<uuid:room_id>/", RoomConsumer.as_asgi()),
                        path("ws/lobby/", LobbyConsumer.as_asgi()),
                        # Without it, an unknown path is an error 500 with a traceback in the log.
                        re_path(r"", WebsocketDenier.as_asgi()),
                    ]
                )
            )
        ),
    }
)
