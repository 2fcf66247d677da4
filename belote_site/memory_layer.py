"""Channels' in-memory layer for one process, fit for many idle sockets."""

from __future__ import annotations

import time

from channels.layers import InMemoryChannelLayer

CLEANING_EVERY_SECONDS = 5.0


class OneProcessLayer(InMemoryChannelLayer):
    """Looks for expired messages every few seconds, where the original walks every socket on each message."""

    _cleaned_at = 0.0

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._cleaned_at >= CLEANING_EVERY_SECONDS:
            self._cleaned_at = now
            super()._clean_expired()
