"""Redeals of the hidden cards that fit everything that a viewer has seen.

`consistent_redeals` takes the log of a match and puts other decks in place of those whose seed is not published, so
that the viewer's own cards, the turned card, every bid, card and announcement, and R4 and R5, which bound every seat,
are kept. Whatever a viewer is shown must be the same for all of these logs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from games.engine.cards import ALL_CARDS, Card, Mask, Rank, Suit, cards_in, make_card, mask_of
from games.engine.commands import (
    Command,
    CommitDeal,
    EndMatch,
    GiveBack,
    Next,
    Pass,
    PlayCard,
    PlayFor,
    RevealSeed,
    StartDeal,
    StartMatch,
    Take,
    TakeOver,
)
from games.engine.dealing import TURN_UP, Deck, first_hands, full_hands
from games.engine.decide import SERVER, Actor, decide
from games.engine.events import (
    BidMade,
    CardPlayed,
    DealCommitted,
    DealScored,
    DealStarted,
    DealThrownIn,
    Event,
    MatchEnded,
    MatchStarted,
    NextSaid,
    SeatGivenBack,
    SeatTakenOver,
    SeedRevealed,
    TimeRanOut,
)
from games.engine.evolve import evolve
from games.engine.play import Trick, legal_cards, trick_winner
from games.engine.rules import BeloteCall, RuleSet
from games.engine.seats import BySeat, Seat
from games.engine.state import MatchState

PLACES: Deck = tuple(range(32))
"""A deck whose cards are their own places: dealing it tells which places of a deck go to which seat."""


def consistent_redeals(
    events: Sequence[Event], viewer: Seat | None, rng: random.Random, count: int
) -> list[list[Event]]:
    """Return so many logs that ``viewer`` cannot tell from ``events``; None is whoever has no seat.

    Deals whose seed has been published keep their deck. Each log returned has been replayed through `decide`.

    Raises:
        AssertionError: a redeal does not replay to the same public events.
    """
    rules = next(event.rules for event in events if isinstance(event, MatchStarted))
    published = {event.deal for event in events if isinstance(event, SeedRevealed)}
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    free = []
    for start, end in pairwise([*starts, len(events)]):
        deal = events[start]
        if isinstance(deal, DealStarted) and deal.deal not in published:
            free.append((start, deal, Deal.read(deal, events[start + 1 : end], rules).fitting_places(viewer)))
    redeals = []
    for _ in range(count):
        log = list(events)
        for start, deal, places in free:
            log[start] = replace(deal, deck=_fill(places, rng))
        check_replay(log)
        redeals.append(log)
    return redeals


@dataclass(frozen=True)
class Made:
    """A card that was played, on which trick, and what its seat was seen to hold then."""

    event: CardPlayed
    trick: Trick
    held: Mask


@dataclass(frozen=True)
class Deal:
    """What the public history tells of one deal."""

    start: DealStarted
    rules: RuleSet
    trump: Suit | None
    taker: Seat | None
    made: tuple[Made, ...]

    @classmethod
    def read(cls, start: DealStarted, history: Sequence[Event], rules: RuleSet) -> Deal:
        taken = next((event for event in history if isinstance(event, BidMade) and event.suit is not None), None)
        if taken is None or taken.suit is None:
            return cls(start, rules, None, None, ())
        plays = [event for event in history if isinstance(event, CardPlayed)]
        made: list[Made] = []
        trick = Trick(start.dealer.left)
        for number, play in enumerate(plays):
            seen = mask_of(later.card for later in plays[number:] if later.seat is play.seat)
            made.append(Made(play, trick, seen))
            trick = Trick(trick.leader, (*trick.cards, play.card))
            if len(trick.cards) == 4:
                trick = Trick(trick_winner(trick, taken.suit))
        return cls(start, rules, taken.suit, taken.seat, tuple(made))

    def hands(self, deck: Deck) -> BySeat[Mask]:
        """Return what the seats hold before the first card is played, of this deck."""
        if self.taker is None:
            return first_hands(deck, self.start.dealer)
        return full_hands(deck, self.start.dealer, self.taker)

    def fitting_places(self, viewer: Seat | None) -> dict[Card, list[int]]:
        """Return for each card the places of the deck where it may have lain, as far as ``viewer`` can tell."""
        deck = self.start.deck
        at = self.hands(PLACES)
        kept = 1 << TURN_UP
        fitting = {deck[TURN_UP]: [TURN_UP]}
        if viewer is not None:
            first = first_hands(PLACES, self.start.dealer)[viewer]
            for own in (first, at[viewer] & ~first & ~kept):
                fitting |= {deck[place]: list(cards_in(own)) for place in cards_in(own)}
            kept |= at[viewer]
        played_by = {made.event.card: made.event.seat for made in self.made}
        in_hands = at.north | at.east | at.south | at.west
        for card in PLACES:
            if card in fitting:
                continue
            holders = [played_by[card]] if card in played_by else [s for s in Seat if self.may_hold(s, card)]
            places = mask_of(place for seat in holders for place in cards_in(at[seat]))
            if card not in played_by:
                places |= ALL_CARDS & ~in_hands
            fitting[card] = list(cards_in(places & ~kept))
        return fitting

    def may_hold(self, seat: Seat, card: Card) -> bool:
        """Tell whether a seat may hold a card that nobody has played.

        A hand makes a card illegal by some single card that it holds (R4), so each unseen card can be judged alone.
        """
        if self.trump is None:
            return True
        pair = {make_card(self.trump, Rank.QUEEN), make_card(self.trump, Rank.KING)}
        for made in self.made:
            play = made.event
            if card in pair and play.card in pair:
                if play.announcement is not None and play.seat is not seat:
                    return False
                if play.announcement is None and play.seat is seat and self.rules.belote is BeloteCall.AUTO:
                    return False
            if play.seat is seat:
                legal = legal_cards(made.held | 1 << card, made.trick, self.trump, seat, self.rules)
                if not legal >> play.card & 1:
                    return False
        return True


def _fill(fitting: dict[Card, list[int]], rng: random.Random) -> Deck:
    """Return a random deck in which each card lies in a place that fits it."""
    lies: dict[int, Card] = {}

    def put(card: Card, tried: set[int]) -> bool:
        for place in rng.sample(fitting[card], len(fitting[card])):
            if place not in tried:
                tried.add(place)
                if place not in lies or put(lies[place], tried):
                    lies[place] = card
                    return True
        return False

    for card in rng.sample(PLACES, 32):
        if not put(card, set()):
            raise AssertionError("the real deck fits, so some deck must")
    return tuple(lies[place] for place in PLACES)


def check_replay(log: Sequence[Event]) -> MatchState:
    """Replay a log through `decide` and return its last state.

    Raises:
        AssertionError: a command gives other events than the log has.
        IllegalCommand: a command is refused.
    """
    state: MatchState | None = None
    place = 0
    while place < len(log):
        if isinstance(log[place], TimeRanOut) and place + 1 == len(log):
            return evolve(state, log[place])  # cut off before the move that follows it
        happened = decide(state, *_command_of(log[place:], state))
        for event, logged in zip(happened, log[place:], strict=False):
            if event != logged:
                raise AssertionError(f"the log has {logged}, the rules give {event}")
            state = evolve(state, event)
            place += 1
    if state is None:
        raise AssertionError("an empty log has no state")
    return state


def _command_of(events: Sequence[Event], state: MatchState | None) -> tuple[Actor, Command]:
    """Return who must have given which command, for a log to go on with these events."""
    match events[0]:
        case MatchStarted(rules, occupants):
            return SERVER, StartMatch(rules, occupants)
        case DealCommitted(_, commitment):
            return SERVER, CommitDeal(commitment)
        case DealStarted(_, dealer, deck):
            return SERVER, StartDeal(deck, dealer if state is None or state.next_dealer is None else None)
        case BidMade() | CardPlayed() as moved:
            return moved.seat, _move_of(moved)
        case TimeRanOut(seat, asked_by):
            return SERVER, PlayFor(seat, _move_of(events[1]), asked_by)
        case SeatTakenOver(seat, cause):
            return SERVER, TakeOver(seat, cause)
        case SeatGivenBack(seat):
            return SERVER, GiveBack(seat)
        case NextSaid(seat, deal):
            return seat, Next(deal)
        case SeedRevealed(deal, seed):
            return SERVER, RevealSeed(deal, seed)
        case MatchEnded(None):
            return SERVER, EndMatch()
        case DealScored() | DealThrownIn() | MatchEnded():
            raise AssertionError(f"{events[0]} is no event that a command of its own makes")


def _move_of(event: Event) -> Take | Pass | PlayCard:
    match event:
        case CardPlayed(_, card, announcement):
            return PlayCard(card, announcement is not None)
        case BidMade(_, suit):
            return Pass() if suit is None else Take(suit)
    raise AssertionError(f"{event} is no move")
