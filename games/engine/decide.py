"""(state, actor, command) → events: the only maker of events. It refuses with `IllegalCommand` and changes nothing."""

from __future__ import annotations

from enum import Enum
from typing import Final, NoReturn

from games.engine.auction import Bid, bidding_round, legal_bids, thrown_in
from games.engine.cards import ALL_CARDS, Card, Suit, mask_of
from games.engine.commands import (
    Command,
    CommitDeal,
    Contribute,
    EndMatch,
    GiveBack,
    Next,
    Pass,
    PlayCard,
    PlayFor,
    RevealSeed,
    ServerCommand,
    StartDeal,
    StartMatch,
    Take,
    TakeOver,
)
from games.engine.errors import IllegalCommand, Reason, ReasonCode
from games.engine.events import (
    Announcement,
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
from games.engine.evolve import evolve
from games.engine.play import Duty, announceable, duty, legal_cards
from games.engine.rules import BeloteCall, Phase
from games.engine.scoring import match_winner, score_deal
from games.engine.seats import ByTeam, Occupant, Seat, Team
from games.engine.shuffle import CONTRIBUTION_BYTES, commitment_of
from games.engine.state import DealState, MatchState


class Server(Enum):
    """The actor that is no seat: it starts, deals and ends."""

    SERVER = "server"


SERVER: Final = Server.SERVER
type Actor = Seat | Server

_MUST = {
    Duty.FOLLOW: ReasonCode.MUST_FOLLOW,
    Duty.BEAT_TRUMP: ReasonCode.MUST_BEAT_TRUMP,
    Duty.FOLLOW_TRUMP: ReasonCode.MUST_FOLLOW_TRUMP,
    Duty.RUFF: ReasonCode.MUST_RUFF,
    Duty.OVERRUFF: ReasonCode.MUST_OVERRUFF,
    Duty.UNDERTRUMP: ReasonCode.MUST_UNDERTRUMP,
}


def decide(state: MatchState | None, actor: Actor, command: Command) -> tuple[Event, ...]:
    """Return what happens when ``actor`` gives ``command``; ``state`` is None before the match has started.

    Raises:
        IllegalCommand: the rules or the state refuse it; its reason cites the rule.
    """
    if isinstance(command, PlayCard):
        started = _started(state)
        return _play(started, _on_turn(started, actor, Phase.PLAY, ReasonCode.NO_PLAY), command)
    if isinstance(command, Take | Pass):
        started = _started(state)
        seat = _on_turn(started, actor, Phase.AUCTION, ReasonCode.NO_AUCTION)
        return _bid(started, seat, command.suit if isinstance(command, Take) else None)
    if isinstance(command, Next):
        return _next(_started(state), actor, command)
    if isinstance(command, Contribute):
        return _contribute(_started(state), actor, command)
    return _serve(state, actor, command)


def _refuse(code: ReasonCode, rule: str = "", suit: Suit | None = None) -> NoReturn:
    raise IllegalCommand(Reason(code, rule, suit))


def _started(state: MatchState | None) -> MatchState:
    if state is None:
        _refuse(ReasonCode.NOT_STARTED)
    return state


def _seat_in(state: MatchState, actor: Actor, phase: Phase, otherwise: ReasonCode) -> Seat:
    if not isinstance(actor, Seat):
        _refuse(ReasonCode.SEATS_ONLY)
    if state.phase is Phase.OVER:
        _refuse(ReasonCode.MATCH_OVER, "R7.1")
    if state.phase is not phase:
        _refuse(otherwise)
    return actor


def _on_turn(state: MatchState, actor: Actor, phase: Phase, otherwise: ReasonCode) -> Seat:
    seat = _seat_in(state, actor, phase, otherwise)
    if state.turn is not seat:
        _refuse(ReasonCode.NOT_YOUR_TURN, "R2.1")
    return seat


def _deal(state: MatchState) -> DealState:
    if state.deal is None:
        _refuse(ReasonCode.OUT_OF_ORDER)
    return state.deal


def _bid(state: MatchState, seat: Seat, suit: Suit | None) -> tuple[Event, ...]:
    deal = _deal(state)
    if suit not in legal_bids(deal.bids, deal.turn_up):
        if bidding_round(deal.bids) == 1:
            _refuse(ReasonCode.ONLY_TURNED_SUIT, "R3.1", suit)
        _refuse(ReasonCode.NOT_TURNED_SUIT, "R3.2", suit)
    made = BidMade(seat, suit)
    if thrown_in((*deal.bids, Bid(seat, suit))):
        return made, DealThrownIn(deal.number)
    return (made,)


def _play(state: MatchState, seat: Seat, command: PlayCard) -> tuple[Event, ...]:
    deal = _deal(state)
    trump = deal.trump
    if trump is None:
        _refuse(ReasonCode.NO_PLAY)
    card = command.card
    hand = deal.hands[seat]
    if not 0 <= card < 32 or not hand >> card & 1:
        _refuse(ReasonCode.NOT_IN_HAND)
    if not legal_cards(hand, deal.trick, trump, seat, state.rules) >> card & 1:
        asked = duty(hand, deal.trick, trump, seat, state.rules)
        _refuse(_MUST[asked], asked.rule, Suit(deal.trick.cards[0] >> 3) if asked is Duty.FOLLOW else trump)
    played = CardPlayed(seat, card, _announcement(state, deal, seat, command))
    if len(deal.tricks) < 7 or len(deal.trick.cards) < 3:
        return (played,)
    return played, *_score(state, played)


def _announcement(state: MatchState, deal: DealState, seat: Seat, command: PlayCard) -> Announcement | None:
    trump = deal.trump
    may = 0 if trump is None else announceable(deal.hands[seat], trump, seat, deal.belote_seat) >> command.card & 1
    if not may:
        if command.announce:
            _refuse(ReasonCode.NO_BELOTE, "R5.5")
        return None
    if state.rules.belote is BeloteCall.MANUAL and not command.announce:
        return None
    return Announcement.BELOTE if deal.belote_seat is None else Announcement.REBELOTE


def _score(state: MatchState, last: CardPlayed) -> tuple[Event, ...]:
    played = evolve(state, last)
    deal = _deal(played)
    if deal.taker is None:
        _refuse(ReasonCode.NO_PLAY)
    winners = [won.winner.team for won in deal.tricks]
    tricks_won = ByTeam(winners.count(Team.NORTH_SOUTH), winners.count(Team.EAST_WEST))
    belote_team = deal.belote_seat.team if deal.belote_seat is not None and len(deal.belote_cards) == 2 else None
    score = score_deal(deal.taker.team, deal.card_points, tricks_won, winners[-1], belote_team, state.held, state.rules)
    scored = DealScored(deal.number, score)
    champion = match_winner(evolve(played, scored).totals, state.rules)
    return (scored,) if champion is None else (scored, MatchEnded(champion))


def _next(state: MatchState, actor: Actor, command: Next) -> tuple[Event, ...]:
    seat = _person_between_deals(state, actor, command.deal, Phase.SUMMARY, ReasonCode.NO_SUMMARY)
    if seat in state.next_said:
        _refuse(ReasonCode.ALREADY_SAID)
    return (NextSaid(seat, state.deal_number),)


def _contribute(state: MatchState, actor: Actor, command: Contribute) -> tuple[Event, ...]:
    seat = _person_between_deals(state, actor, command.deal, Phase.COMMITTED, ReasonCode.NO_CONTRIBUTIONS)
    if len(command.bits) != CONTRIBUTION_BYTES:
        _refuse(ReasonCode.BAD_CONTRIBUTION)
    if state.contributions[seat] is not None:
        _refuse(ReasonCode.ALREADY_CONTRIBUTED)
    return (Contributed(seat, state.deal_number, command.bits),)


def _person_between_deals(state: MatchState, actor: Actor, deal: int, phase: Phase, otherwise: ReasonCode) -> Seat:
    seat = _seat_in(state, actor, phase, otherwise)
    if deal != state.deal_number:
        _refuse(otherwise)
    if state.acting(seat) is not Occupant.PERSON:
        _refuse(ReasonCode.NOT_A_PERSON)
    return seat


def _serve(state: MatchState | None, actor: Actor, command: ServerCommand) -> tuple[Event, ...]:
    if actor is not SERVER:
        _refuse(ReasonCode.SERVER_ONLY)
    if isinstance(command, StartMatch):
        if state is not None:
            _refuse(ReasonCode.ALREADY_STARTED)
        return (MatchStarted(command.rules, command.occupants),)
    started = _started(state)
    if isinstance(command, RevealSeed):
        return _reveal(started, command)
    if started.phase is Phase.OVER:
        _refuse(ReasonCode.MATCH_OVER, "R7.1")
    match command:
        case CommitDeal(commitment):
            if started.phase not in (Phase.BETWEEN_DEALS, Phase.SUMMARY):
                _refuse(ReasonCode.OUT_OF_ORDER)
            if len(commitment) != 32:
                _refuse(ReasonCode.BAD_COMMITMENT)
            return (DealCommitted(started.deal_number + 1, commitment),)
        case StartDeal(deck, first_dealer):
            return _start_deal(started, deck, first_dealer)
        case PlayFor() | TakeOver() | GiveBack():
            return _stand_in(started, command)
        case EndMatch(by_moderator):
            return (MatchEnded(None, by_moderator),)


def _start_deal(state: MatchState, deck: tuple[Card, ...], first_dealer: Seat | None) -> tuple[Event, ...]:
    if state.phase is not Phase.COMMITTED or (first_dealer is None) == (state.next_dealer is None):
        _refuse(ReasonCode.OUT_OF_ORDER, "R2.5")
    if len(deck) != 32 or any(not 0 <= card < 32 for card in deck) or mask_of(deck) != ALL_CARDS:
        _refuse(ReasonCode.BAD_DECK, "R2.4")
    dealer = state.next_dealer if first_dealer is None else first_dealer
    if dealer is None:
        _refuse(ReasonCode.OUT_OF_ORDER, "R2.5")
    return (DealStarted(state.deal_number, dealer, deck),)


def _stand_in(state: MatchState, command: PlayFor | TakeOver | GiveBack) -> tuple[Event, ...]:
    seat = command.seat
    now = state.stand_ins[seat]
    if state.occupants[seat] is not Occupant.PERSON:
        _refuse(ReasonCode.NOT_A_PERSON)
    match command:
        case PlayFor():
            return _play_for(state, command)
        case TakeOver(_, cause):
            if now is not None and (now.is_final or not cause.is_final):
                _refuse(ReasonCode.STOOD_IN)
            return (SeatTakenOver(seat, cause),)
        case GiveBack():
            if now is None:
                _refuse(ReasonCode.NOT_STOOD_IN)
            if now.is_final:
                _refuse(ReasonCode.HAS_LEFT)
            return (SeatGivenBack(seat),)


def _play_for(state: MatchState, command: PlayFor) -> tuple[Event, ...]:
    seat, asked_by = command.seat, command.asked_by
    if state.turn is not seat:
        _refuse(ReasonCode.NOT_YOUR_TURN, "R2.1")
    if state.stand_ins[seat] is not None:
        _refuse(ReasonCode.STOOD_IN)
    if asked_by is seat:
        _refuse(ReasonCode.NOT_FOR_ONESELF)
    if asked_by is not None and state.acting(asked_by) is not Occupant.PERSON:
        _refuse(ReasonCode.NOT_A_PERSON)
    ran_out = TimeRanOut(seat, asked_by)
    return ran_out, *decide(evolve(state, ran_out), seat, command.move)


def _reveal(state: MatchState, command: RevealSeed) -> tuple[Event, ...]:
    over = state.phase is Phase.OVER
    for result in state.results:
        if result.number == command.deal and result.seed is None and (over or result.score is not None):
            break
    else:
        _refuse(ReasonCode.SEED_TOO_EARLY)
    if commitment_of(command.seed) != result.commitment:
        _refuse(ReasonCode.SEED_MISMATCH)
    return (SeedRevealed(result.number, command.seed),)
