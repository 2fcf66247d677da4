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


class TooOften(Exception):
    """Somebody does something more often than they may; they may go on in ``retry_after`` seconds.

    A page that it comes out of is answered with 429.
    """

    def __init__(self, what: str, retry_after: int) -> None:
        super().__init__(f"too many of: {what}; try again in {retry_after} s")
        self.retry_after = retry_after


def count(what: str, who: object, *rates: str) -> None:
    """Count one more ``what`` of ``who``, who may do it at each of the rates, such as "20/hour".

    While Redis is down nobody is held back.

    Raises:
        TooOften: a rate does not allow it; nothing is counted then.
    """
    try:
        wait = _count(
            _limiter(settings.REDIS_URL or "memory://"), what, str(who), [limits.parse(rate) for rate in rates]
        )
    except RedisError as error:
        logger.warning("nothing is counted: %s", error)
        return
    if wait:
        raise TooOften(what, wait)


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
