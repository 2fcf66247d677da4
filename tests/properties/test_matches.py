"""Whole random matches, under every option: what must hold after every event."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.codec import decode, encode
from games.engine.cards import ALL_CARDS, mask_of
from games.engine.events import CardPlayed, DealScored, DealStarted, Event, MatchEnded
from games.engine.evolve import evolve, fold
from games.engine.notation import CARD_NAMES
from games.engine.rules import TARGETS, BeloteCall, Litige, Phase, RuleSet, Undertrump
from games.engine.seats import ByTeam, Seat
from games.engine.state import DealState, MatchState
from games.engine.view import table_view
from tests.properties import naive_rules
from tests.properties.random_matches import random_match

RULE_SETS = st.builds(
    RuleSet,
    target=st.sampled_from(TARGETS[:2]),
    undertrump=st.sampled_from(Undertrump),
    belote=st.sampled_from(BeloteCall),
    litige=st.sampled_from(Litige),
)


@dataclass
class Watch:
    """Looks on as events happen and checks what must always hold."""

    log: list[Event] = field(default_factory=list)
    from_json: MatchState | None = None
    totals: ByTeam[int] = field(default_factory=lambda: ByTeam(0, 0))
    held: int = 0

    def see(self, event: Event, state: MatchState) -> None:
        self.log.append(event)
        stored = decode(json.loads(json.dumps(encode(event))))
        assert stored == event
        self.from_json = evolve(self.from_json, stored)
        assert self.from_json == state
        assert state.version == len(self.log)
        assert state.totals[0] >= self.totals[0]
        assert state.totals[1] >= self.totals[1]
        if isinstance(event, DealScored):
            self.scored(event, state)
        if isinstance(event, DealScored | MatchEnded):
            assert fold(self.log) == state
        if state.deal is not None:
            self.cards(state.deal)
            last_words = len(state.deal.tricks) == 8 or (len(state.deal.bids) == 8 and state.deal.taker is None)
            goes_on = state.phase in (Phase.AUCTION, Phase.PLAY) and not last_words
            assert (state.turn is not None) == goes_on
        self.views(state)
        self.totals = state.totals

    def cards(self, deal: DealState) -> None:
        played = [card for won in deal.tricks for card in won.trick.cards] + list(deal.trick.cards)
        undealt = deal.deck[20:] if deal.trump is None else ()
        heaps = [*deal.hands, mask_of(played), mask_of(undealt)]
        assert sum(heap.bit_count() for heap in heaps) == 32
        assert mask_of(deal.deck) == ALL_CARDS
        assert heaps[0] | heaps[1] | heaps[2] | heaps[3] | heaps[4] | heaps[5] == ALL_CARDS
        if deal.trump is not None:
            won = [CARD_NAMES[card] for trick in deal.tricks for card in trick.trick.cards]
            assert sum(deal.card_points) == naive_rules.points(won, "SHDC"[deal.trump])

    def views(self, state: MatchState) -> None:
        hands = state.deal.hands if state.deal is not None else (0, 0, 0, 0)
        for viewer in (*Seat, None):
            view = table_view(state, viewer)
            assert view.hand == (0 if viewer is None else hands[viewer])
            assert view.legal & ~view.hand == 0
            assert view.may_announce & ~view.legal == 0
            on_turn = viewer is not None and viewer is state.turn
            assert bool(view.legal) == (on_turn and state.phase is Phase.PLAY)
            assert (view.duty is not None) == (on_turn and state.phase is Phase.PLAY)
            assert bool(view.legal_bids) == (on_turn and state.phase is Phase.AUCTION)

    def scored(self, event: DealScored, state: MatchState) -> None:
        start = max(n for n, past in enumerate(self.log) if isinstance(past, DealStarted))
        plays = [past for past in self.log[start:] if isinstance(past, CardPlayed)]
        told = [(play.seat, CARD_NAMES[play.card]) for play in plays]
        result = state.results[-1]
        assert len(plays) == 32
        assert result.trump is not None
        assert result.taker is not None
        trump = "SHDC"[result.trump]
        said = [play.seat for play in plays if play.announcement is not None]
        belote_seat = said[0] if len(said) == 2 else None
        if state.rules.belote is BeloteCall.AUTO:
            pair = [seat for seat, card in told if card in ("K" + trump, "Q" + trump)]
            assert belote_seat == (pair[0] if pair[0] == pair[1] else None)

        outcome, written, held = naive_rules.score(
            [told[n : n + 4] for n in range(0, 32, 4)], trump, result.taker, belote_seat, self.held, state.rules.litige
        )

        score = event.score
        assert (score.outcome, list(score.scores), score.held_out) == (outcome, written, held)
        assert sum(score.trick_points) == (162 if score.capot is None else 252)
        assert state.totals == tuple(self.totals[team] + written[team] for team in (0, 1))
        self.held = held


def watch(rng: random.Random, rules: RuleSet, deals: int, take: float) -> MatchState:
    watcher, last = Watch(), None
    for event, state in random_match(rng, rules, deals, take):
        watcher.see(event, state)
        last = state
    assert last is not None
    return last


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), rules=RULE_SETS, take=st.sampled_from([0.15, 0.5]))
def test_given_a_random_match_when_played_to_its_end_then_every_event_keeps_the_laws(
    seed: int, rules: RuleSet, take: float
) -> None:
    state = watch(random.Random(seed), rules, 60, take)

    assert state.phase is Phase.OVER
    assert state.winner is not None
    assert state.totals[state.winner] >= rules.target
    assert state.totals[state.winner] > state.totals[state.winner.other]
    assert all(result.seed is not None for result in state.results)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(choices=st.randoms(use_true_random=False), rules=RULE_SETS)
def test_given_any_choices_when_two_deals_are_played_then_every_event_keeps_the_laws(
    choices: random.Random, rules: RuleSet
) -> None:
    state = watch(choices, rules, 2, 0.5)

    assert state.phase is Phase.OVER
    assert len(state.results) == 2
