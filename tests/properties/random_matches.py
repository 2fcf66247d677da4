"""Random matches, played by commands alone: what the property and the secrecy tests walk along."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.engine.cards import cards_in
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
    StartDeal,
    StartMatch,
    Take,
    TakeOver,
)
from games.engine.decide import SERVER, Actor, decide
from games.engine.events import Cause, Event
from games.engine.evolve import evolve
from games.engine.play import announceable, legal_cards
from games.engine.rules import BeloteCall, Phase, RuleSet
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.shuffle import commitment_of, dealer_from_seed, deck_from_seed
from games.engine.state import MatchState
from games.engine.view import table_view

MATCH_ID = bytes(range(16))
MIXED = BySeat(Occupant.PERSON, Occupant.EASY, Occupant.PERSON, Occupant.NORMAL)

type Step = tuple[Actor, Command]


def random_match(
    rng: random.Random, rules: RuleSet, deals: int, take: float = 0.3
) -> Iterator[tuple[Event, MatchState]]:
    """Yield each event of a random match with the state after it.

    The match is ended void after so many deals if nobody has won. ``take`` is how often a seat takes rather than
    passes. Some people contribute to a deal, some do not. Seeds are published at once, or only when the match is over.
    Now and then a person's time runs out, a computer takes a person's seat, or gives it back.
    """
    state: MatchState | None = None
    seeds: dict[int, bytes] = {}
    while (step := _next_step(rng, state, rules, deals, take, seeds)) is not None:
        for event in decide(state, *_disturbed(rng, state, step)):
            state = evolve(state, event)
            yield event, state


def _disturbed(rng: random.Random, state: MatchState | None, step: Step) -> Step:
    """Return what happens in place of a step, most often the step itself."""
    if state is None or state.phase is Phase.OVER or rng.random() < 0.85:
        return step
    actor, command = step
    acting = [seat for seat in Seat if state.acting(seat) is Occupant.PERSON]
    if actor in acting and isinstance(command, Take | Pass | PlayCard) and rng.random() < 0.5:
        asked_by = rng.choice([None, *[seat for seat in acting if seat is not actor]])
        return SERVER, PlayFor(Seat(actor), command, asked_by)
    seat = rng.choice([seat for seat in Seat if state.occupants[seat] is Occupant.PERSON])
    match state.stand_ins[seat]:
        case None:
            return SERVER, TakeOver(seat, rng.choices(list(Cause), (8, 8, 1, 1))[0])
        case Cause.LEFT | Cause.REMOVED:
            return step
    if rng.random() < 0.8:
        return SERVER, GiveBack(seat)
    return SERVER, TakeOver(seat, rng.choice([Cause.LEFT, Cause.REMOVED]))


def _next_step(
    rng: random.Random, state: MatchState | None, rules: RuleSet, deals: int, take: float, seeds: dict[int, bytes]
) -> Step | None:
    if state is None:
        return SERVER, StartMatch(rules, MIXED)
    match state.phase:
        case Phase.BETWEEN_DEALS:
            return _commit(rng, state, seeds)
        case Phase.COMMITTED:
            return _contribute_or_deal(rng, state, seeds)
        case Phase.AUCTION:
            return _bid(rng, state, take)
        case Phase.PLAY:
            return _play(rng, state)
        case Phase.SUMMARY:
            return _after_deal(rng, state, deals, seeds)
        case Phase.OVER:
            secret = [result.number for result in state.results if result.seed is None]
            return (SERVER, RevealSeed(secret[0], seeds[secret[0]])) if secret else None


def _commit(rng: random.Random, state: MatchState, seeds: dict[int, bytes]) -> Step:
    seed = rng.randbytes(32)
    seeds[state.deal_number + 1] = seed
    return SERVER, CommitDeal(commitment_of(seed))


def _contribute_or_deal(rng: random.Random, state: MatchState, seeds: dict[int, bytes]) -> Step:
    number, given = state.deal_number, state.contributions
    silent = [s for s in Seat if state.acting(s) is Occupant.PERSON and given[s] is None]
    if silent and rng.random() < 0.6:
        return rng.choice(silent), Contribute(number, rng.randbytes(16))
    first = dealer_from_seed(seeds[number], MATCH_ID, given) if state.next_dealer is None else None
    return SERVER, StartDeal(deck_from_seed(seeds[number], MATCH_ID, number, given), first)


def _on_turn(state: MatchState) -> Seat:
    if state.turn is None:
        raise AssertionError("somebody is on turn while a deal goes on")
    return state.turn


def _bid(rng: random.Random, state: MatchState, take: float) -> Step:
    seat = _on_turn(state)
    _, *suits = table_view(state, seat).legal_bids
    suit = rng.choice(suits)
    return seat, Take(suit) if suit is not None and rng.random() < take else Pass()


def _play(rng: random.Random, state: MatchState) -> Step:
    seat, deal = _on_turn(state), state.deal
    if deal is None or deal.trump is None:
        raise AssertionError("a suit has been taken when cards are played")
    hand = deal.hands[seat]
    card = rng.choice(list(cards_in(legal_cards(hand, deal.trick, deal.trump, seat, state.rules))))
    may = announceable(hand, deal.trump, seat, deal.belote_seat) >> card & 1
    return seat, PlayCard(card, bool(may) and (state.rules.belote is BeloteCall.AUTO or rng.random() < 0.8))


def _after_deal(rng: random.Random, state: MatchState, deals: int, seeds: dict[int, bytes]) -> Step:
    last = state.results[-1]
    silent = [s for s in Seat if state.acting(s) is Occupant.PERSON and s not in state.next_said]
    if last.score is not None and last.seed is None and rng.random() < 0.4:
        return SERVER, RevealSeed(last.number, seeds[last.number])
    if silent and rng.random() < 0.6:
        return rng.choice(silent), Next(last.number)
    if len(state.results) >= deals:
        return SERVER, EndMatch(by_moderator=rng.random() < 0.5)
    return _commit(rng, state, seeds)
