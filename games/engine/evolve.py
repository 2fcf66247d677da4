"""(state, event) → state. A replay is a fold of this; nothing is checked here, `decide` has done that."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.auction import Bid, thrown_in
from games.engine.cards import POINTS
from games.engine.dealing import first_hands, full_hands
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
from games.engine.play import Trick, WonTrick, trick_winner
from games.engine.rules import Phase
from games.engine.scoring import DealResult, DealScore
from games.engine.seats import BySeat, ByTeam, Seat
from games.engine.shuffle import NO_CONTRIBUTIONS
from games.engine.stand_ins import Incident, StandInEvent
from games.engine.state import DealState, MatchState

_NO_POINTS = ByTeam(0, 0)


def fold(events: Iterable[Event], state: MatchState | None = None) -> MatchState | None:
    """Return the state after some events, None after none."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: MatchState | None, event: Event) -> MatchState:
    """Return the state after one more event.

    Raises:
        ValueError: the event cannot follow, as in a log that is damaged.
    """
    if state is None:
        return _begin(event)
    version = state.version + 1
    match event:
        case CardPlayed():
            return _moved(state, event.seat)._replace(version=version, deal=_play(_deal(state), event))
        case BidMade():
            return _bid(_moved(state, event.seat), event)
        case DealScored() | DealThrownIn():
            return _finish(state, event.score if isinstance(event, DealScored) else None)
        case SeedRevealed(deal, seed):
            results = tuple(r._replace(seed=seed) if r.number == deal else r for r in state.results)
            return state._replace(version=version, results=results)
        case NextSaid(seat):
            return state._replace(version=version, next_said=state.next_said | {seat})
        case Contributed(seat, _, bits):
            return state._replace(version=version, contributions=state.contributions.put(seat, bits))
        case DealCommitted(deal, commitment):
            return state._replace(
                version=version,
                phase=Phase.COMMITTED,
                deal_number=deal,
                commitment=commitment,
                contributions=NO_CONTRIBUTIONS,
                deal=None,
                next_said=frozenset(),
                incidents=state.incidents if state.deal is None else (),
            )
        case DealStarted():
            return state._replace(
                version=version, phase=Phase.AUCTION, next_dealer=event.dealer.left, deal=_start(event)
            )
        case TimeRanOut() | SeatTakenOver() | SeatGivenBack():
            return _befall(state, event)
        case MatchEnded(winner, by_moderator):
            return _end(state)._replace(
                version=version, phase=Phase.OVER, winner=winner, ended_by_moderator=by_moderator
            )
        case MatchStarted():
            raise ValueError("a match starts once")


def _begin(event: Event) -> MatchState:
    if not isinstance(event, MatchStarted):
        raise ValueError(f"a match begins with MatchStarted, not {type(event).__name__}")
    return MatchState(
        1,
        event.rules,
        event.occupants,
        Phase.BETWEEN_DEALS,
        _NO_POINTS,
        0,
        0,
        None,
        b"",
        None,
        (),
        frozenset(),
        None,
    )


def _befall(state: MatchState, event: StandInEvent) -> MatchState:
    seat, stand_ins, lapses = event.seat, state.stand_ins, state.lapses
    match event:
        case TimeRanOut(asked_by=None):
            lapses = lapses.put(seat, lapses[seat] + 1)
        case TimeRanOut():
            # Without a clock nothing has run out: somebody asked, for this one move.
            pass
        case SeatTakenOver(cause=cause):
            stand_ins = stand_ins.put(seat, cause)
        case SeatGivenBack():
            stand_ins, lapses = stand_ins.put(seat, None), lapses.put(seat, 0)
    incident = Incident(0 if state.deal is None else state.deal.moves, event)
    return state._replace(
        version=state.version + 1, stand_ins=stand_ins, lapses=lapses, incidents=(*state.incidents, incident)
    )


