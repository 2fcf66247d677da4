"""Who may make whom a moderator or administrator, and take it back; the command for the first one."""

from __future__ import annotations

import io
from datetime import timedelta
from uuid import UUID

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import rights
from accounts.audit import Refused
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import take_name
from accounts.sessions import is_signed_in
from accounts.signals import rights_ended

pytestmark = pytest.mark.django_db

PASSWORD = "kolm-punast-kassi"
GIVE = (rights.make_moderator, rights.make_administrator)
DEEDS = (*GIVE, rights.end_rights, rights.reset_second_factor)


@pytest.fixture
def marie() -> User:
    """The first administrator."""
    marie = User.objects.create_user("marie")
    rights.make_administrator(None, marie, "the first")
    return stored(marie)


@pytest.fixture
def jaan() -> User:
    jaan = User.objects.create_user("jaan")
    Authenticator.objects.create(user=jaan, type=Authenticator.Type.TOTP, data={})
    return jaan


def stored(user: User) -> User:
    return User.objects.get(pk=user.pk)


def groups_of(user: User) -> set[str]:
    return {group.name for group in user.groups.all()}


def everybody() -> list[tuple[object, ...]]:
    return list(User.objects.order_by("pk").values_list("username", "is_staff", "is_superuser", "groups__name"))


def acts() -> list[tuple[str, UUID | None, UUID | None, str]]:
    return [(act.act, act.staff, act.person, act.why) for act in StaffAct.objects.order_by("at")]


def test_an_administrator_makes_moderators_and_administrators_and_ends_it(marie: User, jaan: User) -> None:
    # when
    rights.make_moderator(marie, jaan, "plays here since 1996")
    # then
    assert (stored(jaan).is_staff, groups_of(jaan)) == (True, {"moderator"})
    assert stored(jaan).has_perm("games.handle_report")
    assert not rights.is_administrator(stored(jaan))
    # when
    rights.make_administrator(marie, jaan, "runs the server")
    # then one group is all there is
    assert groups_of(jaan) == {"administrator"}
    assert rights.is_administrator(stored(jaan))
    # when
    rights.make_moderator(marie, jaan, "has no time")
    # then
    assert groups_of(jaan) == {"moderator"}
    # when
    rights.end_rights(marie, jaan, "has left")
    # then
    assert (stored(jaan).is_staff, groups_of(jaan)) == (False, set())
    assert not stored(jaan).has_perm("accounts.view_user")
    assert acts()[1:] == [
        ("make-moderator", marie.public_id, jaan.public_id, "plays here since 1996"),
        ("make-administrator", marie.public_id, jaan.public_id, "runs the server"),
        ("make-moderator", marie.public_id, jaan.public_id, "has no time"),
        ("end-rights", marie.public_id, jaan.public_id, "has left"),
    ]


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("actor", ["player", "moderator", "inactive", "forged", "oneself", "gone"])
def test_nobody_else_does_and_nobody_to_themselves(marie: User, jaan: User, deed: object, actor: str) -> None:
    # given
    staff = User.objects.create_user(f"a-{actor}")
    if actor != "player":
        rights.make_administrator(None, staff, "")
    if actor == "moderator":
        rights.make_moderator(marie, staff, "")
    if actor == "inactive":
        User.objects.filter(pk=staff.pk).update(is_active=False)
    if actor == "forged":
        # The row that the caller brings says more than the one that is stored.
        User.objects.filter(pk=staff.pk).update(is_staff=False)
        staff.is_staff = staff.is_superuser = True
    person = staff if actor == "oneself" else jaan
    if actor == "gone":
        staff = User.objects.get(pk=staff.pk)
        User.objects.filter(pk=staff.pk).delete()
    before = (acts(), everybody())
    # when, then
    with pytest.raises(Refused):
        deed(staff, person, "because")
    assert (acts(), everybody()) == before
    assert Authenticator.objects.filter(user=jaan).exists()


@pytest.mark.parametrize("deed", DEEDS)
def test_a_guest_has_no_rights_and_no_second_factor(marie: User, deed: object) -> None:
    with pytest.raises(Refused):
        deed(marie, User.objects.create_guest(), "because")


@pytest.mark.parametrize("deed", DEEDS)
def test_who_was_given_all_rights_on_the_server_is_touched_by_nobody_with_less(marie: User, deed: object) -> None:
    # given
    root = User.objects.create_superuser("reet")
    Authenticator.objects.create(user=root, type=Authenticator.Type.TOTP, data={})
    # when, then
    with pytest.raises(Refused):
        deed(marie, root, "because")
    assert (stored(root).is_superuser, Authenticator.objects.exists()) == (True, True)
    # and another with all rights may, and leaves nothing of them
    rights.end_rights(User.objects.create_superuser("kai"), root, "because")
    assert (stored(root).is_superuser, stored(root).is_staff) == (False, False)


