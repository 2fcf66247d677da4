"""The web server: daphne with this site's limits, and with the background tasks inside when they are embedded.

    python -m belote_site.server --port 8000

takes daphne's own options. Tasks start here and not in asgi.py, so that tests and tools can import the application
without starting a worker.
"""

# daphne.server installs the reactor and must come before anything that imports one.
from daphne.server import Server, WebSocketFactory  # isort: skip

import sys
from typing import Any

from autobahn.twisted.websocket import ConnectionDeny
from autobahn.websocket.types import ConnectionRequest
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet import defer, reactor
from twisted.internet.threads import deferToThread

# The longest honest frame is a few hundred bytes. autobahn holds what is sent to the message limit as well, and a whole
# table in Thai takes 60 kB; the consumer refuses messages put together from many frames.
LARGEST_FRAME = 8192
LARGEST_MESSAGE = 262_144


class SiteSocket(WebSocketProtocol):
    """Answers 400 to a handshake that daphne would answer with error 500, and closes with any code of RFC 6455."""

    def onConnect(self, request: ConnectionRequest) -> defer.Deferred[Any]:  # noqa: N802
        if not request.path.isascii() or not request.headers.get("sec-websocket-protocol", "").isascii():
            raise ConnectionDeny(ConnectionDeny.BAD_REQUEST, "Malformed handshake")
        return super().onConnect(request)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        # sendClose knows 1000 and private codes only; browsers come back after 1013 and stay away after private ones.
        self.sendCloseFrame(code=1000 if code is None else code)


class SiteServer(Server):
    def run(self) -> None:
        WebSocketFactory.protocol = SiteSocket
        if not settings.EMBEDDED_TASKS:
            super().run()
            return
        # The queue's models can be imported only once Django is set up, which loading the application has done.
        from belote_site.background import EmbeddedTasks

        tasks = EmbeddedTasks()
        try:
            tasks.start()
            # While the loop still turns: a task that announces something to it would wait for ever otherwise.
            reactor.addSystemEventTrigger("before", "shutdown", deferToThread, tasks.stop)
            super().run()
        finally:
            tasks.stop()


class CommandLine(CommandLineInterface):
    server_class = SiteServer

    def __init__(self) -> None:
        super().__init__()
        self.parser.set_defaults(
            websocket_max_message_size=LARGEST_MESSAGE,
            websocket_max_frame_size=LARGEST_FRAME,
            verbosity=0,
            server_name="",
        )


if __name__ == "__main__":
    CommandLine().run([*sys.argv[1:], "belote_site.asgi:application"])
