"""How often somebody may do something; counted in Redis where several processes have to agree."""

from __future__ import annotations

import math
import time
from functools import cache

import limits
from django.conf import settings
from limits.storage import storage_from_string


def seconds_to_wait(what: str, who: object, *rates: str) -> int:
    """Count one more ``what`` of ``who``; 0 when each rate, such as "20/hour", allows it, else how long to wait.

    What is refused is not counted.
    """
    limiter = _limiter(settings.REDIS_URL or "memory://")
    parsed = [limits.parse(rate) for rate in rates]
    waits = [
        max(1, math.ceil(limiter.get_window_stats(limit, what, str(who)).reset_time - time.time()))
        for limit in parsed
        if not limiter.test(limit, what, str(who))
    ]
    if not waits:
        for limit in parsed:
            limiter.hit(limit, what, str(who))
    return max(waits, default=0)


@cache
def _limiter(storage: str) -> limits.strategies.RateLimiter:
    return limits.strategies.MovingWindowRateLimiter(storage_from_string(storage))
