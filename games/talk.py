"""What is said in a room, for one reader: whose lines they read, in their language, as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext

from accounts.models import Relation, User
from games import selectors, wording
from games.engine.seats import Seat
from games.models import Admission, ChatLine, Match, MatchSeat, Room, Seating
from games.phrases import GROUPS, PHRASES

LINES_SHOWN = 50
LINES_IN_A_REPORT = 30


@dataclass(frozen=True, slots=True)
class Line:
    """One line for templates/games/talk/line.html, in the active language.

    ``person`` is the author's public id; ``mark`` says where they sit, from the reader's seat, or that they watch.
    ``has_menu``: the reader may do something about the author. One that ``is_deleted`` says so in place of its words.
    """

    number: int
    room_id: UUID
    name: str
    person: UUID
    mark: str
    text: str
    is_deleted: bool
    is_own: bool
    has_menu: bool
    is_followed: bool
    has_profile: bool


def lines_for(room_id: UUID, reader: User | None, limit: int = LINES_SHOWN) -> list[Line]:
    """Return the newest lines of a room, oldest first.

    Left out are those of people whom the reader has muted or blocked, and what people who have blocked the reader have
    said since: nothing vanishes for the blocked one, who therefore does not learn of it. None reads as a visitor.
    """
    newest = _readable(room_id, reader).order_by("-pk")[:limit]
    return as_read(reversed(newest), reader)


def line_html(line_id: int, reader: User | None) -> str:
    """Return a message that appends one line to the reader's list; empty when they do not read its author."""
    room_id = ChatLine.objects.values_list("room_id", flat=True).filter(pk=line_id).first()
    if room_id is None:
        return ""
    lines = as_read(_readable(room_id, reader).filter(pk=line_id), reader)
    return render_to_string("games/talk/line.html", {"line": lines[0], "oob": True}) if lines else ""


def lines_html(room_id: UUID, reader: User | None, *, oob: bool = True) -> str:
    """Return a message that replaces the reader's whole list: after a break, and when they mute somebody."""
    return render_to_string("games/talk/lines.html", {"talk": {"lines": lines_for(room_id, reader)}, "oob": oob})


def notice_html(text: str) -> str:
    """Return a message that shows a sentence below the reader's list."""
    return render_to_string("games/talk/notice.html", {"talk_notice": text, "oob": True})


def wait_text(seconds: int) -> str:
    """Return what somebody who talks too much is told."""
    return ngettext(
        "That was a lot at once. You can speak again in %(count)d second.",
        "That was a lot at once. You can speak again in %(count)d seconds.",
        seconds,
    ) % {"count": seconds}


def panel_context(room_id: UUID, reader: User | None, *, may_be_alone: bool = True) -> dict[str, object]:
    """Return ``talk`` for templates/games/talk/panel.html, in the active language.

    With ``may_be_alone`` off it is None at a table where nobody else listens: one person among computers, whom nobody
    has visited.
    """
    if not may_be_alone and not _has_company(room_id, reader):
        return {"talk": None}
    return {
        "talk": {
            "room_id": room_id,
            "lines": lines_for(room_id, reader),
            "groups": [
                {"name": group.name, "phrases": [{"code": code, "words": PHRASES[code]} for code in group.codes]}
                for group in GROUPS
            ],
            "may_speak": reader is not None,
            "may_write": reader is not None and not reader.is_guest,
        }
    }


def lines_to_attach(user: User, room_id: UUID | None, match_id: UUID | None) -> tuple[UUID | None, list[ChatLine]]:
    """Return the room and its newest lines, oldest first, that go with a user's report; none without a room or match.

    Lines of muted people are among them, deleted ones are not: they are empty. Who may not look into the room any more
    gets what was said until then.

    Raises:
        selectors.RoomNotFound: there is no such room or match, or the user was never there.
    """
    if match_id is not None:
        room_id = Match.objects.values_list("room_id", flat=True).filter(pk=match_id).first()
        if room_id is None:
            raise selectors.RoomNotFound(match_id)
    if room_id is None:
        return None, []
    lines = _not_of_blockers(ChatLine.objects.filter(room_id=room_id, deleted_at=None), user)
    try:
        selectors.room_for(room_id, user.pk)
    except selectors.RoomNotFound:
        was_there = (
            MatchSeat.objects.filter(match__room_id=room_id, user=user).exists()
            or ChatLine.objects.filter(room_id=room_id, author=user).exists()
        )
        if not was_there:
            raise
        blocks = Relation.objects.filter(
            Q(owner__seating__room_id=room_id) | Q(owner__match_seats__match__room_id=room_id),
            other=user,
            kind=Relation.Kind.BLOCK,
        )
        blocked_at = blocks.aggregate(first=Min("created_at"))["first"]
        if blocked_at is not None:
            lines = lines.filter(created_at__lt=blocked_at)
    newest = lines.select_related("author").order_by("-pk")[:LINES_IN_A_REPORT]
    return room_id, list(reversed(newest))


