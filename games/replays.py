"""Matches that are over, moment by moment. Of a match that is played nothing is to be had here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from games import codec
from games.engine.evolve import evolve
from games.engine.rules import Phase
from games.engine.state import MatchState
from games.engine.view import OpenView, open_view
from games.models import GameEvent, Match
from games.moments import Course, Length, Moment
from games.selectors import MatchNotFound

CACHED_REPLAYS = 16
"""Matches whose states this process keeps: about half a megabyte each."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A match that is over; ``course`` is None when it ended before the first deal.

    ``states`` are those of each deal by its number, one for each step; the last one has its score.
    """

    final: MatchState
    course: Course | None
    states: dict[int, list[MatchState]]

    def at(self, moment: Moment) -> OpenView:
        """Return a moment with all cards open."""
        return open_view(self.final, self.states[moment.deal][moment.step])

    def end_of(self, deal: int) -> OpenView:
        """Return the end of a deal: all its bids and cards, and its score."""
        return open_view(self.final, self.states[deal][-1])


def replay_of(match_id: UUID) -> Replay:
    """Return the replay of a match; everybody who has its address may see it.

    Raises:
        MatchNotFound: there is no such match, or it is not over.
        ValueError: the log is damaged.
    """
    over = Match.objects.filter(pk=match_id).exclude(status=Match.Status.RUNNING)
    version = over.values_list("version", flat=True).first()
    if version is None:
        raise MatchNotFound(match_id)
    return _folded(match_id, version)


@lru_cache(maxsize=CACHED_REPLAYS)
def _folded(match_id: UUID, version: int) -> Replay:
    rows = GameEvent.objects.filter(match_id=match_id, sequence__lte=version).order_by("sequence")
    state: MatchState | None = None
    states: dict[int, list[MatchState]] = {}
    for schema, payload in rows.values_list("schema", "payload"):
        state = evolve(state, codec.decode(payload, schema))
        if state.deal is None:
            continue
        steps = states.setdefault(state.deal.number, [])
        if state.deal.moves == len(steps):
            steps.append(state)
        elif state.phase in (Phase.SUMMARY, Phase.OVER):
            steps[-1] = state
    if state is None or state.phase is not Phase.OVER:
        raise MatchNotFound(match_id)
    lengths = {number: _length(steps[-1]) for number, steps in states.items()}
    return Replay(state, Course(lengths) if lengths else None, states)


def _length(end: MatchState) -> Length:
    bids = 0 if end.deal is None else len(end.deal.bids)
    return Length(bids, 0 if end.deal is None else end.deal.moves - bids)
