"""The web server: daphne with this site's limits, and with the background tasks inside when they are embedded.

    python -m belote_site.server --port 8000

takes daphne's own options. Tasks start here and not in asgi.py, so that tests and tools can import the application
without starting a worker. The processes in which computer players think load the main module of their parent again,
unless it is called `__main__` like this one: so they stay small.
"""

# daphne.server installs the reactor and must come before anything that imports one.
from daphne.server import Server, WebSocketFactory  # isort: skip

import sys
from typing import Any

from daphne import http_protocol
from daphne.cli import CommandLineInterface
from django.conf import settings
from twisted.internet import reactor
from twisted.internet.threads import deferToThread

from belote_site.server.connections import LARGEST_FRAME, LARGEST_MESSAGE, SiteRequest, SiteSocket


class SiteServer(Server):
    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        address = port.getHost()
        if hasattr(address, "port") and not settings.PRODUCTION:
            sys.stdout.write(f"Belote is at http://{address.host}:{address.port}/ (Ctrl-C stops it)\n")
            sys.stdout.flush()

    def listen_error(self, failure: Any) -> None:
        fault = failure.getErrorMessage().rstrip(".")
        sys.stderr.write(f"Belote cannot listen: {fault}. Choose another port: make play PORT=9000\n")
        self.stop()

    def run(self) -> None:
        WebSocketFactory.protocol = SiteSocket
        http_protocol.WebRequest = SiteRequest
        # Models can be imported only once Django is set up, which loading the application has done.
        if not settings.EMBEDDED_TASKS:
            from games.services import presence

            presence.grant_time()
            super().run()
            return
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
