"""What may be said by whom, how often, who reads it, and what a report carries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from accounts import relations
from accounts.models import Relation, User
from belote_site import rates
from games import people, talk
from games.engine.seats import Occupant, Seat
from games.models import Admission, ChatLine, Match, MatchSeat, Report, Room, Seating
from games.phrases import GROUPS, PHRASES
from games.services import rooms, seating
from games.services import talk as saying

pytestmark = pytest.mark.django_db


def account(name: str) -> User:
    return User.objects.create_user(name)


def public_room(*people: User) -> Room:
    """A waiting public room with its host South and the others in free seats."""
    room = rooms.create(people[0], Room(visibility=Room.Visibility.PUBLIC, clock=30))
    for person in people[1:]:
        seating.sit(person, room.pk)
    return room


def match_of(*people: User) -> Match:
    """A running match of these people and computers in a public room."""
    room = public_room(*people)
    rooms.fill(people[0], room.pk, Occupant.EASY)
    return rooms.start(people[0], room.pk)


def texts(room: Room, reader: User | None) -> list[str]:
    return [line.text for line in talk.lines_for(room.pk, reader)]


# Saying


def test_a_phrase_is_read_by_each_in_their_own_language() -> None:
    # given
    mari, luc = account("mari"), account("luc")
    room = public_room(mari, luc)
    # when
    saying.say(mari, room.pk, None, phrase="thank-you")
    # then it is stored as a code, and every reader's words come from their catalogue
    assert ChatLine.objects.get().phrase == "thank-you"
    with translation.override("fr"):
        line = talk.lines_for(room.pk, luc)[0]
        assert line.text == str(PHRASES["thank-you"])
    assert line.name == "mari"


def test_every_phrase_is_offered_once() -> None:
    offered = [code for group in GROUPS for code in group.codes]
    assert sorted(offered) == sorted(PHRASES)
    assert max(map(len, PHRASES)) <= ChatLine._meta.get_field("phrase").max_length


@pytest.mark.parametrize("phrase", ["", "nice hand", "hello ", "__class__"])
def test_what_is_no_phrase_is_not_said(phrase: str) -> None:
    mari = account("mari")
    room = public_room(mari)
    with pytest.raises(saying.BadLine):
        saying.say(mari, room.pk, None, phrase=phrase)
    assert not ChatLine.objects.exists()


def test_guests_say_phrases_but_write_nothing() -> None:
    # given
    guest = User.objects.create_guest()
    room = public_room(guest)
    # when, then
    with pytest.raises(saying.BadLine, match="Sign up"):
        saying.say(guest, room.pk, None, text="hello there")
    saying.say(guest, room.pk, None, phrase="hello")
    assert ChatLine.objects.get().phrase == "hello"


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("  good \t evening\r\n\r\nall ", "good evening all"),
        ("O\u0303ige", "Õige"),
        ("สวัสดี", "สวัสดี"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("a\u200bb\u2066c\ufeff\x00\x1b[31m", "abc[31m"),
        ("\ud800oops", "oops"),
        ("e" + "\u0301\u0302\u0303\u0304\u0305\u0306", "é\u0302\u0303\u0304"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
    ],
)
def test_a_line_is_stored_on_one_line_and_shows_what_it_says(written: str, stored: str) -> None:
    assert saying.tidy(written) == stored


@pytest.mark.parametrize("written", ["", "  ", "\u202e\u2066", "\u200d", "\u3164 \u2800", "x" * 201])
def test_a_line_that_says_nothing_or_too_much_is_refused(written: str) -> None:
    with pytest.raises(saying.BadLine):
        saying.tidy(written)


def test_two_hundred_letters_fit() -> None:
    assert saying.tidy("õ" * 200) == "õ" * 200


def test_five_lines_in_ten_seconds_are_enough() -> None:
    # given
    mari = account("mari")
    room = public_room(mari)
    for number in range(5):
        saying.say(mari, room.pk, None, text=f"line {number}")
    # when
    with pytest.raises(rates.TooOften) as refusal:
        saying.say(mari, room.pk, None, text="one more")
    # then
    assert 1 <= refusal.value.retry_after <= 10
    assert ChatLine.objects.count() == 5


def test_the_same_words_are_not_said_over_and_over() -> None:
    # given
    mari = account("mari")
    room = public_room(mari)
    saying.say(mari, room.pk, None, text="hurry up")
    saying.say(mari, room.pk, None, text="HURRY  UP")
    # when, then
    with pytest.raises(rates.TooOften):
        saying.say(mari, room.pk, None, text="hurry up")
    saying.say(mari, room.pk, None, text="sorry")


# Who may speak


def test_a_stranger_does_not_speak_in_a_private_room() -> None:
    # given
    host, stranger = account("host"), account("stranger")
    room = rooms.create(host, Room())
    # when, then
    with pytest.raises(saying.MayNotSpeak):
        saying.say(stranger, room.pk, None, phrase="hello")
    # and who has come in by its link does
    seating.enter(stranger, room.invite)
    saying.say(stranger, room.pk, None, phrase="hello")


def test_a_spectator_speaks_until_somebody_who_sits_there_blocks_them() -> None:
    # given
    mari, watcher = account("mari"), account("watcher")
    match = match_of(mari)
    saying.say(watcher, match.room_id, match.pk, phrase="hello")
    # when
    relations.block(mari, watcher)
    # then
    with pytest.raises(saying.MayNotSpeak):
        saying.say(watcher, match.room_id, match.pk, phrase="goodbye")
    with pytest.raises(saying.MayNotSpeak):
        saying.say(watcher, match.room_id, None, phrase="goodbye")


def test_nobody_speaks_at_a_table_that_is_closed_to_spectators() -> None:
    mari, watcher = account("mari"), account("watcher")
    match = match_of(mari)
    Room.objects.filter(pk=match.room_id).update(has_spectators=False)
    with pytest.raises(saying.MayNotSpeak):
        saying.say(watcher, match.room_id, match.pk, phrase="hello")


def test_a_line_belongs_to_the_room_of_its_match_whatever_room_is_named() -> None:
    mari, luc = account("mari"), account("luc")
    match, other = match_of(mari), rooms.create(luc, Room())
    line = saying.say(mari, other.pk, match.pk, phrase="hello")
    assert line.room_id == match.room_id


# Who reads


def test_what_the_muted_and_the_blocked_say_is_not_read() -> None:
    # given
    mari, luc, aino = account("mari"), account("luc"), account("aino")
    room = public_room(mari, luc, aino)
    for person in (mari, luc, aino):
        saying.say(person, room.pk, None, text=f"I am {person}")
    # when
    relations.mute(mari, luc)
    relations.block(mari, aino)
    # then
    assert texts(room, mari) == ["I am mari"]
    assert texts(room, luc) == ["I am mari", "I am luc", "I am aino"]
    # and reads again what was taken back
    relations.unmute(mari, luc)
    assert texts(room, mari) == ["I am mari", "I am luc"]


def test_who_is_blocked_sees_nothing_vanish_but_reads_nothing_new() -> None:
    # given
    mari, luc = account("mari"), account("luc")
    room = public_room(mari, luc)
    saying.say(mari, room.pk, None, text="before")
    # when
    relations.block(mari, luc)
    saying.say(mari, room.pk, None, text="after")
    # then
    assert texts(room, luc) == ["before"]
    newest = ChatLine.objects.latest("pk")
    assert talk.line_html(newest.pk, luc) == ""
    assert "after" in talk.line_html(newest.pk, None)


def test_the_newest_lines_come_oldest_first() -> None:
    mari = account("mari")
    room = public_room(mari)
    ChatLine.objects.bulk_create(ChatLine(room=room, author=mari, text=f"line {n}") for n in range(60))
    shown = texts(room, None)
    assert shown == [f"line {n}" for n in range(10, 60)]


def test_a_mark_says_where_somebody_sits_from_the_reader_s_seat() -> None:
    # given
    mari, luc, watcher = account("mari"), account("luc"), account("watcher")
    match = match_of(mari, luc)
    assert Seating.objects.get(user=luc).seat == Seat.NORTH
    for person in (luc, watcher):
        saying.say(person, match.room_id, match.pk, phrase="hello")
    # when, then
    assert [line.mark for line in talk.lines_for(match.room_id, mari)] == ["your partner", "spectator"]
    assert [line.mark for line in talk.lines_for(match.room_id, luc)] == ["", "spectator"]
    assert [line.mark for line in talk.lines_for(match.room_id, None)] == ["North", "spectator"]
    # and the seat of an account that is gone does not become the visitor's
    MatchSeat.objects.filter(match=match, user=mari).update(user=None)
    assert [line.mark for line in talk.lines_for(match.room_id, None)] == ["North", "spectator"]


def test_a_line_of_a_deleted_account_is_gone_with_it() -> None:
    mari, luc = account("mari"), account("luc")
    room = public_room(mari, luc)
    line = saying.say(luc, room.pk, None, phrase="hello")
    luc.delete()
    assert talk.line_html(line.pk, mari) == ""


HOSTILE = ("<img src=x onerror=alert(1)>", "<div hx-get=/play/ hx-trigger=load hx-swap-oob=true>boo</div>")


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_is_text(text: str) -> None:
    # given a name and a line that would be a script
    mari, luc = account("mari"), account("luc")
    room = public_room(mari, luc)
    User.objects.filter(pk=luc.pk).update(username=text)
    line = saying.say(User.objects.get(pk=luc.pk), room.pk, None, text=text)
    # when
    html = talk.line_html(line.pk, mari) + talk.lines_html(room.pk, mari)
    # then
    assert "<img" not in html
    assert "<div" not in html
    assert html.count("&lt;") >= 4


# Reports


def test_a_report_carries_what_was_said_and_the_match() -> None:
    # given
    mari, luc = account("mari"), account("luc")
    match = match_of(mari, luc)
    ChatLine.objects.bulk_create(
        ChatLine(room_id=match.room_id, match=match, author=luc, text=f"insult {n}") for n in range(40)
    )
    relations.mute(mari, luc)
    # when
    saying.report(mari, luc, "insults", "all the time", match.room_id)
    # then
    report = Report.objects.get()
    assert (report.reporter, report.reported, report.match, report.room_id) == (mari, luc, match, match.room_id)
    assert [line["text"] for line in report.lines] == [f"insult {n}" for n in range(10, 40)]
    assert {line["author"] for line in report.lines} == {str(luc.public_id)}
    assert set(report.lines[0]) == {"at", "author", "phrase", "text"}
    # and the lines may go, the report keeps them
    ChatLine.objects.all().delete()
    report.refresh_from_db()
    assert len(report.lines) == 30


def test_a_second_report_of_the_same_thing_adds_nothing() -> None:
    mari, luc = account("mari"), account("luc")
    match = match_of(mari, luc)
    for _ in range(2):
        saying.report(mari, luc, "stalling", "", match_id=match.pk)
        saying.report(mari, luc, "name", "")
    assert Report.objects.count() == 2
    # and after a day one may complain without a match again
    Report.objects.update(created_at=timezone.now() - timedelta(days=2))
    saying.report(mari, luc, "name", "")
    saying.report(mari, luc, "stalling", "", match_id=match.pk)
    assert Report.objects.count() == 3


def test_ten_reports_a_day_are_enough() -> None:
    mari = account("mari")
    for number in range(10):
        saying.report(mari, account(f"someone{chr(97 + number)}"), "spam", "")
    with pytest.raises(rates.TooOften):
        saying.report(mari, account("luc"), "spam", "")


def test_what_makes_no_sense_is_no_report() -> None:
    mari, luc = account("mari"), account("luc")
    with pytest.raises(ValueError, match="somebody else"):
        saying.report(mari, mari, "spam", "")
    with pytest.raises(ValueError, match="grounds"):
        saying.report(mari, luc, "boredom", "")


def test_a_report_is_no_way_to_read_a_room_that_one_was_never_in() -> None:
    # given
    mari, luc, stranger = account("mari"), account("luc"), account("stranger")
    room = rooms.create(mari, Room())
    saying.say(mari, room.pk, None, text="a secret")
    # when, then
    with pytest.raises(saying.MayNotSpeak):
        saying.report(stranger, luc, "spam", "", room.pk)
    with pytest.raises(saying.MayNotSpeak):
        saying.report(stranger, luc, "spam", "", match_id=stranger.public_id)


def test_whoever_was_blocked_still_reports_what_they_read_but_nothing_after() -> None:
    # given
    mari, luc, watcher = account("mari"), account("luc"), account("watcher")
    match = match_of(mari, luc)
    saying.say(watcher, match.room_id, match.pk, phrase="hello")
    saying.say(mari, match.room_id, match.pk, text="go away")
    relations.block(mari, watcher)
    saying.say(mari, match.room_id, match.pk, text="he is gone")
    saying.say(luc, match.room_id, match.pk, text="at last")
    # when
    saying.report(watcher, mari, "insults", "", match_id=match.pk)
    # then
    assert [line["text"] or line["phrase"] for line in Report.objects.get().lines] == ["hello", "go away"]


# Deciding about people


def test_blocking_ends_following_both_ways_and_withdraws_invitations() -> None:
    # given
    mari, luc = account("mari"), account("luc")
    relations.follow(mari, luc)
    relations.follow(luc, mari)
    room = rooms.create(mari, Room())
    seating.invite(mari, luc, room.pk)
    # when
    relations.block(luc, mari)
    # then
    assert list(Relation.objects.values_list("owner", "other", "kind")) == [(luc.pk, mari.pk, "block")]
    assert not Admission.objects.filter(user=luc).exists()
    # and nobody follows whom they block
    relations.follow(luc, mari)
    assert not Relation.objects.filter(kind="follow").exists()


def test_deciding_twice_or_about_oneself_changes_nothing() -> None:
    mari, luc = account("mari"), account("luc")
    relations.mute(mari, luc)
    relations.mute(mari, luc)
    assert Relation.objects.count() == 1
    with pytest.raises(ValueError, match="themselves"):
        relations.follow(mari, mari)
    relations.unmute(mari, luc)
    relations.unmute(mari, luc)
    assert not Relation.objects.exists()


def test_a_list_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MOST_OF_A_KIND", 2)
    mari = account("mari")
    for name in ("luc", "aino"):
        relations.follow(mari, account(name))
    with pytest.raises(relations.TooMany):
        relations.follow(mari, account("somchai"))


def test_blocking_is_told_to_both_people_s_sockets_and_to_nobody_else(
    django_capture_on_commit_callbacks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    told: list[tuple[str, str]] = []
    monkeypatch.setattr("belote_site.groups._tell", lambda group, message: told.append((group, message["type"])))
    mari, luc = account("mari"), account("luc")
    # when
    with django_capture_on_commit_callbacks(execute=True):
        relations.block(mari, luc)
    # then
    assert sorted(told) == sorted([(f"user.{mari.pk}", "talk.anew"), (f"user.{luc.pk}", "access.check")])


def test_of_people_who_have_blocked_somebody_that_one_is_not_told_where_they_are() -> None:
    # given
    mari, luc = account("mari"), account("luc")
    public_room(luc)
    relations.follow(mari, luc)
    assert people.followed(mari)[0].place is not None
    # when
    relations.block(luc, mari)
    relations.follow(mari, luc)
    # then
    assert [(one.person, one.place) for one in people.followed(mari)] == [(luc, None)]


def test_what_was_said_behind_a_link_is_gone_when_the_room_opens_to_everybody() -> None:
    # given
    mari = account("Mari")
    room = rooms.create(mari, Room(clock=30))
    saying.say(mari, room.pk, None, text="between us")
    # when
    rooms.change(mari, room.pk, {"visibility": Room.Visibility.PUBLIC})
    # then
    assert not ChatLine.objects.filter(room=room).exists()
