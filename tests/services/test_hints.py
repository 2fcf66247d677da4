"""Hints are measured from what is over, time and again the same, and only of who has played."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta

import pytest
from dj_queue.models import Job
from django.utils import timezone
from pytest_django import Settings

from accounts.models import SeenNetwork, User
from accounts.signals import guest_joined
from belote_site import retention
from games import hints as numbers
from games import purges, tasks
from games.deal_analysis import AnalysedMove
from games.engine.seats import Seat
from games.models import DealAnalysis, GameEvent, Hint, Match, MatchSeat, Report, Result
from games.replays import replay_of
from games.services import analyses, hints, ratings
from tests.services.past import finished_match, running_match
from tests.services.rated import NOON, accounts, rated_match

pytestmark = pytest.mark.django_db

DEAL = 1
SOON = timedelta(hours=1)


@pytest.fixture
def people() -> list[User]:
    """Four accounts; North and South sit together."""
    return accounts()


def hint_of(user: User) -> Hint:
    return Hint.objects.get(user=user)


def just_now(*played: Match) -> None:
    """Let matches of `rated_match` have been played within the last hour."""
    now = timezone.now()
    for match in played:
        Match.objects.filter(pk=match.pk).update(started_at=now - SOON, ended_at=now)
        Result.objects.filter(match=match).update(ended_at=now)


def seen(user: User, mark: str) -> None:
    for ago in (SOON, timedelta(0)):
        SeenNetwork.objects.get_or_create(user=user, mark=mark, day=(timezone.now() - ago).date())


def analysed(match: Match, deal: int = DEAL) -> None:
    """Made up: of two values, the card that was played is worth the higher one, and hard plays the other."""
    moves = []
    for play in replay_of(match.pk).end_of(deal).plays:
        other = next((card for card in range(32) if play.legal >> card & 1 and card != play.card), play.card)
        moves.append(AnalysedMove(play.seat, play.card, {other: 50, play.card: 60}, other))
    analyses.add_sample(match.pk, deal)
    work = analyses.take_up()
    assert work is not None
    analyses.finish(work, moves)


def insert_stand_in(match: Match, deal: int, payload: dict[str, object]) -> None:
    """Put an event into a log that is over, in the place of the end of the match, which nobody reads here."""
    started = GameEvent.objects.get(match=match, payload__type="deal_started", payload__deal=deal)
    after: Iterable[GameEvent] = GameEvent.objects.filter(match=match, sequence__gt=started.sequence)
    for event in sorted(after, key=lambda event: -event.sequence):
        GameEvent.objects.filter(pk=event.pk).update(sequence=event.sequence + 1)
    GameEvent.objects.create(match=match, sequence=started.sequence + 1, schema=started.schema, payload=payload)


def test_given_partners_from_one_network_when_measured_then_their_rated_matches_count_and_no_others(
    people: list[User],
) -> None:
    # given
    north, east, south, west = people
    just_now(*(rated_match(people, minute=minute) for minute in range(6)))
    seen(north, "a")
    seen(south, "a")
    seen(east, "b")
    # when
    hints.measure(10)
    # then
    found = hint_of(north)
    assert (found.matches, found.rated, found.partnered, found.closest) == (6, 6, 6, 6)
    assert (found.compared, found.near, found.near_partners) == (6, 6, 1)
    assert (found.is_near, found.striking) == (True, 1)
    assert hint_of(south).near == 6
    # and of whom nothing is known there is nothing to compare
    assert (hint_of(east).compared, hint_of(west).compared, hint_of(east).striking) == (0, 0, 0)


def test_given_partners_seen_in_one_network_on_other_days_when_measured_then_they_are_not_near(
    people: list[User],
) -> None:
    just_now(rated_match(people))
    for user, mark in ((people[0], "a"), (people[2], "b")):
        seen(user, mark)
    SeenNetwork.objects.create(user=people[2], mark="a", day=timezone.now().date() - timedelta(days=5))

    hints.measure(10)

    assert (hint_of(people[0]).compared, hint_of(people[0]).near) == (1, 0)


def test_given_leaving_reports_and_late_turns_when_measured_then_each_is_counted(people: list[User]) -> None:
    # given
    marie, *others = people
    just_now(*(rated_match(people, left=(Seat.NORTH,), minute=minute) for minute in range(3)))
    Result.objects.filter(person=marie.public_id).update(late=4)
    for reporter in (*others, others[0]):
        Report.objects.create(reporter=reporter, reported=marie, ground="stalling")
    nothing = Report.objects.create(reporter=User.objects.create_guest(), reported=marie, ground="spam")
    Report.objects.filter(pk=nothing.pk).update(
        status=Report.Status.RESOLVED, resolution=Report.Resolution.NOTHING, resolved_at=timezone.now()
    )
    # when
    hints.measure(10)
    # then
    found = hint_of(marie)
    assert (found.left, found.reporters, found.late) == (3, 3, 12)
    assert found.last_left_at == Result.objects.filter(person=marie.public_id).latest("ended_at").ended_at
    assert (found.is_leaving, found.is_reported, found.is_stalling, found.is_near) == (True, True, True, False)
    assert found.striking == 3


def test_given_an_analysed_deal_when_measured_then_the_cards_of_the_person_are_compared(people: list[User]) -> None:
    # given
    match = finished_match({Seat.SOUTH: people[0]})
    analysed(match)
    # when
    hints.measure(10)
    # then
    found = hint_of(people[0])
    assert found.deals == 1
    assert found.cards == found.best == found.better > 0
    assert (found.cost, found.hards_cost, found.worse) == (0, 10 * found.cards, 0)
    assert (found.distance, found.is_foreseeing) == (None, False)


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "time_ran_out", "seat": 2, "asked_by": None},
        {"type": "seat_taken_over", "seat": 2, "cause": "gone"},
    ],
)
def test_given_a_computer_that_stood_in_then_that_deal_says_nothing_of_the_person(
    people: list[User], payload: dict[str, object]
) -> None:
    match = finished_match({Seat.SOUTH: people[0], Seat.NORTH: people[1]})
    analysed(match)
    insert_stand_in(match, DEAL, payload)

    hints.measure(10)

    assert (hint_of(people[0]).deals, hint_of(people[1]).deals) == (0, 1)


def test_given_a_damaged_log_then_its_deals_are_left_out_and_everybody_is_measured(people: list[User]) -> None:
    match = finished_match({Seat.SOUTH: people[0], Seat.NORTH: people[1]})
    analysed(match)
    GameEvent.objects.filter(match=match, payload__type="deal_started").update(payload={"type": "deal_started"})

    assert hints.measure(10) == 2
    assert (hint_of(people[0]).deals, hint_of(people[0]).matches) == (0, 1)


def test_given_enough_people_when_measured_then_the_distance_from_them_is_told(people: list[User]) -> None:
    # given
    me = people[0]
    just_now(rated_match(people))
    for place in range(numbers.FEWEST_PEOPLE):
        user = User.objects.create(username=f"measured-{place}")
        Hint.objects.create(user=user, **stored(cards=200, better=40 + place, worse=60 - place))
    match = finished_match({Seat.SOUTH: me})
    analysed(match)
    DealAnalysis.objects.update(moves=DealAnalysis.objects.get().moves * 60)
    # when
    hints.measure(10)
    # then
    found = hint_of(me)
    assert found.distance is not None
    assert found.distance > 2
    assert (found.is_foreseeing, found.striking) == (True, 1)
    # and who has not played keeps what was measured
    assert Hint.objects.filter(cards=200).count() == numbers.FEWEST_PEOPLE


def stored(**known: object) -> dict[str, object]:
    """The numbers of a row, 0 where nothing is said."""
    counts = dict.fromkeys((*numbers.Table._fields, *numbers.Play._fields, "reporters", "striking"), 0)
    flags = {f"is_{signal}": False for signal in numbers.Signal}
    return {"computed_at": timezone.now(), **counts, **flags, **known}


def test_given_a_running_match_then_nothing_of_it_is_measured(people: list[User]) -> None:
    running_match({Seat.SOUTH: people[0]})

    assert hints.measure(10) == 0
    assert not Hint.objects.exists()


def test_given_an_annulled_match_then_it_counts_nowhere_a_day_later(people: list[User]) -> None:
    first, second = (rated_match(people, minute=minute) for minute in range(2))
    just_now(first, second)
    hints.measure(10)
    ratings.annul(second.pk)
    Hint.objects.update(computed_at=timezone.now() - hints.MEASURED_ANEW_AFTER - SOON)

    hints.measure(10)

    assert hint_of(people[0]).matches == 1


def test_given_people_who_were_measured_then_only_who_has_played_since_is_again_and_never_more_than_asked(
    people: list[User],
) -> None:
    # given
    just_now(rated_match(people))
    assert [hints.measure(3), hints.measure(3), hints.measure(3)] == [3, 1, 0]
    # when
    newcomers = accounts(2)
    just_now(rated_match([people[0], *newcomers, people[3]]))
    # then
    assert hints.measure(10) == 4
    assert hint_of(people[0]).matches == 2
    assert hints.measure(10) == 0


def test_given_matches_past_the_period_then_nobody_is_measured_and_the_row_goes(people: list[User]) -> None:
    match = rated_match(people)
    just_now(match)
    hints.measure(10)
    Result.objects.filter(match=match).update(ended_at=timezone.now() - retention.HINT - SOON)
    Hint.objects.update(computed_at=NOON)

    assert hints.measure(10) == 0
    purges.purge.call()

    assert not Hint.objects.exists()


def test_given_a_match_within_the_period_then_the_row_stays(people: list[User]) -> None:
    just_now(rated_match(people))
    hints.measure(10)

    purges.purge.call()

    assert Hint.objects.count() == 4


def test_given_a_guest_who_joins_an_account_then_both_are_measured_together(people: list[User]) -> None:
    # given
    guest, account = User.objects.create_guest(), people[0]
    finished_match({Seat.SOUTH: guest})
    finished_match({Seat.SOUTH: account})
    hints.measure(10)
    # when
    guest_joined.send(User, guest=guest, account=account)
    guest.delete()
    # then
    assert not Hint.objects.exists()
    hints.measure(10)
    assert hint_of(account).matches == 2


def rated_and_played_out(people: list[User]) -> Match:
    match = finished_match(dict(zip(Seat, people, strict=True)))
    Match.objects.filter(pk=match.pk).update(is_rated=True)
    return match


def test_given_finished_rated_matches_when_deals_are_drawn_then_a_part_of_a_day_waits_behind_what_is_asked_for(
    people: list[User], settings: Settings
) -> None:
    # given
    settings.HINT_SAMPLE = 48
    match = rated_and_played_out(people)
    # when
    drawn = hints.draw_sample()
    # then
    assert drawn == 2
    assert {row.match_id for row in DealAnalysis.objects.filter(is_sample=True)} == {match.pk}
    assert Job.objects.filter(task_path="games.tasks.analyse_deals").count() == 2
    # and somebody asks for another one
    known = set(DealAnalysis.objects.values_list("deal", flat=True))
    asked = next(deal for deal in range(1, 9) if deal not in known)
    analyses.request(people[0], match.pk, asked)
    work = analyses.take_up()
    assert work is not None
    assert work.deal == asked


def test_given_somebody_striking_then_every_second_deal_is_drawn_from_their_matches(
    people: list[User], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    settings.HINT_SAMPLE = 2 * hints.RUNS_A_DAY
    marked = rated_and_played_out(people)
    Hint.objects.create(user=people[0], **stored(striking=1))
    newest = rated_and_played_out(accounts())
    monkeypatch.setattr(secrets, "randbelow", lambda count: count - 1)
    # when
    hints.draw_sample()
    # then
    assert {row.match_id for row in DealAnalysis.objects.all()} == {marked.pk, newest.pk}


def test_given_a_drawn_deal_that_waits_when_somebody_asks_for_it_then_it_goes_before_other_samples(
    people: list[User],
) -> None:
    match = finished_match({Seat.SOUTH: people[0]})
    for deal in (1, 2, 3):
        assert analyses.add_sample(match.pk, deal)
    assert not analyses.add_sample(match.pk, 3)

    analyses.request(people[0], match.pk, 3)

    work = analyses.take_up()
    assert work is not None
    assert work.deal == 3


def test_given_the_deals_of_a_day_or_much_that_waits_then_none_is_drawn(
    people: list[User], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated_and_played_out(people)
    settings.HINT_SAMPLE = 1
    assert [hints.draw_sample(), hints.draw_sample()] == [1, 0]
    settings.HINT_SAMPLE = 0
    assert hints.draw_sample() == 0
    settings.HINT_SAMPLE = 100
    monkeypatch.setattr(analyses, "MOST_BEFORE_A_SAMPLE", 1)
    assert hints.draw_sample() == 0


@pytest.mark.parametrize(
    "change",
    [
        {"is_rated": False},
        {"status": Match.Status.VOID},
        {"annulled_at": NOON},
        {"status": Match.Status.RUNNING, "ended_at": None},
        {"ended_at": NOON - timedelta(days=99)},
    ],
)
def test_given_a_match_that_counts_for_nothing_then_no_deal_of_it_is_drawn(
    people: list[User], change: dict[str, object]
) -> None:
    match = rated_and_played_out(people)
    Match.objects.filter(pk=match.pk).update(**change)

    assert hints.draw_sample() == 0


def test_the_job_measures_and_draws_and_is_on_the_schedule(people: list[User], settings: Settings) -> None:
    rated_and_played_out(people)

    tasks.measure_hints.call()

    assert Hint.objects.count() == 4
    assert DealAnalysis.objects.filter(is_sample=True).exists()
    recurring = settings.TASKS["default"]["OPTIONS"]["recurring"].values()
    assert [job["queue_name"] for job in recurring if job["task_path"] == "games.tasks.measure_hints"] == ["analysis"]


def test_nothing_that_is_stored_names_a_card_or_a_network() -> None:
    kinds = {field.get_internal_type() for field in Hint._meta.concrete_fields}

    assert kinds <= {
        "BigAutoField",
        "OneToOneField",
        "DateTimeField",
        "PositiveSmallIntegerField",
        "PositiveIntegerField",
        "FloatField",
        "BooleanField",
    }
    assert MatchSeat not in {field.related_model for field in Hint._meta.concrete_fields}