def as_read(lines: Iterable[ChatLine], reader: User | None) -> list[Line]:
    """Return stored lines in the reader's language, with who said them and where they sat."""
    rows = list(lines)
    me = reader.pk if reader is not None else None
    seatings = Seating.objects.filter(room_id__in={row.room_id for row in rows}, level="")
    in_room = {seating.user_id: Seat(seating.seat) for seating in seatings}
    in_match = {
        (row.match_id, row.user_id): Seat(row.seat)
        for row in MatchSeat.objects.filter(match_id__in={row.match_id for row in rows if row.match_id}, level="")
    }

    def seat_of(row: ChatLine, user_id: int | None) -> Seat | None:
        if user_id is None:
            # A visitor; the seat of a deleted account has no person either.
            return None
        return in_room.get(user_id) if row.match_id is None else in_match.get((row.match_id, user_id))

    def mark(row: ChatLine) -> str:
        seat = seat_of(row, row.author_id)
        return gettext("spectator") if seat is None else wording.seat_relation(seat_of(row, me), seat)

    following = Relation.objects.filter(owner_id=me, kind=Relation.Kind.FOLLOW)
    followed = set(following.values_list("other_id", flat=True)) if me is not None else set()
    return [
        Line(
            number=row.pk,
            room_id=row.room_id,
            name=wording.own_name() if row.author_id == me else row.author.display_name,
            person=row.author.public_id,
            mark="" if row.author_id == me else mark(row),
            text=words_of(row),
            is_deleted=row.deleted_at is not None,
            is_own=row.author_id == me,
            has_menu=me not in (None, row.author_id),
            is_followed=row.author_id in followed,
            has_profile=not row.author.is_guest,
        )
        for row in rows
    ]


def words_of(row: ChatLine) -> str:
    """Return what a line says, a phrase in the active language; of a deleted one, that it is."""
    if row.deleted_at is not None:
        return gettext("A moderator has deleted this line.")
    return str(PHRASES.get(row.phrase, row.phrase)) if row.phrase else row.text


def readers_apart(room_id: UUID) -> set[int]:
    """Return the people who may read the newest lines of a room in a way of their own.

    They have said one, have had a seat there, or follow, mute or block somebody who has said one, or the other way
    round. All others with an account read the same, and so do all visitors.
    """
    newest = ChatLine.objects.filter(room_id=room_id).order_by("-pk")
    authors = set(newest.values_list("author_id", flat=True)[:LINES_SHOWN])
    relations = Relation.objects.filter(Q(owner_id__in=authors) | Q(other_id__in=authors))
    related = {pk for pair in relations.values_list("owner_id", "other_id") for pk in pair}
    seated = {
        *Seating.objects.filter(room_id=room_id, level="").values_list("user_id", flat=True),
        *MatchSeat.objects.filter(match__room_id=room_id, level="").values_list("user_id", flat=True),
    }
    return authors | related | seated


def may_read(room_id: UUID, user: User) -> bool:
    """Tell whether somebody may read what is said in a room: who may look into it, and who plays there."""
    try:
        selectors.room_for(room_id, user.pk)
    except selectors.RoomNotFound:
        return MatchSeat.objects.filter(match__room_id=room_id, user=user, is_playing=True).exists()
    return True


def _readable(room_id: UUID, reader: User | None) -> QuerySet[ChatLine]:
    lines = ChatLine.objects.filter(room_id=room_id).select_related("author")
    if reader is None:
        return lines
    unwanted = Relation.objects.filter(owner=reader, kind__in=[Relation.Kind.MUTE, Relation.Kind.BLOCK])
    return _not_of_blockers(lines.exclude(author__in=unwanted.values("other")), reader)


def _not_of_blockers(lines: QuerySet[ChatLine], reader: User) -> QuerySet[ChatLine]:
    since = Relation.objects.filter(
        owner=OuterRef("author"), other=reader, kind=Relation.Kind.BLOCK, created_at__lte=OuterRef("created_at")
    )
    return lines.exclude(Exists(since))


def _has_company(room_id: UUID, reader: User | None) -> bool:
    return (
        Seating.objects.filter(room_id=room_id, level="").exclude(user=reader).exists()
        or Admission.objects.filter(room_id=room_id).exclude(user=reader).exists()
        or ChatLine.objects.filter(room_id=room_id).exists()
        or Room.objects.filter(pk=room_id, visibility=Room.Visibility.PUBLIC).exists()
    )
