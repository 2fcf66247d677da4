"""What the spectators of a match are shown in one process: read once, rendered once for all who see alike."""

from __future__ import annotations

import logging
from collections.abc import Set
from typing import NamedTuple
from uuid import UUID

from django.utils import translation

from games import rendering, selectors
from games.engine.view import table_view
from games.frame import Frame, Reading
from games.tables import frame_of, has_clocks

logger = logging.getLogger(__name__)


class Eyes(NamedTuple):
    """Whatever makes the table look different to two spectators: the language, and the letters of jack to ace."""

    language: str
    letters: str


class Sight(NamedTuple):
    """Messages to those with the same eyes: what has changed since the last one, and the whole table."""

    change: str
    whole: str


class SharedRendering:
    """A match as spectators see it, and how it was shown to them last. `look` is for one thread at a time.

    ``version`` is that of the state that was looked at last.
    """

    def __init__(self, match_id: UUID) -> None:
        self.match_id = match_id
        self.version = 0
        self._company: selectors.Company | None = None
        self._is_company_known = False
        self._shown: dict[Eyes, Frame] = {}

    def forget_company(self) -> None:
        """Somebody came or went: read again, the next time, who is there."""
        self._is_company_known = False

    def look(self, eyes: Set[Eyes], new_eyes: Set[Eyes]) -> dict[Eyes, Sight]:
        """Read and project the match, and render what has changed for ``eyes``, and the whole table for ``new_eyes``.

        Raises:
            selectors.MatchNotFound: there is no such match any more.
        """
        state = selectors.current_state(self.match_id)
        company = self._company
        if company is None or not self._is_company_known:
            # Before it is read: whoever comes meanwhile makes it unknown again.
            self._is_company_known = True
            company = self._company = selectors.company_at(self.match_id)
        timing = selectors.timing_of(self.match_id) if has_clocks(state) else None
        view = table_view(state, None)
        frames: dict[Eyes, Frame] = {}
        sights: dict[Eyes, Sight] = {}
        for one in eyes | new_eyes:
            with translation.override(one.language):
                # The order of a hand is nothing that a spectator sees.
                frame = frames[one] = frame_of(view, company, timing, Reading(one.letters, weakest_first=False))
                before = self._shown.get(one)
                change = rendering.update(frame, before) if one in eyes and frame != before else ""
                sights[one] = Sight(change, rendering.update(frame, None) if one in new_eyes else "")
        self._shown, self.version = frames, view.version
        logger.debug("match %s at version %d: rendered for %d kinds of eyes", self.match_id, view.version, len(frames))
        return sights
