"""What each card of a finished deal cost when all four hands are known, and what hard would have played with its own.

The cards are looked at from the last to the first: what the rest of the deal is worth after a card is then known
already, the table of bounds fills from small positions, and the other cards are sought near a value that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.ai.player import PLAYERS
from games.ai.solver import Solver
from games.engine.cards import Card
from games.engine.commands import PlayCard
from games.engine.events import CardPlayed, Event
from games.engine.evolve import evolve
from games.engine.scoring import LAST_TRICK, TOTAL
from games.engine.seats import Occupant, Seat, Team
from games.engine.state import MatchState
from games.engine.view import table_view

CARDS_OF_A_DEAL = 32


class Move(NamedTuple):
    """A card that was played, and the match just before. It holds every hand: only of matches that are over."""

    state: MatchState
    card: Card


class AnalysedMove(NamedTuple):
    """A card that was played, and what could have been.

    ``values`` are, for each card that was legal, the points that the side of ``seat`` has at the end of the deal when
    all four play perfectly after it and know every hand: those of its tricks, the ones won before included, with the
    ten of the last trick (R1.5), so 0 to 162. Belote (R5), the 252 of a capot (R6.4) and whether the contract is made
    (R6.1) are left out: values compare cards, they do not score the deal.
    ``hard`` is what the hard computer would have played, which sees what the seat saw and no more.
    """

    seat: Seat
    card: Card
    values: dict[Card, int]
    hard: Card

    @property
    def cost(self) -> int:
        """By how many points the best card was better than the one that was played."""
        return max(self.values.values()) - self.values[self.card]


def moves_of(events: Iterable[Event], deal: int) -> list[Move]:
    """Return the cards of one deal of a match, of which `events` tell from its beginning on.

    Raises:
        ValueError: the deal was not played out, or the log is damaged.
    """
    moves: list[Move] = []
    state: MatchState | None = None
    for event in events:
        if isinstance(event, CardPlayed) and state is not None and state.deal_number == deal:
            moves.append(Move(state, event.card))
            if len(moves) == CARDS_OF_A_DEAL:
                return moves
        state = evolve(state, event)
    raise ValueError(f"of deal {deal} {len(moves)} cards were played, not {CARDS_OF_A_DEAL}")


def analyse(moves: Sequence[Move]) -> Iterator[AnalysedMove]:
    """Yield what there is to say of the moves that end a deal, of the last one first.

    Args:
        moves: all of a deal, or those from some move on to the last.

    Raises:
        ValueError: they do not end a deal.
    """
    solver: Solver | None = None
    points = _north_souths_points(moves[-1])
    for state, card in reversed(moves):
        deal, seat = state.deal, state.turn
        if deal is None or deal.trump is None or seat is None:
            raise ValueError("nobody was to play a card")
        solver = solver or Solver(deal.trump, state.rules.undertrump)
        won = deal.card_points[Team.NORTH_SOUTH]
        left = solver.values(deal.hands, *deal.trick, known={card: points - won})
        values = {card: won + value for card, value in left.items()}
        if seat.team is Team.NORTH_SOUTH:
            points = max(values.values())
        else:
            points = min(values.values())
            values = {card: TOTAL - value for card, value in values.items()}
        yield AnalysedMove(seat, card, values, _hards_card(state, seat))


def _north_souths_points(last: Move) -> int:
    """Return what North-South have at the end of the deal."""
    if last.state.turn is None:
        raise ValueError("nobody was to play a card")
    deal = evolve(last.state, CardPlayed(last.state.turn, last.card)).deal
    if deal is None or deal.turn is not None:
        raise ValueError("the last move does not end a deal")
    bonus = LAST_TRICK if deal.tricks[-1].winner.team is Team.NORTH_SOUTH else 0
    return deal.card_points[Team.NORTH_SOUTH] + bonus


def _hards_card(state: MatchState, seat: Seat) -> Card:
    answer = PLAYERS[Occupant.HARD].choose(table_view(state, seat))
    if not isinstance(answer, PlayCard):
        raise ValueError("nobody was to play a card")
    return answer.card
