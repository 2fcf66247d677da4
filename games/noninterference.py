"""Whether what a computer player does depends on cards that its seat cannot see (R9.1).

In positions of played deals the cards that the seat on turn cannot see are dealt anew, and the player is asked in both.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import NamedTuple

from games.ai.player import PLAYERS
from games.arena import after
from games.engine.cards import cards_in
from games.engine.commands import CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.decide import SERVER
from games.engine.notation import SEATS, format_card, format_hand, format_suit, format_trick
from games.engine.rules import BeloteCall, Litige, RuleSet, Undertrump
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import TableView, table_view
from games.redeals import Redeals
from games.side_by_side import side_by_side

type Answer = Take | Pass | PlayCard
type Ask = Callable[[MatchState, Seat], Answer]
"""Asks a player for a seat. A player is shown a view; the state is given so that tests can plant one that peeks."""

AT_ONCE = 20
"""Positions of one piece of work: the player is asked in all of them, in any order."""
OF_ONE_DEAL = 10
"""At most so many positions are of the same deal."""
TRIES = 4
"""So often it is tried to draw other hands; with few cards left there may be none."""
_COMPUTERS = BySeat(Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL)


class Pair(NamedTuple):
    """A position in which ``seat`` has a choice, as dealt, and with what it cannot see dealt anew."""

    seat: Seat
    dealt: MatchState
    redealt: MatchState


class Difference(NamedTuple):
    """A pair that a seat can tell apart by what it is shown, or a player by what it answers for it."""

    pair: Pair
    answers: tuple[Answer, Answer]

    def __str__(self) -> str:
        seat, dealt, redealt = self.pair
        view = table_view(dealt, seat)
        lines = [position_text(view)]
        if table_view(redealt, seat) != view:
            lines.append("The view itself is another after the redeal.")
        for state, answer in zip((dealt, redealt), self.answers, strict=True):
            hands = "" if state.deal is None else _hands_text(state.deal.hands, seat)
            lines.append(f"answers {_answer_text(answer)} when the others hold {hands}")
        return "\n".join(lines)


class Result(NamedTuple):
    """How many bids and cards were examined, and the first difference, if there is one."""

    bids: int
    cards: int
    difference: Difference | None


def examine(level: Occupant, positions: int, seed: int, jobs: int, progress: Callable[[int], None]) -> Result:
    """Examine a level in so many positions; the result is the same for any number of processes.

    It ends with the first difference.

    Args:
        progress: told how many positions are done.

    Raises:
        BrokenProcessPool: something else has ended one of several processes.
    """
    parts = [(f"{seed} {at}", min(AT_ONCE, positions - at)) for at in range(0, positions, AT_ONCE)]
    bids = cards = 0
    with closing(side_by_side(partial(_examine_part, level), parts, jobs)) as examined:
        for part in examined:
            bids, cards = bids + part.bids, cards + part.cards
            if part.difference is not None:
                return Result(bids, cards, part.difference)
            progress(bids + cards)
    return Result(bids, cards, None)


def _examine_part(level: Occupant, part: tuple[str, int]) -> Result:
    seed, count = part
    rng = random.Random(seed)
    some = list(islice(pairs(rng), count))
    bids = sum(bool(table_view(pair.dealt, pair.seat).legal_bids) for pair in some)
    return Result(bids, count - bids, first_difference(asking(level), some, rng))


def asking(level: Occupant) -> Ask:
    """Return how a level is asked at a table: it is shown the view of its seat."""
    return lambda state, seat: PLAYERS[level].choose(table_view(state, seat))


def pairs(rng: random.Random) -> Iterator[Pair]:
    """Yield pairs without end, of deals with all options of the rules; the hands of other seats do differ."""
    while True:
        positions = list(_positions(rng))
        for state in rng.sample(positions, min(OF_ONE_DEAL, len(positions))):
            if state.deal is None or state.turn is None:
                raise ValueError("nobody is on turn")
            redeals = Redeals(state.deal, state.turn, state.rules)
            drawn = (redeals.draw(rng) for _ in range(TRIES))
            other = next((deal for deal in drawn if deal.hands != state.deal.hands), None)
            if other is not None:
                yield Pair(state.turn, state, state._replace(deal=other))


def first_difference(ask: Ask, some: Sequence[Pair], rng: random.Random) -> Difference | None:
    """Return the first of some pairs that is told apart, None when none is.

    All positions are asked in random order, so that a player that remembers what it was asked is noticed as well.
    """
    questions = [(number, state) for number, pair in enumerate(some) for state in (pair.dealt, pair.redealt)]
    order = rng.sample(range(len(questions)), len(questions))
    answers: dict[int, Answer] = {}
    for place in order:
        number, state = questions[place]
        answers[place] = ask(state, some[number].seat)
    for number, pair in enumerate(some):
        both = answers[2 * number], answers[2 * number + 1]
        if both[0] != both[1] or table_view(pair.dealt, pair.seat) != table_view(pair.redealt, pair.seat):
            return Difference(pair, both)
    return None


def _positions(rng: random.Random) -> Iterator[MatchState]:
    """Yield the states of a deal in which the seat on turn has a choice; moves by chance and normal's mix in it."""
    rules = RuleSet(
        undertrump=rng.choice(list(Undertrump)), belote=rng.choice(list(BeloteCall)), litige=rng.choice(list(Litige))
    )
    state = after(None, SERVER, StartMatch(rules, _COMPUTERS))
    state = after(state, SERVER, CommitDeal(bytes(32)))
    state = after(state, SERVER, StartDeal(tuple(rng.sample(range(32), 32)), rng.choice(list(Seat))))
    by_chance = rng.random()
    while (seat := state.turn) is not None:
        view = table_view(state, seat)
        if view.legal_bids or view.legal & view.legal - 1:
            yield state
        move = _any_move(view, rng) if rng.random() < by_chance else PLAYERS[Occupant.NORMAL].choose(view)
        state = after(state, seat, move)


