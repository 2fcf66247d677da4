"""(state, viewer) → TableView: the only projection, an allowlist built field by field.

Whatever a browser, a log line, an admin page or a computer player learns of a match it learns from here: from
`table_view` while it is played, from `open_view` when it is over, and of one event of its log from `public_event`.
"""

from __future__ import annotations

from typing import NamedTuple

from games.engine.auction import Bid, legal_bids
from games.engine.cards import Card, Mask, Suit
from games.engine.dealing import TURN_UP, Deck, full_hands
from games.engine.events import (
    BidMade,
    CardPlayed,
    Contributed,
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
from games.engine.play import Duty, Trick, WonTrick, announceable, duty, legal_cards
from games.engine.rules import BeloteCall, Phase, RuleSet
from games.engine.scoring import DealResult
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.shuffle import Contributions
from games.engine.stand_ins import Cause, Incident
from games.engine.state import DealState, MatchState


class TableView(NamedTuple):
    """What one viewer may know; ``viewer`` is None for everybody who has no seat.

    ``hand`` is the viewer's own and 0 for others. ``legal_bids`` (None is pass), ``legal`` and ``duty`` are given to
    the seat on turn alone; ``may_announce`` are cards it may say belote or rebelote with, under `BeloteCall.MANUAL`.
    ``tricks`` are the finished tricks of this deal, ``trick`` the running one. ``belote_cards`` are the cards that
    ``belote_seat`` said its words with. ``turn_up`` is None while nothing is dealt. ``stand_ins`` tell for whom a
    computer plays, and why; ``incidents`` are who was played for, or came back, since the deal started.
    """

    viewer: Seat | None
    version: int
    rules: RuleSet
    occupants: BySeat[Occupant]
    phase: Phase
    deal_number: int
    commitment: bytes
    contributions: Contributions
    dealer: Seat | None
    turn: Seat | None
    hand: Mask
    card_counts: BySeat[int]
    turn_up: Card | None
    bids: tuple[Bid, ...]
    taker: Seat | None
    trump: Suit | None
    trick: Trick | None
    tricks: tuple[WonTrick, ...]
    card_points: ByTeam[int]
    belote_seat: Seat | None
    belote_cards: tuple[Card, ...]
    legal_bids: tuple[Suit | None, ...]
    legal: Mask
    may_announce: Mask
    duty: Duty | None
    totals: ByTeam[int]
    held: int
    results: tuple[DealResult, ...]
    next_said: frozenset[Seat]
    winner: Team | None
    stand_ins: BySeat[Cause | None]
    incidents: tuple[Incident, ...]
    ended_by_moderator: bool

    def is_played_by_person(self, seat: Seat) -> bool:
        """Tell whether a person plays a seat now, and no computer for them."""
        return self.occupants[seat] is Occupant.PERSON and self.stand_ins[seat] is None


_NO_DEAL = DealState(
    number=0,
    dealer=Seat.NORTH,
    deck=(),
    hands=BySeat(0, 0, 0, 0),
    bids=(),
    taker=None,
    trump=None,
    turn=None,
    trick=Trick(Seat.NORTH),
    tricks=(),
    card_points=ByTeam(0, 0),
    belote_seat=None,
    belote_cards=(),
)


def published_deck(state: MatchState, dealt: DealStarted) -> Deck | None:
    """Return the deck of a deal whose seed is published, as everybody can make it from the seed; None before."""
    is_public = any(result.number == dealt.deal and result.seed is not None for result in state.results)
    return dealt.deck if is_public else None


def table_view(state: MatchState, viewer: Seat | None) -> TableView:
    """Return what ``viewer`` may see of a match; None stands for a spectator, a visitor or a member of staff."""
    is_dealt = state.deal is not None
    deal = state.deal or _NO_DEAL
    hand = 0 if viewer is None else deal.hands[viewer]
    bids: tuple[Suit | None, ...] = ()
    legal = may_announce = 0
    asked = None
    if viewer is not None and deal.turn is viewer:
        if deal.trump is None:
            bids = legal_bids(deal.bids, deal.turn_up)
        else:
            legal = legal_cards(hand, deal.trick, deal.trump, viewer, state.rules)
            asked = duty(hand, deal.trick, deal.trump, viewer, state.rules)
            if state.rules.belote is BeloteCall.MANUAL:
                may_announce = announceable(hand, deal.trump, viewer, deal.belote_seat) & legal
    return TableView(
        viewer=viewer,
        version=state.version,
        rules=state.rules,
        occupants=state.occupants,
        phase=state.phase,
        deal_number=state.deal_number,
        commitment=state.commitment,
        contributions=state.contributions,
        dealer=deal.dealer if is_dealt else None,
        turn=deal.turn,
        hand=hand,
        card_counts=BySeat(*[held.bit_count() for held in deal.hands]),
        turn_up=deal.turn_up if is_dealt else None,
        bids=deal.bids,
        taker=deal.taker,
        trump=deal.trump,
        trick=deal.trick if is_dealt else None,
        tricks=deal.tricks,
        card_points=deal.card_points,
        belote_seat=deal.belote_seat,
        belote_cards=deal.belote_cards,
        legal_bids=bids,
        legal=legal,
        may_announce=may_announce,
        duty=asked,
        totals=state.totals,
        held=state.held,
        results=state.results,
        next_said=state.next_said,
        winner=state.winner,
        stand_ins=state.stand_ins,
        incidents=state.incidents,
        ended_by_moderator=state.ended_by_moderator,
    )


class OpenPlay(NamedTuple):
    """A card that was played, the cards that its seat might have played then, and the duty that made them legal."""

    seat: Seat
    card: Card
    legal: Mask
    duty: Duty


class OpenView(NamedTuple):
    """A moment of a deal with all cards open, for matches that are over.

    ``table`` is what a spectator saw then. ``hands`` are what each seat held. ``legal_bids``, ``legal`` and ``duty``
    are of the seat on turn. ``plays`` are the cards of the deal so far.
    """

    table: TableView
    hands: BySeat[Mask]
    legal_bids: tuple[Suit | None, ...]
    legal: Mask
    duty: Duty | None
    plays: tuple[OpenPlay, ...]


def open_view(final: MatchState, moment: MatchState) -> OpenView:
    """Return a moment of a match that ended as ``final`` with all cards open, for everybody.

    Raises:
        ValueError: the match is not over, or the moment is of none of its deals.
    """
    deal = moment.deal
    if final.phase is not Phase.OVER:
        raise ValueError("cards are opened when a match is over")
    if deal is None or (deal.number, moment.commitment) not in [(one.number, one.commitment) for one in final.results]:
        raise ValueError("this moment is of no deal of this match")
    public = table_view(moment, None)
    # What the seat on turn may do is in its own view.
    own = table_view(moment, deal.turn)
    return OpenView(public, deal.hands, own.legal_bids, own.legal, own.duty, _open_plays(deal, final.rules))


def _open_plays(deal: DealState, rules: RuleSet) -> tuple[OpenPlay, ...]:
    if deal.trump is None or deal.taker is None:
        return ()
    hands = list(full_hands(deal.deck, deal.dealer, deal.taker))
    plays = []
    for trick in [*(won.trick for won in deal.tricks), deal.trick]:
        for place, card in enumerate(trick.cards):
            seat, before = trick.leader.after(place), Trick(trick.leader, trick.cards[:place])
            legal = legal_cards(hands[seat], before, deal.trump, seat, rules)
            plays.append(OpenPlay(seat, card, legal, duty(hands[seat], before, deal.trump, seat, rules)))
            hands[seat] &= ~(1 << card)
    return tuple(plays)


class DealOpened(NamedTuple):
    """What everybody learns when a deal starts: its number, who deals, and the turned card."""

    deal: int
    dealer: Seat
    turn_up: Card


type PublicEvent = (
    DealOpened
    | MatchStarted
    | DealCommitted
    | Contributed
    | BidMade
    | CardPlayed
    | DealScored
    | DealThrownIn
    | SeedRevealed
    | NextSaid
    | TimeRanOut
    | SeatTakenOver
    | SeatGivenBack
    | MatchEnded
)


def public_event(event: Event) -> PublicEvent:
    """Return what everybody may know of an event, while its match is played too: the start of a deal loses its deck.

    The others are named one by one: they hold only what the whole table is told as it happens, and a new kind of event
    has to be thought about here.
    """
    match event:
        case DealStarted(deal, dealer, deck):
            return DealOpened(deal, dealer, deck[TURN_UP])
        case MatchStarted() | DealCommitted() | Contributed() | SeedRevealed() | NextSaid() | MatchEnded():
            return event
        case BidMade() | CardPlayed() | DealScored() | DealThrownIn():
            return event
        case TimeRanOut() | SeatTakenOver() | SeatGivenBack():
            return event
