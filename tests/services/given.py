"""Given: a table with one person, and what that person or the computers do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

from django.utils import timezone

from accounts.models import User
from games import selectors, tasks
from games.ai.player import PLAYERS
from games.engine.commands import Next
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import table_view
from games.models import Match, MatchSeat, Presence, Room
from games.services import matches, presence, rooms, seating

ME = Seat.SOUTH
EASY = PLAYERS[Occupant.EASY]


def new_table(target: int = 501, level: Occupant = Occupant.EASY) -> tuple[User, Match]:
    """A guest South among three computers, present at the table."""
    user = User.objects.create_guest()
    match = rooms.play_now(user, level, target)
    presence.arrive(match.pk, ME, f"tab-of-{user.pk}")
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


class Table:
    """A match of several people; seats are named, and tabs are numbered by the server."""

    def __init__(self, match: Match) -> None:
        self.match = match
        rows = MatchSeat.objects.filter(match=match).select_related("user")
        self.users = {Seat(row.seat): row.user for row in rows if row.user is not None}
        self.people = sorted(self.users)
        self.computers = [seat for seat in Seat if seat not in self.users]
        self.tabs: dict[Seat, int] = {}

    @property
    def state(self) -> MatchState:
        return selectors.current_state(self.match.pk)

    def row(self, seat: Seat) -> MatchSeat:
        return MatchSeat.objects.get(match=self.match, seat=seat)

    def arrive(self, seat: Seat, tab: int | None = None) -> None:
        self.tabs[seat] = presence.arrive(self.match.pk, seat, f"channel {uuid4()}", tab)

    def depart(self, seat: Seat) -> None:
        for channel in Presence.objects.filter(match=self.match, seat=seat).values_list("channel", flat=True):
            presence.depart(self.match.pk, seat, channel)

    def stay(self, seat: Seat) -> None:
        channel = Presence.objects.get(match=self.match, seat=seat).channel
        presence.stay(self.match.pk, seat, channel, self.tabs[seat])

    def act(self) -> None:
        """Whoever is asked answers like easy; computers act now, people say next."""
        state = self.state
        if state.phase is Phase.SUMMARY:
            for seat in self.people:
                if state.acting(seat) is Occupant.PERSON and seat not in state.next_said:
                    matches.submit(self.match.pk, seat, Next(state.deal_number), state.version, uuid4())
                    return
            self.let_due_act()
        elif state.turn is not None and state.acting(state.turn) is Occupant.PERSON:
            command = EASY.choose(table_view(state, state.turn))
            matches.submit(self.match.pk, state.turn, command, state.version, uuid4())
        else:
            tasks.act_when_due.call(str(self.match.pk), state.version)

    def let_due_act(self) -> None:
        """What is due later is due now."""
        Match.objects.filter(pk=self.match.pk).update(due_at=timezone.now())
        tasks.act_when_due.call(str(self.match.pk), self.state.version)

    def let_time_run_out(self) -> None:
        """The turn began so long ago that the clock and the whole reserve are spent."""
        long_ago = timedelta(minutes=10)
        Match.objects.filter(pk=self.match.pk).update(
            turn_since=timezone.now() - long_ago, due_at=timezone.now() - timedelta(seconds=1)
        )
        tasks.act_when_due.call(str(self.match.pk), self.state.version)

    def play_until(self, seen: Callable[[MatchState], object]) -> MatchState:
        while not seen(state := self.state):
            self.act()
            if self.state.version == state.version:
                raise AssertionError(f"nobody acted in {state.phase}, {state.turn}")
        return state


def four_people(
    *,
    clock: int | None = 30,
    computers: int = 0,
    present: bool = True,
    users: Sequence[User] = (),
    **options: object,
) -> Table:
    """A running match of four people (new guests), the last of them replaced by computers, all at the table."""
    users = users or [User.objects.create_guest() for _ in range(4 - computers)]
    room = rooms.create(users[0], Room(**{"clock": clock, "target": 501, **options}))
    for user in users[1:]:
        seating.enter(user, room.invite)
    if computers:
        rooms.fill(users[0], room.pk, Occupant.EASY)
    table = Table(rooms.start(users[0], room.pk))
    for seat in table.people if present else []:
        table.arrive(seat)
    return table