def _any_move(view: TableView, rng: random.Random) -> Answer:
    """Return any legal bid or card; words that a player may say (R5.2) are sometimes forgotten."""
    if view.legal_bids:
        suit = rng.choice(view.legal_bids)
        return Pass() if suit is None else Take(suit)
    card = rng.choice(list(cards_in(view.legal)))
    return PlayCard(card, announce=bool(view.may_announce >> card & 1) and rng.random() < 0.7)


def position_text(view: TableView) -> str:
    """Return a running deal as its viewer sees it, in the notation of cards and tricks.

    Raises:
        ValueError: no deal is running, or the viewer has no seat.
    """
    if view.dealer is None or view.turn_up is None or view.trick is None or view.viewer is None:
        raise ValueError("there is no position without a deal and a seat")
    rules = view.rules
    bids = [f"{SEATS[seat]} {'passes' if suit is None else f'takes {format_suit(suit)}'}" for seat, suit in view.bids]
    said = "" if view.belote_seat is None else f", belote said by {SEATS[view.belote_seat]}"
    lines = [
        f"rules: undertrump {rules.undertrump}, belote {rules.belote}, litige {rules.litige}",
        f"dealer {SEATS[view.dealer]}, turned {format_card(view.turn_up)}{said}",
        f"bids: {', '.join(bids) or 'none'}",
    ]
    if view.trump is not None:
        tricks = [*[won.trick for won in view.tricks], view.trick]
        lines += [f"trick {number} {format_trick(trick)}" for number, trick in enumerate(tricks, 1)]
    return "\n".join([*lines, f"{SEATS[view.viewer]} holds {format_hand(view.hand)}"])


def _hands_text(hands: BySeat[int], seat: Seat) -> str:
    return ", ".join(f"{SEATS[other]}: {format_hand(hands[other])}" for other in seat.order()[1:])


def _answer_text(answer: Answer) -> str:
    match answer:
        case PlayCard(card, announce):
            return format_card(card) + (" with its word" if announce else "")
        case Take(suit):
            return f"take {format_suit(suit)}"
        case Pass():
            return "pass"
