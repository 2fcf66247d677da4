"""The channel layer of a site that is one process."""

import time

from channels.layers import InMemoryChannelLayer

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