@pytest.mark.parametrize("deed", GIVE)
@pytest.mark.parametrize("state", ["banned", "inactive", "already"])
def test_rights_are_not_given_to_the_banned_nor_twice(marie: User, jaan: User, deed: object, state: str) -> None:
    # given
    if state == "banned":
        ban = {"kind": "ban", "scope": "site", "ground": "spam", "until": timezone.now() + timedelta(days=1)}
        Sanction.objects.create(user=jaan, person=jaan.public_id, issued_by=marie.public_id, **ban)
    if state == "inactive":
        User.objects.filter(pk=jaan.pk).update(is_active=False)
    if state == "already":
        deed(marie, jaan, "because")
    count = StaffAct.objects.count()
    # when, then
    with pytest.raises(Refused, match="jaan is"):
        deed(marie, jaan, "again")
    assert StaffAct.objects.count() == count


def test_rights_end_also_of_somebody_who_is_banned(marie: User, jaan: User) -> None:
    rights.make_moderator(marie, jaan, "because")
    ban = {"kind": "ban", "scope": "site", "ground": "spam"}
    Sanction.objects.create(user=jaan, person=jaan.public_id, issued_by=marie.public_id, **ban)

    rights.end_rights(marie, jaan, "banned")

    assert not stored(jaan).is_staff
    with pytest.raises(Refused):
        rights.end_rights(marie, jaan, "again")


def test_of_two_administrators_who_take_each_others_rights_one_stays(marie: User, jaan: User) -> None:
    # given two who have both opened the page
    rights.make_administrator(marie, jaan, "because")
    jaan = stored(jaan)
    # when
    rights.end_rights(marie, jaan, "first")
    # then
    with pytest.raises(Refused):
        rights.end_rights(jaan, marie, "second")
    assert rights.is_administrator(stored(marie))


def test_whoever_holds_something_for_staff_hears_of_the_end(marie: User, jaan: User) -> None:
    heard: list[User] = []

    def hear(user: User, **kwargs: object) -> None:
        heard.append(user)

    rights_ended.connect(hear)
    rights.make_moderator(marie, jaan, "because")
    assert heard == []
    rights.end_rights(marie, jaan, "because")
    rights_ended.disconnect(hear)

    assert heard == [jaan]


def test_the_second_factor_is_removed_with_its_recovery_codes(marie: User, jaan: User) -> None:
    Authenticator.objects.create(user=jaan, type=Authenticator.Type.RECOVERY_CODES, data={})
    browser = Client()
    browser.force_login(jaan)
    socket = {"session": browser.session, "user": jaan}
    assert is_signed_in(socket)

    rights.reset_second_factor(marie, jaan, "phone lost")

    assert not Authenticator.objects.exists()
    # and it ends the sessions of before
    assert not is_signed_in(socket)
    assert not browser.get("/rules/").wsgi_request.user.is_authenticated
    assert acts()[-1] == ("reset-second-factor", marie.public_id, jaan.public_id, "phone lost")
    with pytest.raises(Refused):
        rights.reset_second_factor(marie, jaan, "again")


# On the page of a person


@pytest.mark.parametrize("act", ["make-moderator", "make-administrator", "end-rights", "reset-second-factor"])
def test_the_acts_stand_on_the_page_of_a_person_for_administrators(
    client: Client, marie: User, jaan: User, act: str
) -> None:
    # given
    moderator = User.objects.create_user("kalle")
    rights.make_moderator(marie, moderator, "")
    page, deed = f"/admin/accounts/user/{jaan.pk}/change/", f"/admin/accounts/user/{jaan.pk}/act/{act}/"
    if act == "end-rights":
        rights.make_moderator(marie, jaan, "")
    # when a moderator tries
    client.force_login(moderator)
    assert deed not in client.get(page).content.decode()
    assert (client.get(deed).status_code, client.post(deed, {"why": "x"}).status_code) == (403, 403)
    # and an administrator does
    client.force_login(marie)
    assert deed in client.get(page).content.decode()
    answer = client.post(deed, {"why": "because"}, follow=True)
    # then
    assert "jaan" in str(next(iter(answer.context["messages"])))
    assert acts()[-1] == (act, marie.public_id, jaan.public_id, "because")
    assert deed not in client.get(page).content.decode()


