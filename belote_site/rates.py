"""How often somebody may do something; counted in Redis where several processes have to agree."""

from __future__ import annotations

import logging
import math
import time
from functools import cache

import limits
from django.conf import settings
from limits.storage import storage_from_string
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def seconds_to_wait(what: str, who: object, *rates: str) -> int:
    """Count one more ``what`` of ``who``; 0 when each rate, such as "20/hour", allows it, else how long to wait.

    What is refused is not counted. While Redis is down nobody is held back.
    """
    try:
        return _count(
            _limiter(settings.REDIS_URL or "memory://"), what, str(who), [limits.parse(rate) for rate in rates]
        )
    except RedisError as error:
        logger.warning("nothing is counted: %s", error)
        return 0


def _count(limiter: limits.strategies.RateLimiter, what: str, who: str, rates: list[limits.RateLimitItem]) -> int:
    waits = [
        max(1, math.ceil(limiter.get_window_stats(limit, what, who).reset_time - time.time()))
        for limit in rates
        if not limiter.test(limit, what, who)
    ]
    if not waits:
        for limit in rates:
            limiter.hit(limit, what, who)
    return max(waits, default=0)


@cache
def _limiter(storage: str) -> limits.strategies.RateLimiter:
    return limits.strategies.MovingWindowRateLimiter(storage_from_string(storage))
