"""The channel layers: of a site that is one process, and of one that is several on Redis."""

import asyncio
import time
from uuid import uuid4

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

_SECONDS_BETWEEN_CLEANINGS = 10


class OneProcessChannelLayer(InMemoryChannelLayer):
    """Channels' own layer, which walks every socket of the process on every message to find expired ones.

    With two thousand idle sockets that is seventy times slower. Now and then is enough, since what expires here is a
    membership of a day ago, or a message that a minute did not deliver.
    """

    _next_cleaning = 0.0

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now >= self._next_cleaning:
            self._next_cleaning = now + _SECONDS_BETWEEN_CLEANINGS
            super()._clean_expired()


class ManyProcessesChannelLayer(RedisPubSubChannelLayer):
    """The layer on Redis for sockets that hear of their groups only: nobody ever sends to a single one.

    So a socket's own channel is not subscribed to in Redis, and a socket can open while Redis is down; its groups are
    joined when Redis is back.
    """

    async def new_channel(self, prefix: str = "specific.") -> str:
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel
