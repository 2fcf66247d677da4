"""User names: how they may be spelt, which spellings are one name, and that nobody can look like somebody else."""

from __future__ import annotations

import importlib
import unicodedata
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import names
from accounts.models import NameTaken, TakenName, User

FINE = [
    "marie",
    "Õnne",
    "Jüri",
    "Zoë",
    "Émile",
    "สมชาย",
    "น้ำ",
    "ก็ดี",
    "Şükrü",
    "Ольга",
    "中文",
    "אבג",
    "player_1",
    "jean-pierre",
    "j.r.r",
    "7of9",
    "ｍａｒｉｅ",
    "x" * 20,
    unicodedata.normalize("NFD", "õõõõõõõõõõõõõõõõõõõõ"),
]

REFUSED = [
    ("", "name_length"),
    ("a", "name_length"),
    ("x" * 21, "name_length"),
    ("аdmin", "name_scripts"),
    ("paypаl", "name_scripts"),
    ("สมxชาย", "name_scripts"),
    ("marie\u202e", "name_signs"),
    ("ma\u200brie", "name_signs"),
    ("ma\u200drie", "name_signs"),
    ("ma\u00adrie", "name_signs"),
    ("marie\ufeff", "name_signs"),
    ("ma\x00rie", "name_signs"),
    ("ma\nrie", "name_signs"),
    ("ma\x1b[31mrie", "name_signs"),
    ("marie curie", "name_signs"),
    ("<img src=x>", "name_signs"),
    ("<b>", "name_signs"),
    ("marie@home", "name_signs"),
    ("marie🂡", "name_signs"),
    ("\u3164\u3164", "name_signs"),
    ("\u115f\u1160ab", "name_signs"),
    ("abcא", "name_signs"),
    ("ᴀdele", "name_signs"),
    (".marie", "name_ends"),
    ("marie-", "name_ends"),
    ("12345", "name_letters"),
    ("ma" + "\u0301" * 3 + "rie", "name_marks"),
    ("Z\u0334\u0335\u0336algo", "name_marks"),
]


@pytest.mark.parametrize("name", FINE)
def test_a_name_that_people_bear_is_fine(name: str) -> None:
    names.check_spelling(name)
    names.check_reserved(name)


@pytest.mark.parametrize(("name", "code"), REFUSED)
def test_a_name_that_nobody_could_read_or_type_is_refused_with_a_reason(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.check_spelling(name)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "Admin1",
        "ad.min",
        "_admin_",
        "аdmіn",
        "adrnin",
        "ａｄｍｉｎ",
        "moderator",
        "rnoderator",
        "M0derat0r",
        "belote",
        "Staff",
        "system",
        "guest",
        "guest-123",
        "Guest4711",
        "guest-0f7b",
        "modérateur",
        "Moderateur",
        "Moderaator",
        "แอดมิน",
        "âdmin",
        "Systém",
        "Guést1",
    ],
)
def test_a_name_that_speaks_for_the_site_is_reserved(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.check_reserved(name)
    assert refusal.value.code == "name_reserved"


@pytest.mark.parametrize("name", ["Easy", "normal", "hard", "computer", "Modesty", "roots", "adam"])
def test_a_name_that_only_resembles_a_reserved_word_is_free(name: str) -> None:
    names.check_reserved(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Õnne", unicodedata.normalize("NFD", "Õnne")),
        ("Marie", "mARIE"),
        ("marie", "ｍａｒｉｅ"),
        ("Strauß", "STRAUSS"),
        ("น้ำ", unicodedata.normalize("NFKC", "น้ำ")),
        ("Õnne", " õNNE "),
    ],
)
def test_spellings_of_one_name_fold_alike_and_are_stored_alike(one: str, other: str) -> None:
    assert names.fold(one) == names.fold(other)
    assert names.tidy(names.tidy(other)) == names.tidy(other)
    assert names.skeletons(one) & names.skeletons(other)


