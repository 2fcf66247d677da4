"""What connections may do here, beyond daphne: headers, message sizes, codes, peers that do not read."""

# daphne.server installs the reactor and must come before anything that imports one.
import daphne.server  # noqa: F401  # isort: skip

from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from autobahn.twisted.websocket import ConnectionDeny
from autobahn.websocket.types import ConnectionRequest
from daphne import http_protocol
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer, reactor
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer

# The longest honest frame is a few hundred bytes. autobahn holds what is sent to the message limit as well, and a whole
# table in Thai takes 60 kB; the consumer refuses messages put together from many frames.
LARGEST_FRAME = 8192
LARGEST_MESSAGE = 262_144
PATIENCE_SECONDS = 20


class SiteRequest(http_protocol.WebRequest):
    """Takes no header that speaks for a proxy: daphne would let anyone choose the root path of the site."""

    def process(self) -> None:
        self.requestHeaders.removeHeader(b"daphne-root-path")
        super().process()


@implementer(IPushProducer)
class _Patience:
    """Cuts a connection off whose peer has not read anything for a while: what it is owed lies in our memory."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._timer: Any = None

    def pauseProducing(self) -> None:  # noqa: N802
        self._timer = reactor.callLater(PATIENCE_SECONDS, self._transport.abortConnection)

    def resumeProducing(self) -> None:  # noqa: N802
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    stopProducing = resumeProducing  # noqa: N815


class SiteSocket(WebSocketProtocol):
    """Answers 400 to a handshake that daphne would answer with error 500, closes with any code of RFC 6455, and does
    not wait for ever for a peer that does not read."""

    def onConnect(self, request: ConnectionRequest) -> defer.Deferred[Any]:  # noqa: N802
        if not request.path.isascii() or not request.headers.get("sec-websocket-protocol", "").isascii():
            raise ConnectionDeny(ConnectionDeny.BAD_REQUEST, "Malformed handshake")
        return super().onConnect(request)

    def onOpen(self) -> None:  # noqa: N802
        # The HTTP channel that the connection began on is registered still; it would only stop reading from the peer.
        self.transport.unregisterProducer()
        self.transport.registerProducer(_Patience(self.transport), streaming=True)
        super().onOpen()

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: N802
        # A peer may go while something is on its way to it. Its consumer is about to be told, and tidies up then.
        with suppress(Disconnected):
            super().serverSend(content, binary)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        # sendClose knows 1000 and private codes only; browsers come back after 1013 and stay away after private ones.
        self.sendCloseFrame(code=1000 if code is None else code)
