"""Between a commitment and its cards: whose random bytes are waited for, how long, and what a crash leaves behind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from games import selectors, tasks
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import BySeat, Seat
from games.engine.shuffle import commitment_of, dealer_from_seed, deck_from_seed
from games.engine.state import MatchState
from games.models import DealSeed, Match
from games.services import matches, presence
from tests.services.given import ME, Table, four_people, new_table

N, E, S, W = Seat
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _a_second_for_the_browsers(settings: Settings, _fresh_and_at_once: None, _no_browsers: None) -> None:
    settings.CONTRIBUTION_SECONDS = 1


def bits_of(seat: Seat) -> bytes:
    return bytes([seat + 1]) * 16


def contribute(table: Table, *seats: Seat) -> MatchState:
    for seat in seats:
        answer = matches.contribute(table.match.pk, seat, table.state.deal_number, bits_of(seat))
        assert answer.status is matches.Status.ACCEPTED
    return table.state


def follows_from_its_seed(match: Match, state: MatchState) -> bool:
    number, given = state.deal_number, state.contributions
    seed = bytes(DealSeed.objects.get(match=match, deal=number).seed)
    deal = state.deal
    assert deal is not None
    dealer = dealer_from_seed(seed, match.pk.bytes, given) if number == 1 else deal.dealer
    same = (commitment_of(seed), deck_from_seed(seed, match.pk.bytes, number, given), dealer)
    return same == (state.commitment, deal.deck, deal.dealer)


def test_given_four_people_when_the_last_has_contributed_then_the_cards_follow_from_all_of_them() -> None:
    table = four_people()

    waiting = contribute(table, N, E, S)
    assert (waiting.phase, waiting.deal) == (Phase.COMMITTED, None)
    dealt = contribute(table, W)

    assert dealt.phase is Phase.AUCTION
    assert dealt.contributions == BySeat(*map(bits_of, Seat))
    assert follows_from_its_seed(table.match, dealt)


def test_given_a_person_who_sends_nothing_when_the_time_is_over_then_the_cards_follow_from_the_others() -> None:
    table = four_people()
    contribute(table, N, W)

    table.let_due_act()

    assert table.state.phase is Phase.AUCTION
    assert table.state.contributions == BySeat(bits_of(N), None, None, bits_of(W))
    assert follows_from_its_seed(table.match, table.state)


def test_given_a_commitment_when_made_then_its_time_is_one_second_and_contributions_do_not_prolong_it() -> None:
    before = timezone.now()
    table = four_people()
    due_at = Match.objects.get(pk=table.match.pk).due_at
    assert due_at is not None
    assert before < due_at < timezone.now() + timedelta(seconds=1)

    contribute(table, N)

    assert Match.objects.get(pk=table.match.pk).due_at == due_at


def test_given_a_new_table_when_only_one_person_has_opened_it_then_those_on_the_way_are_waited_for() -> None:
    table = four_people(present=False)
    table.arrive(N)
    assert contribute(table, N).phase is Phase.COMMITTED

    table.arrive(E)
    assert contribute(table, E).phase is Phase.COMMITTED
    table.let_due_act()

    assert table.state.contributions == BySeat(bits_of(N), bits_of(E), None, None)


def test_given_a_new_table_when_nobody_has_opened_it_then_its_time_does_not_run() -> None:
    table = four_people(present=False)
    Match.objects.filter(pk=table.match.pk).update(due_at=timezone.now() - timedelta(minutes=5))

    tasks.act_when_due.call(str(table.match.pk), table.state.version)
    assert table.state.phase is Phase.COMMITTED
    table.arrive(N)

    due_at = Match.objects.get(pk=table.match.pk).due_at
    assert due_at is not None
    assert due_at > timezone.now()


def test_given_computers_and_people_who_are_gone_when_a_later_deal_is_committed_to_then_nobody_waits_for_them() -> None:
    table = four_people(computers=1)
    contribute(table, *table.people)
    away, here, also_here = table.people
    table.play_until(lambda state: state.phase is Phase.SUMMARY)
    table.depart(away)
    matches.take_over(table.match.pk, here, Cause.IDLE)

    table.play_until(lambda state: state.phase is Phase.COMMITTED)
    dealt = contribute(table, also_here)

    assert dealt.phase is Phase.AUCTION
    assert [seat for seat in Seat if dealt.contributions[seat]] == [also_here]


def test_given_a_deal_under_way_when_a_contribution_to_it_or_to_the_next_one_comes_then_refused() -> None:
    _, match = new_table()
    matches.contribute(match.pk, ME, 1, bits_of(ME))
    first = selectors.current_state(match.pk)
    assert first.phase is Phase.AUCTION

    late = matches.contribute(match.pk, ME, 1, bits_of(N))
    early = matches.contribute(match.pk, ME, 2, bits_of(N))

    assert (late.status, early.status) == (matches.Status.REFUSED, matches.Status.REFUSED)
    assert selectors.current_state(match.pk) == first


def test_given_a_crash_after_the_commitment_when_the_site_is_back_then_the_same_seed_deals() -> None:
    table = four_people()
    contribute(table, E)
    committed = table.state
    seed = DealSeed.objects.get(match=table.match, deal=1).seed

    selectors.states.clear()
    presence.begin_anew()
    presence.grant_time()
    table.arrive(N)
    table.let_due_act()

    assert DealSeed.objects.get(match=table.match, deal=1).seed == seed
    assert table.state.commitment == committed.commitment
    assert table.state.contributions == committed.contributions
    assert follows_from_its_seed(table.match, table.state)


def test_given_no_time_for_browsers_when_a_match_starts_then_it_deals_at_once(settings: Settings) -> None:
    settings.CONTRIBUTION_SECONDS = 0

    assert four_people(present=False).state.phase is Phase.AUCTION
