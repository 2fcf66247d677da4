"""Given: a table with one person, and what that person or the computers do next."""

from __future__ import annotations

from uuid import UUID, uuid4

from accounts.models import User
from games import selectors, tasks
from games.ai.player import PLAYERS
from games.engine.commands import Next
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import table_view
from games.models import Match
from games.services import matches

ME = Seat.SOUTH
EASY = PLAYERS[Occupant.EASY]


def new_table(target: int = 501, level: Occupant = Occupant.EASY) -> tuple[User, Match]:
    """A guest South among three computers, present at the table."""
    user = User.objects.create_guest()
    match = matches.play_now(user, level, target)
    matches.arrive(match.pk, ME, f"tab-of-{user.pk}")
    return user, match


def computers_play(match_id: UUID) -> MatchState:
    """Let the computers act until the person is asked for something or the match is over."""
    while True:
        state = selectors.current_state(match_id)
        if state.turn in (ME, None):
            return state
        tasks.act_when_due.call(str(match_id), state.version)
        if selectors.current_state(match_id).version == state.version:
            raise AssertionError("the computer did not act")


def my_answer(state: MatchState) -> matches.SeatCommand:
    """What easy would do in the person's seat; next after a deal."""
    if state.phase is Phase.SUMMARY:
        return Next(state.deal_number)
    return EASY.choose(table_view(state, ME))


def play_on(match_id: UUID, until: Phase) -> MatchState:
    """Play, everyone like easy, until the person is asked for something in a phase."""
    while (state := computers_play(match_id)).phase is not until:
        answer = matches.submit(match_id, ME, my_answer(state), state.version, uuid4())
        if answer.status is not matches.Status.ACCEPTED:
            raise AssertionError(answer)
    return state
