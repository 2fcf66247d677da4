"""The page of hints: who sees it, what stands on it, and what does not."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.models import SeenNetwork, User
from belote_site.staff_groups import ADMINISTRATOR, MODERATOR
from games.hints import Play, Signal, Table
from games.models import Hint
from tests.web.fragments import text

pytestmark = pytest.mark.django_db

LIST = "/admin/games/hint/"
MARK = "a-keyed-hash-of-an-address"


def staff(name: str, group: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def hint(user: User, *striking: Signal, **known: object) -> Hint:
    """A row about somebody, 0 where nothing is said."""
    numbers = dict.fromkeys((*Table._fields, *Play._fields, "reporters"), 0) | {"distance": None}
    flags = {f"is_{signal}": signal in striking for signal in Signal}
    return Hint.objects.create(
        user=user, computed_at=timezone.now(), striking=len(striking), **{**numbers, **flags, **known}
    )


def page(hint: Hint) -> str:
    return f"{LIST}{hint.pk}/change/"


@pytest.fixture
def moderator() -> User:
    return staff("moder", MODERATOR)


@pytest.fixture
def suspect() -> Hint:
    user = User.objects.create_user("Kaval Ants")
    SeenNetwork.objects.create(user=user, mark=MARK, day=timezone.now().date())
    return hint(
        user,
        Signal.NEAR,
        Signal.FORESEEING,
        matches=40,
        rated=30,
        partnered=36,
        closest=27,
        compared=20,
        near=15,
        near_partners=2,
        deals=50,
        cards=160,
        cost=80,
        hards_cost=640,
        best=120,
        better=63,
        worse=17,
        distance=3.3,
        left=4,
        late=10,
        reporters=2,
    )


def names_in(html: str) -> list[str]:
    return re.findall(r'class="field-person"><a [^>]*>(?:<bdi>)?([^<]*)<', html)


def test_the_list_begins_with_the_most_striking_and_says_that_nothing_is_proved(moderator: User, suspect: Hint) -> None:
    # given
    guest = User.objects.create_guest()
    hint(User.objects.create_user("Mari"), matches=90)
    hint(guest, Signal.LEAVING, matches=9, left=4)
    # when
    html = browser_of(moderator).get(LIST).content.decode()
    # then
    assert names_in(html) == ["Kaval Ants", f"Guest {guest.guest_number}", "Mari"]
    words = text(html)
    assert "Hints, not proof" in words
    assert "Partner in the same network · Plays as if seeing hidden cards" in words
    assert "15 of 20 (75%)" in words
    assert "63 of 80 (79%)" in words
    assert "4 of 9 (44%)" in words


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("signal=near", ["Kaval Ants"]),
        ("signal=leaving", ["Lahkuja"]),
        ("signal=reported", []),
        ("signal=any", ["Kaval Ants", "Lahkuja"]),
        ("signal=nonsense", ["Kaval Ants", "Lahkuja", "Mari"]),
        ("who=account", ["Kaval Ants", "Lahkuja", "Mari"]),
        ("who=guest", []),
        ("q=kaval", ["Kaval Ants"]),
        ("o=-2", ["Mari", "Kaval Ants", "Lahkuja"]),
    ],
)
def test_the_list_is_narrowed_and_sorted(moderator: User, suspect: Hint, query: str, names: list[str]) -> None:
    hint(User.objects.create_user("Mari"), matches=90)
    hint(User.objects.create_user("Lahkuja"), Signal.LEAVING, matches=9, left=4)

    html = browser_of(moderator).get(f"{LIST}?{query}").content.decode()

    assert names_in(html) == names


@pytest.mark.parametrize("query", ["user__password__startswith=md5", "user__networks__mark=a", "near__gt=1"])
def test_the_list_cannot_be_asked_for_what_it_does_not_show(moderator: User, suspect: Hint, query: str) -> None:
    assert browser_of(moderator).get(f"{LIST}?{query}").status_code == 400


def test_the_page_of_a_person_has_each_number_with_its_size_and_the_way_to_matches_and_reports(
    moderator: User, suspect: Hint
) -> None:
    html = browser_of(moderator).get(page(suspect)).content.decode()

    words = text(html)
    for found in (
        "Hints, not proof",
        "40, of which rated: 30",
        "15 of 20 (75%)",
        "27 of 36 (75%)",
        "160, of analysed deals: 50",
        "63 of 80 (79%)",
        "5.0",
        "3.3",
        "Late turns in a match, on average: 0.2",
        "120 of 160 (75%)",
        "0.5; the hard computer in their place: 4.0",
        "Striking from 100 cards and 4 standard errors on, and only when it is also 2 spreads above",
        "Striking from 3 matches and 15% of all on.",
        "and one in 20 matches",
    ):
        assert found in words, found
    user = suspect.user
    for address in (
        f"/admin/accounts/user/{user.pk}/change/",
        f"/admin/games/match/?seats__user={user.pk}",
        f"/admin/games/report/?reported={user.pk}&amp;state=all",
    ):
        assert f'href="{address}"' in html, address
    assert MARK not in html


def test_the_lists_that_the_page_leads_to_take_its_addresses(moderator: User, suspect: Hint) -> None:
    html = browser_of(moderator).get(page(suspect)).content.decode()

    found = re.findall(r'href="(/admin/games/(?:match|report)/\?[^"]*)"', html)
    assert len(found) == 2
    for address in found:
        assert browser_of(moderator).get(address.replace("&amp;", "&")).status_code == 200


def test_nobody_sees_their_own_row(suspect: Hint) -> None:
    for group in (MODERATOR, ADMINISTRATOR):
        member = staff(group, group)
        own = hint(member, Signal.REPORTED, matches=9, reporters=4)

        browser = browser_of(member)

        assert group not in names_in(browser.get(LIST).content.decode())
        assert browser.get(page(own)).status_code == 302
        assert browser.get(page(suspect)).status_code == 200


def test_rows_of_staff_are_for_administrators(suspect: Hint, moderator: User) -> None:
    colleague = hint(staff("juku", MODERATOR), Signal.REPORTED, matches=9, reporters=4)

    for reader, status in ((moderator, 302), (staff("anu", ADMINISTRATOR), 200)):
        browser = browser_of(reader)
        assert ("juku" in names_in(browser.get(LIST).content.decode())) == (status == 200)
        assert browser.get(page(colleague)).status_code == status
        assert browser.get(page(suspect)).status_code == 200


def test_who_is_no_staff_or_has_no_right_sees_nothing(suspect: Hint) -> None:
    without_rights = User.objects.create_user("helper", is_staff=True)

    assert browser_of(without_rights).get(LIST).status_code == 403
    assert browser_of(without_rights).get(page(suspect)).status_code == 403
    for client in (Client(), browser_of(suspect.user)):
        assert client.get(LIST).headers["Location"].startswith("/admin/login/")


def test_nothing_is_changed_there(moderator: User, suspect: Hint) -> None:
    browser = browser_of(moderator)

    for address in (page(suspect), f"{LIST}add/", f"{LIST}{suspect.pk}/delete/"):
        assert browser.post(address, {"striking": "0", "post": "yes"}).status_code == 403

    suspect.refresh_from_db()
    assert suspect.striking == 2


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "pas des preuves"), ("et", "mitte tõendid"), ("th", "ไม่ใช่หลักฐาน")]
)
def test_staff_read_it_in_their_language(moderator: User, suspect: Hint, language: str, words: str) -> None:
    User.objects.filter(pk=moderator.pk).update(language=language)
    browser = browser_of(moderator)

    for address in (LIST, page(suspect)):
        assert words in browser.get(address).content.decode()