def test_whose_rights_end_has_no_page_of_staff_from_then_on(client: Client, marie: User, jaan: User) -> None:
    # given
    rights.make_moderator(marie, jaan, "")
    client.force_login(jaan)
    assert client.get("/admin/").status_code == 200
    # when
    rights.end_rights(marie, jaan, "")
    # then
    assert client.get("/admin/").status_code == 302
    assert client.get("/admin/", follow=True).status_code == 403


# The command


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str, typed: str = "") -> str:
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    call_command("make_administrator", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_makes_an_account_that_is_an_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    said = command(monkeypatch, "Marie", "--password-stdin", typed=f"{PASSWORD}\n")

    marie = User.objects.get()
    assert (marie.username, marie.check_password(PASSWORD), marie.is_superuser) == ("Marie", True, False)
    assert rights.is_administrator(marie)
    assert ("A new account, Marie." in said, "/account/login/" in said) == (True, True)
    assert acts() == [("make-administrator", None, marie.public_id, "manage.py make_administrator")]


def test_the_command_raises_an_account_that_is_there_and_says_so_when_run_again(
    monkeypatch: pytest.MonkeyPatch, jaan: User
) -> None:
    assert "jaan is an administrator now." in command(monkeypatch, "JAAN")
    assert "jaan is an administrator already." in command(monkeypatch, "jaan")
    assert StaffAct.objects.count() == 1


def test_the_command_says_how_an_administrator_who_is_banned_comes_in_again(
    monkeypatch: pytest.MonkeyPatch, jaan: User
) -> None:
    command(monkeypatch, "jaan")
    Sanction.objects.create(user=jaan, person=jaan.public_id, kind="ban", scope="site", ground="spam")
    said = command(monkeypatch, "jaan")
    assert ("another administrator does" in said, "Next: log in" in said) == (True, False)


def test_the_command_removes_a_lost_second_factor(monkeypatch: pytest.MonkeyPatch, jaan: User) -> None:
    assert "is removed" in command(monkeypatch, "jaan", "--reset-second-factor")
    assert "no second factor to remove" in command(monkeypatch, "jaan", "--reset-second-factor")
    assert not Authenticator.objects.exists()
    assert [(act, staff) for act, staff, *_ in acts()] == [("make-administrator", None), ("reset-second-factor", None)]


@pytest.mark.parametrize(
    ("arguments", "typed", "complaint"),
    [
        (["Marie"], "", "--password-stdin"),
        (["Marie", "--password-stdin"], "", "first line"),
        (["Marie", "--password-stdin"], "short\n", "8 characters"),
        (["mariecurie", "--password-stdin"], "mariecurie1\n", "similar"),
        (["ma rie", "--password-stdin"], f"{PASSWORD}\n", "."),
        (["jaan ", "--password-stdin"], f"{PASSWORD}\n", "another administrator"),
        (["jаan", "--password-stdin"], f"{PASSWORD}\n", "."),
        (["Marie", "--reset-second-factor"], "", "no account"),
    ],
)
def test_the_command_refuses_what_cannot_be_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, jaan: User, arguments: list[str], typed: str, complaint: str
) -> None:
    Sanction.objects.create(
        user=jaan, person=jaan.public_id, issued_by=jaan.public_id, kind="ban", scope="site", ground="spam"
    )
    with pytest.raises(CommandError, match=complaint):
        command(monkeypatch, *arguments, typed=typed)
    assert (User.objects.get(), StaffAct.objects.count()) == (jaan, 0)


@pytest.mark.parametrize("further", [[], ["--password-stdin"], ["--reset-second-factor"]])
def test_the_command_takes_nobody_by_a_name_that_was_taken_away(
    monkeypatch: pytest.MonkeyPatch, jaan: User, further: list[str]
) -> None:
    # given
    take_name(None, jaan, "Not this name.", "")
    name, before = stored(jaan).username, acts()
    # when
    with pytest.raises(CommandError, match=f"took that name away.*'{name}' now"):
        command(monkeypatch, "Jaan", *further, typed=f"{PASSWORD}\n")
    # then
    assert (everybody(), acts()) == ([(name, False, False, None)], before)
    assert Authenticator.objects.exists()
    # and by the name of now
    assert f"{name} is an administrator now." in command(monkeypatch, name.upper())


def test_the_command_asks_for_the_password_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    answers = iter([PASSWORD, "neli-sinist-koera", PASSWORD, PASSWORD])
    monkeypatch.setattr("accounts.management.commands.make_administrator.getpass", lambda question: next(answers))

    with pytest.raises(CommandError, match="different"):
        call_command("make_administrator", "Marie")
    assert not User.objects.exists()
    call_command("make_administrator", "Marie", stdout=io.StringIO())
    assert User.objects.get().check_password(PASSWORD)
