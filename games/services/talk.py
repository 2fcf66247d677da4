"""What is said in rooms and at tables, and reports of people: the only writer of both."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.dispatch import Signal, receiver
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from accounts.decisions import end_in_words
from accounts.models import User
from accounts.sanctions import Scope, barred
from accounts.signals import person_renamed
from belote_site import rates
from games import selectors
from games.models import ChatLine, Match, Report, Room
from games.phrases import PHRASES
from games.talk import lines_to_attach

line_said = Signal()
"""Sent inside the transaction in which something is said, with ``room_id`` and ``line_id``."""

lines_changed = Signal()
"""Sent inside the transaction after which lines of a room read otherwise, since a moderator deletes one or takes the
name of its author away; with ``room_id``."""

LONGEST_LINE = 200
LINES_PER_USER = ("5/10 second", "30/minute")
SAME_WORDS = "2/30 second"
REPORTS_PER_USER = "10/day"
ONE_REPORT_WITHIN = timedelta(days=1)

_JOINERS = "\u200c\u200d"
# Letters and a symbol by their category, which fonts draw as nothing.
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800"
# A Thai consonant carries a vowel and a tone; taller heaps of marks are meant to cover other lines.
_MARKS_ON_A_LETTER = 3


class MayNotSpeak(Exception):
    """The room or match is not for this person to see, so that they have nobody to talk to there."""


class BadLine(Exception):
    """This cannot be said; ``sentence`` tells the person why, in the active language when it is shown."""

    def __init__(self, sentence: str | Promise) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def say(user: User, room_id: UUID, match_id: UUID | None, *, phrase: str = "", text: str = "") -> ChatLine:
    """Say one of the quick phrases, by its code, or a line of free text, which is for accounts only.

    At a table whoever sits there or may watch it may speak, on a room's own page whoever may look into it.

    Raises:
        MayNotSpeak, BadLine, rates.TooOften: as they say.
    """
    if phrase:
        if phrase not in PHRASES:
            raise BadLine(gettext_lazy("There is no such phrase. Choose one of those that are offered."))
        text = ""
    else:
        if user.is_guest:
            raise BadLine(gettext_lazy("Guests say the phrases that are offered. Sign up to write your own lines."))
        text = tidy(text)
    refuse_the_muted(user, is_phrase=bool(phrase))
    rates.count("line", user.pk, *LINES_PER_USER)
    rates.count("same words", f"{user.pk} {_digest(phrase, text)}", SAME_WORDS)
    with transaction.atomic():
        try:
            if match_id is not None:
                room_id, _ = selectors.place_at(match_id, user.pk)
            elif selectors.room_for(room_id, user.pk).closed_at is not None:
                raise BadLine(gettext_lazy("This room is closed."))
        except (selectors.MatchNotFound, selectors.RoomNotFound) as error:
            raise MayNotSpeak from error
        line = ChatLine.objects.create(room_id=room_id, match_id=match_id, author=user, phrase=phrase, text=text)
        line_said.send(ChatLine, room_id=room_id, line_id=line.pk)
    return line


def delete(line: ChatLine, moderator: User) -> None:
    """Let nobody read a line any more; everybody sees that there was one. Inside a transaction."""
    line.phrase = line.text = ""
    line.deleted_at, line.deleted_by = timezone.now(), moderator.public_id
    line.save(update_fields=["phrase", "text", "deleted_at", "deleted_by"])
    lines_changed.send(ChatLine, room_id=line.room_id)


@receiver(person_renamed)
def _name_the_author_anew(*, user: User, **_: object) -> None:
    now = timezone.now()
    rooms = Room.objects.filter(lines__author=user, presences__seen_until__gt=now).values_list("pk", flat=True)
    for room_id in rooms.distinct():
        lines_changed.send(ChatLine, room_id=room_id)


def refuse_the_muted(user: User, *, is_phrase: bool) -> None:
    """Raise `BadLine` for somebody whom moderators have muted; a mute of free text leaves the phrases."""
    mute = barred(user.pk, Scope.TALK) if is_phrase else barred(user.pk, Scope.TALK, Scope.TEXT)
    if mute is None:
        return
    end = end_in_words(mute)
    if end:
        raise BadLine(gettext("You are muted until %(end)s. The notice about it says why.") % {"end": end})
    raise BadLine(gettext_lazy("You are muted for good. The notice about it says why."))


def tidy(text: str) -> str:
    """Return a line as it is stored: composed, on one line, without signs that are not seen or that turn others around.

    Raises:
        BadLine: nothing is left, or too much.
    """
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if sign.isspace() or sign in _BLANKS:
            kept.append(" ")
        elif category in ("Mn", "Me"):
            marks += 1
            if marks <= _MARKS_ON_A_LETTER:
                kept.append(sign)
            continue
        elif category[0] != "C" or sign in _JOINERS:
            kept.append(sign)
        marks = 0
    line = " ".join("".join(kept).split())
    if not line.strip(_JOINERS + " "):
        raise BadLine(gettext_lazy("Write something first."))
    if len(line) > LONGEST_LINE:
        raise BadLine(gettext_lazy("That line is too long: 200 characters are the most."))
    return line


def report(
    user: User, reported: User, ground: str, text: str, room_id: UUID | None = None, match_id: UUID | None = None
) -> None:
    """Report somebody to the moderators, with what was said in the room or at the table lately.

    A second report of the same person by the same one about the same match, or within a day without one, adds nothing.

    Raises:
        ValueError: somebody reports themselves, or the ground is none of `Report.Ground`.
        MayNotSpeak: the room or match was never for the reporter to see.
        rates.TooOften: they have reported too many people today.
    """
    if user.pk == reported.pk or ground not in Report.Ground.values:
        raise ValueError("a report is about somebody else, and has one of the grounds that are offered")
    try:
        room_id, lines = lines_to_attach(user, room_id, match_id)
    except selectors.RoomNotFound as error:
        raise MayNotSpeak from error
    if match_id is None and room_id is not None:
        running = Match.objects.filter(room_id=room_id, status=Match.Status.RUNNING)
        match_id = running.values_list("pk", flat=True).first()
    with transaction.atomic():
        # Two clicks at once wait here for each other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        known = Report.objects.filter(reporter=user, reported=reported)
        if match_id is None:
            known = known.filter(match=None, created_at__gt=timezone.now() - ONE_REPORT_WITHIN)
        else:
            known = known.filter(match_id=match_id)
        if known.exists():
            return
        rates.count("report", user.pk, REPORTS_PER_USER)
        Report.objects.create(
            reporter=user,
            reported=reported,
            ground=ground,
            text=text,
            room_id=room_id,
            match_id=match_id,
            room_name=Room.objects.values_list("name", flat=True).get(pk=room_id) if room_id else "",
            reported_name="" if reported.is_guest else reported.username,
            lines=[
                {
                    "at": line.created_at.isoformat(),
                    "author": str(line.author.public_id),
                    "phrase": line.phrase,
                    "text": line.text,
                }
                for line in lines
            ],
        )


def _digest(phrase: str, text: str) -> str:
    return sha256(f"{phrase} {text.casefold()}".encode()).hexdigest()
