"""The record of what staff did: written once, read by staff, narrowed and searched, and never changed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import audit, rights, sanctions
from accounts.models import AppendOnly, Sanction, StaffAct, User
from accounts.signals import guest_joined
from games.models import Report

pytestmark = pytest.mark.django_db

ACTS = "/admin/accounts/staffact/"
Act, Subject = StaffAct.Act, StaffAct.Subject


@pytest.fixture
def marie() -> User:
    """An administrator."""
    marie = User.objects.create_user("marie")
    rights.make_administrator(None, marie, "the first one")
    return User.objects.get(pk=marie.pk)


@pytest.fixture
def kalle(marie: User) -> User:
    """A moderator."""
    kalle = User.objects.create_user("kalle")
    rights.make_moderator(marie, kalle, "plays here since 1996")
    return User.objects.get(pk=kalle.pk)


@pytest.fixture
def jaan() -> User:
    return User.objects.create_user("jaan")


def mute(staff: User, person: User, why: str = "shouted", report: int | None = None) -> Sanction:
    kind, scope, ground = Sanction.Kind.MUTE, Sanction.Scope.TALK, Sanction.Ground.INSULTS
    return sanctions.impose(staff, person, kind, scope, ground, "", timedelta(days=1), why, report)


def shown(client: Client, reader: User, **narrowed: str) -> list[str]:
    """Return the rows of the list as plain text."""
    client.force_login(reader)
    answer = client.get(ACTS, narrowed)
    assert answer.status_code == 200
    table = answer.content.decode().partition('id="result_list"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2], re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]


def test_each_act_is_told_with_names_and_links(client: Client, marie: User, kalle: User, jaan: User) -> None:
    # given
    sanction = mute(kalle, jaan, "shouted <at> all")
    # when
    rows = shown(client, marie)
    # then
    assert "kalle Muted a person Sanction" in rows[0]
    assert rows[0].endswith("jaan shouted &lt;at&gt; all")
    page = client.get(ACTS).content.decode()
    assert f'<a href="/admin/accounts/sanction/{sanction.pk}/change/">Sanction {sanction.pk}</a>' in page
    assert f'<a href="/admin/accounts/user/{jaan.pk}/change/"><bdi>jaan</bdi></a>' in page


def test_the_page_of_an_act_tells_its_detail_in_words(client: Client, marie: User, kalle: User, jaan: User) -> None:
    Report.objects.create(pk=7, reported=jaan, ground="insults")
    mute(kalle, jaan, report=7)
    client.force_login(marie)

    page = client.get(f"{ACTS}{StaffAct.objects.latest('at').pk}/change/").content.decode()

    assert "what is barred: Talking at all, reason: Insults or hate, until: " in page
    assert re.search(r"report: (<a [^>]*>)?7", page)


def test_what_stays_of_deleted_accounts_and_of_the_server(client: Client, marie: User, kalle: User, jaan: User) -> None:
    # given
    mute(kalle, jaan)
    User.objects.filter(pk__in=[kalle.pk, jaan.pk]).delete()
    rights.make_administrator(None, User.objects.create_user("reet"), "")
    # when
    rows = shown(client, marie)
    # then
    assert "The server Made somebody an administrator Person reet" in rows[0]
    assert "Deleted account Muted a person" in rows[1]
    assert rows[1].endswith("Deleted account shouted")


def test_names_cost_one_query_however_many_acts_there_are(client: Client, marie: User, kalle: User) -> None:
    # given
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(ACTS)
        return len(captured)

    mute(kalle, User.objects.create_user("person-0"))
    client.force_login(marie)
    before = queries()
    # when
    for number in range(1, 6):
        mute(kalle, User.objects.create_user(f"person-{number}"))
    # then
    assert queries() == before


@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        ({"q": "JAAN"}, ["mute", "ban"]),
        ({"q": "kalle"}, ["mute", "make-moderator"]),
        ({"q": "1996"}, ["make-moderator"]),
        ({"q": "{jaan}"}, ["mute", "ban"]),
        ({"q": "{sanction}", "subject__exact": "sanction"}, ["mute"]),
        ({"q": "nobody at all"}, []),
        ({"staff": "{kalle}"}, ["mute"]),
        ({"staff": "server"}, ["ban"]),
        ({"staff": "nonsense"}, []),
        ({"act__exact": "ban"}, ["ban"]),
        ({"subject__exact": "person"}, ["make-moderator"]),
        ({"at__gte": "2020-01-01 00:00:00+00:00", "at__lt": "2020-02-01 00:00:00+00:00"}, []),
        ({"at__year": "2020"}, []),
    ],
)
def test_it_is_narrowed_by_who_what_and_when_and_searched_by_name_too(
    client: Client, marie: User, kalle: User, jaan: User, narrowed: dict[str, str], found: list[str]
) -> None:
    # given
    sanction = mute(kalle, jaan)
    kind, scope, ground = Sanction.Kind.BAN, Sanction.Scope.SITE, Sanction.Ground.SPAM
    sanctions.impose(None, jaan, kind, scope, ground, "", None, "from the console")
    words = {"jaan": str(jaan.public_id), "kalle": str(kalle.public_id), "sanction": str(sanction.pk)}
    # when
    client.force_login(marie)
    answer = client.get(ACTS, {name: value.format(**words) for name, value in narrowed.items()})
    # then
    assert answer.status_code == 200
    assert {act.act for act in answer.context["cl"].result_list} == set(found)


@pytest.mark.parametrize("lookup", ["person__startswith", "why__startswith", "detail__report", "staff__startswith"])
def test_it_is_narrowed_by_nothing_else(client: Client, marie: User, lookup: str) -> None:
    client.force_login(marie)
    assert client.get(ACTS, {lookup: "1"}).status_code == 400


def test_nobody_reads_what_was_done_about_themselves_nor_which_report_led_to_it(
    client: Client, marie: User, kalle: User
) -> None:
    # given
    audit.record(marie, Act.TAKE_REPORT, Subject.REPORT, 7, why="secret reason", person=kalle.public_id)
    Report.objects.create(pk=7, reported=kalle, ground="insults")
    own = mute(marie, kalle, "secret reason", report=7)
    act = StaffAct.objects.latest("at")
    for narrowed in ({}, {"q": "secret"}, {"q": "kalle"}, {"q": str(own.pk)}, {"act__exact": "mute"}, {"q": "7"}):
        # when
        rows = shown(client, kalle, **narrowed)
        # then
        assert not [row for row in rows if "secret" in row or "kalle" in row]
    assert client.get(f"{ACTS}{act.pk}/change/").status_code == 302
    # and others do
    assert len(shown(client, marie, q="secret")) == 2


def test_nobody_reads_what_was_done_about_the_guest_that_they_were(client: Client, marie: User, kalle: User) -> None:
    # given: the guest was Kalle
    guest, other = User.objects.create_guest(), User.objects.create_guest()
    mute(marie, guest, "secret reason")
    mute(marie, other, "another reason")
    guest_joined.send(User, guest=guest, account=kalle)
    guest.delete()
    # when, then
    assert not shown(client, kalle, q="secret reason")
    assert len(shown(client, kalle, q="another reason")) == 1
    for narrowed in ({"person": str(guest.public_id)}, {"person": str(kalle.public_id)}, {"q": "kalle"}):
        assert "secret" not in str(shown(client, kalle, **narrowed))
        # and others find it by either, and under the name of the account
        (row,) = [row for row in shown(client, marie, **narrowed) if "Muted" in row]
        assert row.endswith("kalle secret reason")
    assert (
        f'<a href="/admin/accounts/user/{kalle.pk}/change/"><bdi>kalle</bdi></a>' in client.get(ACTS).content.decode()
    )


def test_an_account_is_told_what_was_done_at_the_tables_of_its_guest(client: Client, jaan: User) -> None:
    guest = User.objects.create_guest()
    audit.record(None, Act.DELETE_LINE, Subject.LINE, 7, why="an insult", person=guest.public_id)
    guest_joined.send(User, guest=guest, account=jaan)

    client.force_login(jaan)

    page = client.get("/account/decisions/").content.decode()
    assert "A moderator deleted a line of yours." in page
    assert "an insult" not in page


def test_what_was_done_about_staff_is_read_by_administrators_and_whoever_did_it(
    client: Client, marie: User, kalle: User, jaan: User
) -> None:
    # given: a moderator has muted somebody who becomes one
    mute(kalle, jaan, "looks into it")
    rights.make_moderator(marie, jaan, "looks into it")
    for person in (marie, jaan, None):
        whom = None if person is None else person.public_id
        audit.record(None, Act.TAKE_REPORT, Subject.REPORT, 7, why="looks into it", person=whom)
    for name, give in (("reet", rights.make_administrator), ("tiit", rights.make_moderator)):
        give(None, User.objects.create_user(name), "")
    # when, then
    for name, count in (("tiit", 1), ("kalle", 2), ("jaan", 1), ("marie", 4), ("reet", 5)):
        assert len(shown(client, User.objects.get(username=name), q="looks into it")) == count, name


def test_the_history_of_a_row_is_what_was_done_to_it(client: Client, marie: User, kalle: User, jaan: User) -> None:
    sanction = mute(kalle, jaan)
    audit.record(kalle, Act.TAKE_REPORT, Subject.REPORT, sanction.pk, why="", person=None)
    client.force_login(marie)

    act = StaffAct.objects.get(act=Act.MUTE)
    for page, count in (
        (f"sanction/{sanction.pk}", 1),
        (f"staffact/{act.pk}", 1),
        (f"user/{jaan.pk}", 1),
        (f"user/{kalle.pk}", 1),
    ):
        answer = client.get(f"/admin/accounts/{page}/history/", follow=True)
        assert answer.request["PATH_INFO"] == ACTS
        assert len(answer.context["cl"].result_list) == count, page


# Never changed


@pytest.fixture
def act(marie: User, kalle: User) -> StaffAct:
    return StaffAct.objects.get(act=Act.MAKE_MODERATOR)


def again(act: StaffAct) -> StaffAct:
    act.why = "forged"
    return act


@pytest.mark.parametrize(
    "change",
    [
        lambda act: again(act).save(),
        lambda act: again(act).save(update_fields=["why"]),
        lambda act: again(act).save(force_update=True),
        lambda act: act.delete(),
        lambda act: StaffAct.objects.update(why="forged"),
        lambda act: StaffAct.objects.filter(pk=act.pk).update(why="forged"),
        lambda act: StaffAct.objects.all().delete(),
        lambda act: StaffAct.objects.filter(pk=act.pk).delete(),
        lambda act: StaffAct.objects.bulk_update([again(act)], ["why"]),
        lambda act: StaffAct.objects.update_or_create(pk=act.pk, defaults={"why": "forged"}),
        lambda act: StaffAct.objects.bulk_create(
            [again(act)], update_conflicts=True, unique_fields=["id"], update_fields=["why"]
        ),
        lambda act: StaffAct.objects.bulk_create([again(act)], None, False, True, ["why"], ["id"]),
        lambda act: again(act).save_base(force_update=True),
        lambda act: StaffAct._base_manager.update(why="forged"),
        lambda act: StaffAct._base_manager.filter(pk=act.pk).delete(),
        lambda act: StaffAct.objects.all()._raw_delete("default"),
    ],
)
def test_an_act_is_neither_changed_nor_deleted(act: StaffAct, change: Any) -> None:
    before = list(StaffAct.objects.order_by("pk").values())

    with pytest.raises(AppendOnly), transaction.atomic():
        change(act)

    assert list(StaffAct.objects.order_by("pk").values()) == before


def test_a_new_act_does_not_take_the_place_of_another(act: StaffAct, kalle: User) -> None:
    before = list(StaffAct.objects.order_by("pk").values())
    forged = StaffAct(pk=act.pk, at=act.at, act=Act.BAN, subject=Subject.PERSON, subject_id="x", why="forged")

    with pytest.raises(IntegrityError), transaction.atomic():
        forged.save()

    assert list(StaffAct.objects.order_by("pk").values()) == before


def test_the_numbers_of_acts_do_not_tell_of_others(jaan: User) -> None:
    keys = [audit.record(None, Act.BAN, Subject.PERSON, jaan.public_id, why="").pk for _ in range(20)]
    assert keys != sorted(keys)


@pytest.mark.parametrize("who", ["moderator", "administrator", "superuser"])
def test_no_page_changes_or_deletes_one(client: Client, marie: User, kalle: User, act: StaffAct, who: str) -> None:
    # given
    before = list(StaffAct.objects.order_by("pk").values())
    reader = {"moderator": kalle, "administrator": marie}.get(who) or User.objects.create_superuser("reet")
    client.force_login(reader)
    forged = {"why": "forged", "act": "ban", "staff": "", "_save": "Save", "post": "yes", "action": "delete_selected"}
    # when
    for page in ("", "add/", f"{act.pk}/change/", f"{act.pk}/delete/", f"{act.pk}/act/delete/", f"{act.pk}/history/"):
        client.post(f"{ACTS}{page}", forged | {"_selected_action": str(act.pk), "index": "0", "select_across": "1"})
    # then
    assert list(StaffAct.objects.order_by("pk").values()) == before


def test_a_deleted_account_changes_no_act(client: Client, act: StaffAct, kalle: User) -> None:
    before = list(StaffAct.objects.order_by("pk").values())
    kalle.delete()
    assert list(StaffAct.objects.order_by("pk").values()) == before