def test_a_thai_name_is_stored_as_it_is_typed() -> None:
    assert names.tidy("น้ำ") == "น้ำ"


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ("limes", "Iimes"),
        ("limes", "1imes"),
        ("otto", "0tto"),
        ("Otto", "OTT0"),
        ("marie", "rnarie"),
        ("marie", "MAR1E"),
        ("ace", "асе"),
        ("ACE", "асе"),
        ("Ольга", "0льга"),
        ("Õnne", "õNNE"),
        ("paul", "раul"),
        ("สมชาย", "สฆชาย"),
    ],
)
@pytest.mark.django_db
def test_a_look_alike_of_a_name_is_taken(taken: str, wanted: str) -> None:
    # given
    User.objects.create_user(taken)
    # then the form is told so
    assert not TakenName.objects.is_free(wanted)
    # and the database refuses what the form has let through
    with pytest.raises(NameTaken):
        User.objects.create_user(wanted)
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("taken", "wanted"), [("Onne", "Õnne"), ("ian", "lan"), ("marie", "maria"), ("สมชาย", "สมหญิง")]
)
@pytest.mark.django_db
def test_a_name_that_can_be_told_apart_is_free(taken: str, wanted: str) -> None:
    User.objects.create_user(taken)

    assert TakenName.objects.is_free(wanted)
    User.objects.create_user(wanted)


@pytest.mark.django_db
def test_an_account_is_found_under_every_spelling_of_its_name_and_under_no_other() -> None:
    onne = User.objects.create_user("Õnne")

    for spelling in ("Õnne", "õnne", "ÕNNE", unicodedata.normalize("NFD", "õnne"), " Õｎｎｅ"):
        assert User.objects.get_by_natural_key(spelling) == onne
    for other in ("onne", "0̃nne", "", "x" * 150):
        with pytest.raises(User.DoesNotExist):
            User.objects.get_by_natural_key(other)


@pytest.mark.django_db
def test_a_guest_takes_no_name() -> None:
    guest = User.objects.create_guest()

    assert not TakenName.objects.exists()
    with pytest.raises(User.DoesNotExist):
        User.objects.get_by_natural_key(guest.username)


@pytest.mark.django_db
def test_the_name_of_a_deleted_account_stays_out_of_use_for_a_year_and_is_not_kept_itself() -> None:
    # given
    User.objects.create_user("marie").delete()
    # then
    assert not TakenName.objects.is_free("Marie")
    with pytest.raises(NameTaken):
        User.objects.create_user("rnarie")
    assert "arie" not in "".join(TakenName.objects.values_list("skeleton", flat=True))
    # when the year is over
    TakenName.objects.update(until=timezone.now() - timedelta(seconds=1))
    # then somebody else may have it
    assert TakenName.objects.is_free("Marie")
    User.objects.create_user("Marie")
    assert not TakenName.objects.filter(until__isnull=False).exists()


@pytest.mark.django_db
def test_a_renamed_account_has_its_new_name_and_its_old_one_goes_to_nobody() -> None:
    marie = User.objects.create_user("marie")

    marie.username = "nadia"
    marie.save()

    assert User.objects.get_by_natural_key("NADIA") == marie
    assert not TakenName.objects.is_free("marie")
    assert TakenName.objects.is_free("nadia", marie)


@pytest.mark.django_db
def test_accounts_from_before_get_their_looks_and_the_older_one_keeps_what_two_share() -> None:
    # given rows as they were before names were taken
    User.objects.bulk_create([User(username="marie"), User(username="rnarie"), User(username="nadia")])
    User.objects.create_guest()
    migration = importlib.import_module("accounts.migrations.0003_taken_name")
    # when
    migration.take_names_of_accounts(apps, None)
    # then
    assert User.objects.get_by_natural_key("Marie").username == "marie"
    assert User.objects.get_by_natural_key("nadia").username == "nadia"
    assert set(TakenName.objects.values_list("user__username", flat=True)) >= {"marie", "nadia"}


def test_no_name_takes_long_to_look_at() -> None:
    for text in ("a" * 50_000, "\u0301" * 50_000, "m" * 50_000, "น้ำ" * 15_000):
        began = timezone.now()
        with pytest.raises(ValidationError):
            names.check_spelling(text)
        assert timezone.now() - began < timedelta(milliseconds=200)
