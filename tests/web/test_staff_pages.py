"""The pages of staff about tables: what they show, how few queries that takes, what may be done there, and by whom."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import audit, sanctions
from accounts.models import Sanction, StaffAct, User
from accounts.staff_pages import StaffPages
from belote_site.logs import JsonLineFormatter
from belote_site.staff_groups import MODERATOR
from games.engine.cards import cards_in
from games.engine.notation import CARD_NAMES
from games.engine.seats import Seat
from games.models import ChatLine, GameEvent, Match, Report, Room, StaffView
from games.services import rooms, talk
from games.services.talk import BadLine
from tests.services.given import Table, four_people
from tests.services.past import finished_match
from tests.web.fragments import cards_named_in
from tests.web.roles import session_of
from tests.web.test_roles import stored

pytestmark = pytest.mark.django_db

WHY = "They asked for it"


def browser_of(user: User, language: str = "en") -> Client:
    User.objects.filter(pk=user.pk).update(language=language)
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
    return browser


@pytest.fixture
def moderator() -> User:
    user = User.objects.create_user("moderator", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATOR))
    return user


@pytest.fixture
def table() -> Table:
    people = [User.objects.create_user(name) for name in ("Mari", "Kalle", "Luc", "Somchai")]
    table = four_people(users=people, name="By the stove")
    table.play_until(lambda state: state.deal is not None and state.deal.moves >= 6)
    return table


def page_of(row: Any, view: str = "change", *more: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{view}", args=[row.pk, *more])


def list_of(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


# What they are asked


@pytest.mark.parametrize("asked", ["%00", "9" * 40, "9_" * 20 + "9", "x" * 101])
def test_a_list_refuses_what_no_database_can_look_for(moderator: User, asked: str) -> None:
    User.objects.filter(pk=moderator.pk).update(is_superuser=True)
    browser = browser_of(moderator)
    for model, pages in admin.site._registry.items():
        assert isinstance(pages, StaffPages)
        fields = [*pages.linked, "q", "p", *([f"{pages.date_hierarchy}__year"] if pages.date_hierarchy else [])]
        for field in fields:
            assert browser.get(f"{list_of(model)}?{field}={asked}").status_code == 400, (model, field)


def test_a_list_takes_a_year_that_is_none_for_a_mistake(moderator: User) -> None:
    browser = browser_of(moderator)
    for year in ("0", "-1", "99999", "999999999999999999", "x"):
        assert browser.get(f"{list_of(StaffAct)}?at__year={year}").status_code in (302, 400), year


# What they show


def test_what_people_wrote_turns_no_words_around_it(moderator: User, table: Table) -> None:
    # given: a character that turns the direction of what follows
    hostile = "turned \u202e around"
    author = User.objects.get(username="Luc")
    room = table.match.room
    Room.objects.filter(pk=room.pk).update(name=hostile)
    line = talk.say(author, room.pk, table.match.pk, text="turned around")
    ChatLine.objects.filter(pk=line.pk).update(text=hostile)
    Report.objects.create(reported=author, ground="insults", text=hostile, room=room, match=table.match)
    kind, scope, ground = Sanction.Kind.MUTE, Sanction.Scope.TALK, Sanction.Ground.OTHER
    sanctions.impose(moderator, author, kind, scope, ground, hostile, None, hostile)
    # when
    browser = browser_of(moderator)
    rows: list[Any] = [table.match, room, line, author]
    rows += [model.objects.get() for model in (Report, Sanction)] + [StaffAct.objects.get(act=StaffAct.Act.MUTE)]
    addresses = [page_of(row) for row in rows] + [list_of(type(row)) for row in rows] + [page_of(room, "act", "rename")]
    found = set()
    for address in addresses:
        html = browser.get(address).content.decode()
        body = html.partition("</title>")[2]
        bare = re.sub(r"<(option|textarea|input)\b.*?>", "", re.sub(r"<bdi[^>]*>[^<]*</bdi>", "", body))
        # then
        assert "\u202e" not in bare, address
        found |= {address} if "\u202e" in body else set()
    assert len(found) >= 9


def test_the_page_of_a_running_match_shows_what_a_spectator_sees_and_notes_who_looked(
    moderator: User, table: Table
) -> None:
    # given
    ChatLine.objects.create(room=table.match.room, match=table.match, author=table.users[Seat.NORTH], text="Go on!")
    deal = table.state.deal
    assert deal is not None
    hidden = {CARD_NAMES[card] for hand in deal.hands for card in cards_in(hand) if card != deal.turn_up}
    # when
    shown = browser_of(moderator).get(page_of(table.match)).content.decode()
    # then
    for word in ("Mari", "Kalle", "Luc", "Somchai", "Go on!", "North–South", "Dealer:", "you cannot sit down in it"):
        assert word in shown
    assert not cards_named_in(shown) & hidden
    assert StaffView.objects.filter(match=table.match, user=moderator).count() == 1
    # when they look again
    browser_of(moderator).get(page_of(table.match))
    # then
    assert StaffAct.objects.filter(act=StaffAct.Act.LOOK, staff=moderator.public_id).count() == 1


@pytest.mark.parametrize("language", ["en", "fr", "et", "th"])
def test_the_log_is_a_sentence_for_each_event_in_the_language_of_the_reader(
    moderator: User, table: Table, language: str
) -> None:
    starts = {"en": "Dealer:", "fr": "Donneur", "et": "Jagaja:", "th": "แจกไพ่"}
    address = f"{list_of(GameEvent)}?match__id__exact={table.match.pk}"
    shown = browser_of(moderator, language).get(address).content.decode()

    events = GameEvent.objects.filter(match=table.match).count()
    assert shown.count('class="field-sentence"') == events
    assert starts[language] in shown
    assert not any(mark in shown for mark in ("deal_started", "&quot;type&quot;", "payload"))


def test_without_a_match_the_log_holds_those_that_are_over_and_leads_to_their_replay(
    moderator: User, table: Table
) -> None:
    over = finished_match({Seat.SOUTH: User.objects.create_user("Zoe")})
    shown = browser_of(moderator).get(list_of(GameEvent)).content.decode()
    last = GameEvent.objects.filter(match=over).latest("sequence")

    assert page_of(over) in shown
    assert page_of(table.match) not in shown
    assert reverse("games:replay", args=[over.pk]) in browser_of(moderator).get(page_of(last)).content.decode()


def test_whoever_plays_a_match_does_not_see_its_pages(moderator: User) -> None:
    table = four_people(users=[moderator, *(User.objects.create_guest() for _ in range(3))])
    event = GameEvent.objects.filter(match=table.match).first()
    browser = browser_of(moderator)
    before = stored()
    for address in (page_of(table.match), page_of(event), f"{list_of(GameEvent)}?match__id__exact={table.match.pk}"):
        answer = browser.get(address)

        assert answer.status_code == 403
        assert "You sit at this table" in answer.content.decode()
        assert table.users[table.people[-1]].display_name not in answer.content.decode()
    assert stored() == before


@pytest.mark.parametrize("model", [Room, Match, ChatLine, GameEvent])
def test_a_list_takes_as_few_queries_for_many_rows_as_for_one(
    moderator: User, model: Any, django_assert_num_queries: Any
) -> None:
    # given
    def one_more(name: str) -> None:
        user = User.objects.create_user(name)
        match = finished_match({Seat.SOUTH: user})
        ChatLine.objects.create(room=match.room, match=match, author=user, text="Hello")
        Report.objects.create(reporter=user, room=match.room, match=match, ground="spam")

    one_more("Mari")
    browser, address = browser_of(moderator), list_of(model) + "?q="
    browser.get(address)
    with CaptureQueriesContext(connection) as of_one:
        browser.get(address)
    # when
    for name in ("Kalle", "Luc"):
        one_more(name)
    with CaptureQueriesContext(connection) as of_three:
        answer = browser.get(address)
    # then
    assert answer.status_code == 200
    assert len(of_three) <= len(of_one)


@pytest.mark.parametrize(
    ("model", "words", "found"),
    [
        (Room, "stove", 1),
        (Room, "Mari", 1),
        (Room, "nobody", 0),
        (Match, "Kalle", 1),
        (Match, "stove", 1),
        (Match, "nobody", 0),
        (ChatLine, "evening", 1),
        (ChatLine, "Luc", 1),
        (ChatLine, "nobody", 0),
    ],
)
def test_rows_are_found_by_names_and_words(moderator: User, table: Table, model: Any, words: str, found: int) -> None:
    room = table.match.room
    author = User.objects.get(username="Luc")
    ChatLine.objects.create(room=room, match=table.match, author=author, text="Good evening")
    rooms.create(User.objects.create_guest(), Room(name="Elsewhere"))

    shown: Any = browser_of(moderator).get(list_of(model), {"q": words})

    assert shown.context["cl"].result_count == found


def test_a_guest_is_found_by_the_number_in_the_language_of_whoever_searches(moderator: User) -> None:
    guest = User.objects.create_guest()
    User.objects.filter(pk=guest.pk).update(language="et")
    asked = f"Külaline {guest.guest_number}"

    found: Any = browser_of(moderator, "et").get(list_of(User), {"q": asked})

    assert guest in found.context["cl"].queryset
    assert moderator not in found.context["cl"].queryset
    assert "Eesti" in browser_of(moderator).get(page_of(guest)).content.decode()


# What may be done


def do(staff: User, row: Any, act: str, **form: str) -> Any:
    return browser_of(staff).post(page_of(row, "act", act), form)


def test_a_match_is_ended_when_a_reason_is_given_and_not_without_one(moderator: User, table: Table) -> None:
    refused = do(moderator, table.match, "end", why=" ")
    assert refused.status_code == 422
    assert "This field is required" in refused.content.decode()
    assert Match.objects.get().status == Match.Status.RUNNING

    done = do(moderator, table.match, "end", why=WHY)

    assert done.status_code == 302
    assert Match.objects.get().status == Match.Status.VOID
    assert StaffAct.objects.get(act=StaffAct.Act.END_MATCH).why == WHY
    again = do(moderator, table.match, "end", why=WHY)
    assert again.status_code == 422
    assert "This match is over already." in again.content.decode()


def test_a_seat_is_given_to_the_computer_and_only_one_that_a_person_holds(moderator: User, table: Table) -> None:
    form = browser_of(moderator).get(page_of(table.match, "act", "replace")).content.decode()
    assert all(name in form for name in ("Mari", "Kalle", "Luc", "Somchai"))
    assert do(moderator, table.match, "replace", why=WHY, seat="7").status_code == 422

    assert do(moderator, table.match, "replace", why=WHY, seat="0").status_code == 302

    assert not table.row(Seat.NORTH).is_playing
    assert StaffAct.objects.get(act=StaffAct.Act.REPLACE_SEAT).person == table.users[Seat.NORTH].public_id


def test_a_match_that_is_over_is_annulled(moderator: User) -> None:
    match = finished_match({Seat.SOUTH: User.objects.create_user("Zoe")})

    assert do(moderator, match, "annul", why=WHY).status_code == 302

    match.refresh_from_db()
    assert match.annulled_at is not None
    assert "Annul the match" not in browser_of(moderator).get(page_of(match)).content.decode()
    assert "Annulled by a moderator" in Client().get(f"/replay/{match.pk}/").content.decode()


def test_a_room_is_renamed_and_closed_and_a_line_deleted(moderator: User) -> None:
    host = User.objects.create_user("Mari")
    room = rooms.create(host, Room(name="Rude words", visibility="public", clock=30))
    line = ChatLine.objects.create(room=room, author=host, text="Rude as well")

    assert do(moderator, room, "rename", why=WHY, name="A table").status_code == 302
    # and from a report the way leads back to it
    assert do(moderator, line, "delete", why=WHY, report="7").headers["Location"] == "/admin/games/report/7/change/"
    assert do(moderator, room, "close", why=WHY).status_code == 302

    room.refresh_from_db()
    line.refresh_from_db()
    assert (room.name, room.closed_at is None, line.text) == ("A table", False, "")
    assert "A moderator has deleted this line." in browser_of(moderator).get(page_of(line)).content.decode()
    assert StaffAct.objects.filter(staff=moderator.public_id).count() == 3
    # and whose room it was is told, not by whom or why
    told = browser_of(host).get("/account/decisions/").content.decode()
    assert all(what in told for what in ("another name", "deleted a line", "closed your room"))
    assert WHY not in told
    # and nobody talks there any more
    with pytest.raises(BadLine, match="closed"):
        talk.say(host, room.pk, None, text="Anybody here?")


# Who may


def test_a_moderator_reaches_neither_rights_nor_logs(moderator: User, table: Table) -> None:
    """There are no pages of groups and permissions; acts on rights are refused, and so is every post to a log."""
    act = audit.record(moderator, StaffAct.Act.LOOK, StaffAct.Subject.MATCH, table.match.pk, why="")
    event = GameEvent.objects.first()
    colleague = User.objects.create_user("colleague", is_staff=True)
    browser = browser_of(moderator)
    before = stored()
    for gone in ("auth/group/", "auth/permission/", "mfa/authenticator/", "account/emailaddress/", "dj_queue/job/"):
        assert browser.get(f"/admin/{gone}").status_code == 404
    on_rights = [deed for deed in admin.site.get_model_admin(User).acts if deed.permission == "accounts.manage_staff"]
    assert on_rights
    for deed in on_rights:
        assert browser.post(page_of(colleague, "act", deed.name), {"why": WHY}).status_code == 403
    for row in (act, event):
        for view in ("change", "delete"):
            assert browser.post(page_of(row, view), {"why": "", "payload": "{}", "post": "yes"}).status_code == 403
        assert browser.post(list_of(row), {"action": "delete_selected", "_selected_action": row.pk}).status_code == 403
    assert stored() == before


def test_staff_without_a_group_see_nothing(table: Table) -> None:
    nobody = User.objects.create_user("nobody", is_staff=True)
    browser = browser_of(nobody)
    before = stored()

    assert "You have no rights here." in browser.get("/admin/").content.decode()
    for row in (table.match, table.match.room, GameEvent.objects.first()):
        for address in (list_of(row), page_of(row), page_of(row, "history")):
            assert browser.get(address).status_code == 403
    assert browser.get(page_of(table.match, "act", "end")).status_code == 403
    assert stored() == before


def a_row_of_everything(staff: User, table: Table) -> None:
    author = table.users[Seat.NORTH]
    ChatLine.objects.create(room=table.match.room, match=table.match, author=author, text="Good evening")
    Report.objects.create(reporter=author, reported=table.users[Seat.EAST], ground="spam", match=table.match)
    audit.record(staff, StaffAct.Act.WARN, StaffAct.Subject.PERSON, author.public_id, why="spam")


@pytest.mark.parametrize("is_superuser", [True, False])
def test_forged_posts_to_any_page_of_rows_change_nothing(moderator: User, table: Table, *, is_superuser: bool) -> None:
    # given
    moderator.is_superuser = is_superuser
    moderator.save()
    a_row_of_everything(moderator, table)
    browser = browser_of(moderator)
    before = stored()
    for model, _pages in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        fields = {field.attname: "1" for field in model._meta.concrete_fields}
        inlines = {"events-TOTAL_FORMS": "1", "events-INITIAL_FORMS": "1", "events-0-payload": "{}", "form-0-id": "1"}
        forged = {**fields, **inlines, "form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "post": "yes", "index": "0"}
        for row in model._default_manager.all()[:2]:
            many = {**forged, "action": "delete_selected", "_selected_action": str(row.pk), "form-0-id": str(row.pk)}
            for address, form in (
                (reverse(f"{name}_changelist"), many),
                (reverse(f"{name}_changelist"), {**many, "_save": "Save"}),
                (reverse(f"{name}_change", args=[row.pk]), {**forged, "_save": "Save"}),
                (reverse(f"{name}_change", args=[row.pk]), {**forged, "_saveasnew": "Save", "_popup": "1"}),
                (reverse(f"{name}_delete", args=[row.pk]), forged),
                (reverse(f"{name}_history", args=[row.pk]), forged),
                (reverse(f"{name}_add"), {**forged, "_save": "Save"}),
            ):
                # when
                answer = browser.post(address, form)
                # then
                assert answer.status_code in (302, 403, 404), address
    assert stored() == before


# When something fails


def test_an_error_in_a_page_of_a_running_match_leaves_no_card_in_log_page_or_mail(
    moderator: User, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """The error itself quotes a card: a log that was damaged by hand."""
    dealt = GameEvent.objects.get(match=table.match, payload__type="deal_started")
    deck: str = dealt.payload["deck"]
    secret = deck.split()[-1] + "!"
    GameEvent.objects.filter(pk=dealt.pk).update(payload={**dealt.payload, "deck": f"{deck}!"})
    browser = browser_of(moderator)
    browser.raise_request_exception = False
    with caplog.at_level(logging.DEBUG):
        answer = browser.get(f"{list_of(GameEvent)}?match__id__exact={table.match.pk}")

    assert answer.status_code == 500
    written = [JsonLineFormatter().format(record) for record in caplog.records if record.levelno >= logging.WARNING]
    assert any("Internal Server Error" in line for line in written)
    told = "".join(written) + answer.content.decode() + str(mail.outbox)
    assert secret not in told
    assert deck[:12] not in told