def _moved(state: MatchState, seat: Seat) -> MatchState:
    """Forget the turns that a seat has let run out, if it is itself that moves now."""
    if not state.lapses[seat] or state.stand_ins[seat] is not None or _is_played_for(state, seat):
        return state
    return state._replace(lapses=state.lapses.put(seat, 0))


def _is_played_for(state: MatchState, seat: Seat) -> bool:
    """Tell whether a computer makes the next move of a seat because its time has run out."""
    if not state.incidents:
        return False
    at, event = state.incidents[-1]
    return isinstance(event, TimeRanOut) and event.seat is seat and at == _deal(state).moves


def _deal(state: MatchState) -> DealState:
    if state.deal is None:
        raise ValueError("no deal is running")
    return state.deal


def _start(event: DealStarted) -> DealState:
    left = event.dealer.left
    return DealState(
        event.deal,
        event.dealer,
        event.deck,
        first_hands(event.deck, event.dealer),
        (),
        None,
        None,
        left,
        Trick(left),
        (),
        _NO_POINTS,
        None,
        (),
    )


def _bid(state: MatchState, event: BidMade) -> MatchState:
    deal = _deal(state)
    bids = (*deal.bids, Bid(event.seat, event.suit))
    if event.suit is None:
        turn = None if thrown_in(bids) else event.seat.left
        return state._replace(version=state.version + 1, deal=deal._replace(bids=bids, turn=turn))
    deal = deal._replace(
        bids=bids,
        taker=event.seat,
        trump=event.suit,
        hands=full_hands(deal.deck, deal.dealer, event.seat),
        turn=deal.dealer.left,
    )
    return state._replace(version=state.version + 1, phase=Phase.PLAY, deal=deal)


def _play(deal: DealState, event: CardPlayed) -> DealState:
    trump = deal.trump
    if trump is None:
        raise ValueError("a card was played before a suit was taken")
    seat, card = event.seat, event.card
    hands = deal.hands
    belote_seat, belote_cards = deal.belote_seat, deal.belote_cards
    if event.announcement is not None:
        belote_seat, belote_cards = seat, (*belote_cards, card)
    leader, played = deal.trick
    trick = Trick(leader, (*played, card))
    tricks, points = deal.tricks, deal.card_points
    turn: Seat | None = seat.left
    if len(trick.cards) == 4:
        winner = trick_winner(trick, trump)
        tricks = (*tricks, WonTrick(trick, winner))
        row = POINTS[trump]
        points = points.put(winner.team, points[winner.team] + sum([row[c] for c in trick.cards]))
        trick = Trick(winner)
        turn = winner if len(tricks) < 8 else None
    left = list(hands)
    left[seat] &= ~(1 << card)
    return DealState(
        deal.number,
        deal.dealer,
        deal.deck,
        BySeat(*left),
        deal.bids,
        deal.taker,
        trump,
        turn,
        trick,
        tricks,
        points,
        belote_seat,
        belote_cards,
    )


def _finish(state: MatchState, score: DealScore | None) -> MatchState:
    totals, held = state.totals, state.held
    if score is not None:
        totals = ByTeam(totals[0] + score.scores[0], totals[1] + score.scores[1])
        held = score.held_out
    return state._replace(
        version=state.version + 1,
        phase=Phase.SUMMARY,
        totals=totals,
        held=held,
        results=(*state.results, _result(state, score, totals)),
    )


def _end(state: MatchState) -> MatchState:
    """Book a deal that is broken off by the end of the match, so that its seed can be published."""
    if state.phase in (Phase.AUCTION, Phase.PLAY):
        broken = _result(state, None, state.totals)
        return state._replace(deal=_deal(state)._replace(turn=None), results=(*state.results, broken))
    return state


def _result(state: MatchState, score: DealScore | None, totals: ByTeam[int]) -> DealResult:
    deal = _deal(state)
    return DealResult(
        deal.number,
        deal.dealer,
        deal.taker,
        deal.trump,
        score,
        totals,
        state.commitment,
        state.contributions,
        None,
    )
