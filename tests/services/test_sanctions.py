"""Warnings, mutes, suspensions and bans: who may decide about whom, what holds, and what a ban keeps out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import barriers, networks, purges, rights, sanctions
from accounts.audit import Refused
from accounts.deletion import delete_account
from accounts.models import Barrier, Sanction, SeenNetwork, StaffAct, TakenName, User
from accounts.sanctions import Ground, Kind, Scope
from accounts.signals import guest_joined, person_banned, person_suspended
from belote_site.staff_groups import ADMINISTRATOR, MODERATOR
from games.models import Report

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOME, WORK = "203.0.113.7", "2001:db8:1:2::/64"


def staff_of(group: str, name: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


@pytest.fixture
def moderator() -> User:
    return staff_of(MODERATOR, "mari")


@pytest.fixture
def administrator() -> User:
    return staff_of(ADMINISTRATOR, "ahto")


@pytest.fixture
def person() -> User:
    return User.objects.create_user("pahalane")


def impose(staff: User | None, person: User, kind: Kind = Kind.MUTE, **changed: Any) -> Sanction:
    """Impose a mute of a day, or what is asked for."""
    given = {
        "scope": sanctions.SCOPES[kind][0],
        "ground": Ground.INSULTS,
        "text": "Mind your words.",
        "length": None if kind is Kind.WARNING else DAY,
        "why": "report 5",
    } | changed
    return sanctions.impose(staff, person, kind, **given)


def report_about(person: User, **changed: Any) -> Report:
    return Report.objects.create(reported=person, ground="insults", **changed)


def impose_by_hand(person: User, kind: Kind, until: timedelta | None, **changed: Any) -> Sanction:
    """A sanction that ends, or has ended, so long from now."""
    end = None if until is None else timezone.now() + until
    scope = changed.pop("scope", sanctions.SCOPES[kind][0])
    return Sanction.objects.create(
        user=person, person=person.public_id, kind=kind, scope=scope, ground=Ground.SPAM, until=end, **changed
    )


@pytest.mark.parametrize(
    ("kind", "act"), [("warning", "warn"), ("mute", "mute"), ("suspend", "suspend"), ("ban", "ban")]
)
def test_what_is_imposed_is_in_the_record_with_who_whom_and_why(
    moderator: User, person: User, kind: str, act: str
) -> None:
    # given
    report = report_about(person)
    # when
    sanction = impose(moderator, person, Kind(kind), report=report.pk)
    # then
    written = StaffAct.objects.get()
    assert (written.staff, written.person) == (moderator.public_id, person.public_id)
    assert (written.act, written.subject, written.subject_id) == (act, "sanction", str(sanction.pk))
    assert written.why == "report 5"
    assert written.detail["report"] == report.pk
    assert written.detail["scope"] == sanction.scope
    # and it says nothing of what was said
    assert sanction.text not in str(written.detail)


@pytest.mark.parametrize(
    ("kind", "changed", "word"),
    [
        (Kind.MUTE, {"scope": Scope.SITE}, "scope"),
        (Kind.WARNING, {"scope": Scope.TEXT}, "scope"),
        (Kind.BAN, {"scope": Scope.RATED}, "scope"),
        (Kind.WARNING, {"length": DAY}, "warning"),
        (Kind.BAN, {"length": timedelta()}, "length"),
        (Kind.BAN, {"length": -DAY}, "length"),
        (Kind.BAN, {"ground": Ground.OTHER, "text": "  "}, "words"),
    ],
)
def test_what_does_not_go_together_is_refused(
    moderator: User, person: User, kind: Kind, changed: dict[str, Any], word: str
) -> None:
    with pytest.raises(Refused, match=word):
        impose(moderator, person, kind, **changed)
    assert not Sanction.objects.exists()
    assert not StaffAct.objects.exists()


def test_a_moderator_decides_neither_about_staff_nor_about_themselves(moderator: User, administrator: User) -> None:
    superuser = User.objects.create_user("root", is_superuser=True)
    for somebody in (moderator, administrator, superuser, staff_of(MODERATOR, "mati")):
        with pytest.raises(Refused):
            impose(moderator, somebody)
    assert not Sanction.objects.exists()


def test_an_administrator_decides_about_staff_but_not_about_themselves(moderator: User, administrator: User) -> None:
    impose(administrator, moderator)
    with pytest.raises(Refused, match="themselves"):
        impose(administrator, administrator)


def test_only_a_superuser_decides_about_a_superuser(administrator: User) -> None:
    superuser, other = (User.objects.create_superuser(name) for name in ("root", "root2"))
    with pytest.raises(Refused, match="all rights"):
        impose(administrator, superuser)
    impose(other, superuser)


def test_who_has_no_right_to_it_decides_nothing(person: User) -> None:
    helper = User.objects.create_user("helper", is_staff=True)
    held = impose(None, person)
    with pytest.raises(Refused, match="right"):
        impose(helper, person)
    with pytest.raises(Refused, match="right"):
        sanctions.lift(helper, held, "")


def test_the_record_names_a_report_about_that_person_that_its_reader_may_know_of(
    moderator: User, administrator: User, person: User
) -> None:
    # given
    about_another = report_about(administrator)
    own = report_about(person, reporter=moderator)
    # when, then
    for number in (about_another.pk, own.pk, own.pk + 1, 2**70):
        with pytest.raises(Refused, match="no such report"):
            impose(moderator, person, report=number)
        with pytest.raises(Refused, match="no such report"):
            sanctions.take_name(moderator, person, "", "rude", number)
    assert not Sanction.objects.exists()
    assert not StaffAct.objects.exists()
    impose(administrator, person, report=own.pk)


def test_rights_are_those_of_the_moment_in_which_it_is_decided(moderator: User, person: User) -> None:
    # given rights that were read before they ended
    assert moderator.has_perm("accounts.impose_sanction")
    held = impose(None, person)
    of_nobody = impose_by_hand(person, Kind.BAN, DAY)
    Sanction.objects.filter(pk=of_nobody.pk).update(user=None)
    moderator.groups.clear()
    # when, then
    for attempt in (
        lambda: impose(moderator, person, Kind.WARNING),
        lambda: sanctions.take_name(moderator, person, "", "rude"),
        lambda: sanctions.lift(moderator, held, ""),
        lambda: sanctions.lift(moderator, of_nobody, ""),
    ):
        with pytest.raises(Refused, match="right"):
            attempt()
    assert Sanction.objects.in_force().count() == 2


@pytest.mark.parametrize("changed", ["is_active", "is_staff"])
def test_who_is_switched_off_or_not_of_the_staff_any_more_decides_nothing(person: User, changed: str) -> None:
    root = User.objects.create_superuser("root")
    User.objects.filter(pk=root.pk).update(**{changed: False})
    with pytest.raises(Refused, match="right"):
        impose(root, person)


def test_of_two_administrators_who_ban_each_other_one_stays(administrator: User) -> None:
    # given
    other = staff_of(ADMINISTRATOR, "anu")
    ban = impose(administrator, other, Kind.BAN)
    # when, then whoever is banned decides about nobody, and gives nobody rights
    with pytest.raises(Refused, match="right"):
        impose(other, administrator, Kind.BAN)
    with pytest.raises(Refused, match="right"):
        rights.end_rights(other, administrator, "")
    assert sanctions.barred(administrator.pk, Scope.SITE) is None
    # and when the ban is lifted they may again
    sanctions.lift(administrator, ban, "")
    rights.end_rights(other, administrator, "")


def test_the_same_is_not_decided_twice(moderator: User, person: User) -> None:
    # given
    mute = impose(moderator, person, scope=Scope.TEXT)
    impose(moderator, person, Kind.WARNING)
    # when, then
    with pytest.raises(Refused, match="already: lift it first"):
        impose(moderator, person, scope=Scope.TEXT, length=None)
    with pytest.raises(Refused, match="not read the same warning"):
        impose(moderator, person, Kind.WARNING, text=" Mind your words. ")
    assert Sanction.objects.count() == StaffAct.objects.count() == 2
    # and what bars something else is another thing, and so is what is over, lifted or read
    impose(moderator, person, scope=Scope.TALK)
    impose(moderator, person, Kind.WARNING, ground=Ground.SPAM)
    sanctions.lift(moderator, mute, "")
    impose(moderator, person, scope=Scope.TEXT)
    Sanction.objects.filter(kind=Kind.MUTE).update(until=timezone.now())
    impose(moderator, person, scope=Scope.TEXT)
    Sanction.objects.update(seen_at=timezone.now())
    impose(moderator, person, Kind.WARNING)


def test_a_name_is_taken_once_by_two_clicks(moderator: User, person: User) -> None:
    sanctions.take_name(moderator, person, "", "rude")
    person.refresh_from_db()
    with pytest.raises(Refused, match="not read the same warning"):
        sanctions.take_name(moderator, person, "", "rude")
    assert User.objects.get(pk=person.pk).username == person.username


def test_a_command_on_the_server_may_decide_about_anybody(administrator: User) -> None:
    sanction = impose(None, administrator, Kind.BAN)
    assert sanction.issued_by is None
    assert StaffAct.objects.get().staff is None


def test_what_is_over_or_lifted_bars_nothing_and_a_warning_never_does(person: User) -> None:
    impose_by_hand(person, Kind.MUTE, -timedelta(seconds=1))
    impose_by_hand(person, Kind.MUTE, None, lifted_at=timezone.now())
    impose_by_hand(person, Kind.WARNING, None)
    assert sanctions.barred(person.pk, *Scope) is None


def test_of_several_the_one_that_ends_last_bars_and_for_good_is_last(person: User) -> None:
    impose_by_hand(person, Kind.MUTE, DAY)
    last = impose_by_hand(person, Kind.MUTE, 3 * DAY, scope=Scope.TALK)
    impose_by_hand(person, Kind.SUSPENSION, None)
    assert sanctions.barred(person.pk, Scope.TEXT, Scope.TALK) == last
    for_good = impose_by_hand(person, Kind.MUTE, None)
    assert sanctions.barred(person.pk, Scope.TEXT, Scope.TALK) == for_good
    assert sanctions.barred(person.pk, Scope.TALK) == last
    assert sanctions.barred(person.pk, Scope.SITE) is None


def test_lifting_ends_it_lets_the_network_in_and_is_in_the_record(moderator: User, person: User) -> None:
    # given
    networks.saw(person, HOME)
    ban = impose(moderator, person, Kind.BAN)
    # when
    sanctions.lift(moderator, ban, "mixed up with somebody else")
    # then
    assert sanctions.barred(person.pk, Scope.SITE) is None
    assert not Barrier.objects.exists()
    barriers.refuse_guests_from(HOME)
    written = StaffAct.objects.latest("at")
    assert (written.act, written.why, written.person) == ("lift", "mixed up with somebody else", person.public_id)
    # and it is not lifted twice
    with pytest.raises(Refused, match="in force"):
        sanctions.lift(moderator, ban, "")
    assert StaffAct.objects.count() == 2


def test_a_warning_cannot_be_lifted_nor_what_is_over(moderator: User, person: User) -> None:
    for kind, until in ((Kind.WARNING, None), (Kind.BAN, -DAY)):
        with pytest.raises(Refused, match="in force"):
            sanctions.lift(moderator, impose_by_hand(person, kind, until), "")


def test_nobody_lifts_what_was_decided_about_themselves(moderator: User, administrator: User) -> None:
    impose(administrator, moderator)
    with pytest.raises(Refused, match="themselves"):
        sanctions.lift(moderator, Sanction.objects.get(), "")


@pytest.mark.parametrize(("kind", "signal"), [(Kind.BAN, person_banned), (Kind.SUSPENSION, person_suspended)])
def test_a_receiver_that_fails_takes_the_decision_back(moderator: User, person: User, kind: Kind, signal: Any) -> None:
    heard: list[User] = []

    def receiver(*, user: User, **_: object) -> None:
        heard.append(user)
        raise RuntimeError

    signal.connect(receiver)
    try:
        with pytest.raises(RuntimeError):
            impose(moderator, person, kind)
    finally:
        signal.disconnect(receiver)
    assert heard == [person]
    assert not Sanction.objects.exists()
    assert not StaffAct.objects.exists()


def test_a_ban_keeps_guests_from_the_networks_of_the_last_month_out_for_a_month(moderator: User, person: User) -> None:
    # given
    today = timezone.now().date()
    networks.saw(person, HOME)
    networks.saw(person, WORK)
    long_ago = networks.mark_of("198.51.100.1")
    SeenNetwork.objects.create(user=person, mark=long_ago, day=today - 31 * DAY)
    # when
    ban = impose(moderator, person, Kind.BAN, length=None)
    # then
    for address in (HOME, WORK):
        with pytest.raises(barriers.Barred):
            barriers.refuse_guests_from(address)
    barriers.refuse_guests_from("198.51.100.1")
    barriers.refuse_guests_from("unknown")
    until = ban.barriers.values_list("until", flat=True).distinct().get()
    assert timedelta(days=29) < until - timezone.now() <= timedelta(days=30)
    # and no address is stored
    stored = [*Barrier.objects.values_list("mark", flat=True), *SeenNetwork.objects.values_list("mark", flat=True)]
    assert all(len(mark) == 64 and mark.isalnum() for mark in stored)
    # and after a month they may come
    Barrier.objects.update(until=timezone.now())
    barriers.refuse_guests_from(HOME)


@pytest.mark.parametrize("kind", [Kind.WARNING, Kind.MUTE, Kind.SUSPENSION])
def test_nothing_but_a_ban_keeps_others_out(moderator: User, person: User, kind: Kind) -> None:
    networks.saw(person, HOME)
    impose(moderator, person, kind)
    barriers.refuse_guests_from(HOME)


def test_an_address_of_somebody_banned_is_barred_but_one_that_nobody_confirmed_is_not_theirs(
    moderator: User, person: User
) -> None:
    EmailAddress.objects.create(user=person, email="Pahalane@example.org", verified=True)
    EmailAddress.objects.create(user=person, email="victim@example.org", verified=False)
    impose(moderator, person, Kind.BAN)
    assert barriers.is_email_barred(" pahalane@EXAMPLE.org")
    assert not barriers.is_email_barred("victim@example.org")


def test_a_person_is_written_down_once_a_day_and_network(
    person: User,
    django_assert_num_queries: Callable[[int], Any],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        networks.saw(person, HOME)
        networks.saw(person, WORK)
    with django_assert_num_queries(0):
        networks.saw(person, HOME)
    # and another process does not know what this one has written
    networks._written.clear()
    networks.saw(person, HOME)
    assert SeenNetwork.objects.count() == 2
    networks.saw(person, "unknown")
    assert SeenNetwork.objects.count() == 2


def test_what_was_rolled_back_is_written_the_next_time(
    person: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=True), suppress(RuntimeError), transaction.atomic():
        networks.saw(person, HOME)
        raise RuntimeError
    assert not SeenNetwork.objects.exists()
    networks.saw(person, HOME)
    assert SeenNetwork.objects.count() == 1


def test_so_much_is_remembered_and_no_more(
    person: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    monkeypatch.setattr(networks, "_REMEMBERED", 2)
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(5):
            networks.saw(person, f"203.0.113.{number}")
    assert len(networks._written) <= 2
    assert SeenNetwork.objects.count() == 5


@pytest.mark.parametrize(("length", "at_least"), [(DAY, 364 * DAY), (500 * DAY, 499 * DAY), (None, 5000 * DAY)])
def test_a_ban_outlives_the_account_with_its_name_and_barriers(
    moderator: User, person: User, length: timedelta | None, at_least: timedelta
) -> None:
    # given
    networks.saw(person, HOME)
    EmailAddress.objects.create(user=person, email="pahalane@example.org", verified=True)
    public_id = person.public_id
    ban = impose(moderator, person, Kind.BAN, length=length)
    # when
    delete_account(person)
    # then
    ban.refresh_from_db()
    assert (ban.user, ban.person) == (None, public_id)
    assert barriers.is_email_barred("pahalane@example.org")
    with pytest.raises(barriers.Barred):
        barriers.refuse_guests_from(HOME)
    assert not TakenName.objects.is_free("pahalane")
    assert not TakenName.objects.filter(until__lt=timezone.now() + at_least).exists()
    # and it can be lifted still
    sanctions.lift(moderator, ban, "")
    assert not barriers.is_email_barred("pahalane@example.org")


def test_what_was_decided_about_a_guest_holds_for_the_account_it_joins(moderator: User, person: User) -> None:
    # given
    guest = User.objects.create_guest()
    networks.saw(guest, HOME)
    networks.saw(guest, WORK)
    networks.saw(person, HOME)
    impose(moderator, guest, scope=Scope.TALK)
    # when
    guest_joined.send(User, guest=guest, account=person)
    guest.delete()
    # then
    held = sanctions.barred(person.pk, Scope.TALK)
    assert held is not None
    assert held.person == person.public_id
    assert SeenNetwork.objects.filter(user=person).count() == 2


def test_what_is_past_its_time_is_purged(moderator: User, person: User) -> None:
    # given
    year, now = 365 * DAY, timezone.now()
    networks.saw(person, HOME)
    for days in (29, 31):
        SeenNetwork.objects.create(user=person, mark="0" * 64, day=(now - days * DAY).date())
    kept = [
        impose_by_hand(person, Kind.BAN, None, starts_at=now - 2 * year),
        impose_by_hand(person, Kind.BAN, DAY, starts_at=now - 2 * year),
        impose_by_hand(person, Kind.MUTE, -year + DAY, starts_at=now - 2 * year),
        impose_by_hand(person, Kind.WARNING, None, starts_at=now - year + DAY),
    ]
    impose_by_hand(person, Kind.MUTE, -year - DAY)
    impose_by_hand(person, Kind.BAN, None, lifted_at=now - year - DAY)
    impose_by_hand(person, Kind.WARNING, None, starts_at=now - year - DAY)
    for until in (None, now + DAY, now - DAY):
        Barrier.objects.create(sanction=kept[0], kind="email", mark=f"{until}"[:64], until=until)
    # when
    purges.purge.call()
    # then
    assert set(Sanction.objects.all()) == set(kept)
    assert Barrier.objects.count() == 2
    assert SeenNetwork.objects.count() == 2


def test_the_database_knows_which_scope_a_kind_has(person: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        impose_by_hand(person, Kind.BAN, DAY, scope=Scope.TALK)
