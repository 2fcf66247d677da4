"""What the page of a match shows staff: the table as a spectator sees it, what is said there, and what staff did.

Of the match itself it knows a spectator's `TableView` and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext

from accounts.acts import acts_visible_to
from accounts.models import StaffAct, User
from accounts.preferences import preferences_of
from accounts.staff_links import list_address, to_person, to_row
from games import options, rendering, selectors, talk, wording
from games.engine.seats import Seat
from games.engine.view import table_view
from games.frame import Frame
from games.models import ChatLine, Clock, GameEvent, Match, MatchSeat
from games.reports import visible_to
from games.tables import frame_of, has_clocks, reading_of

LINES_SHOWN = 30
ACTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of the match: where it is, who plays it, for which side, and how that goes on."""

    place: str
    who: SafeString | str
    side: str
    state: str


def context_of(match: Match, staff: User) -> dict[str, Any]:
    """Return what admin/games/match.html names, in the active language."""
    state = selectors.current_state(match.pk)
    view = table_view(state, None)
    timing = selectors.timing_of(match.pk) if has_clocks(state) else None
    reading = reading_of(preferences_of(staff, get_language() or "en"))
    frame = frame_of(view, selectors.company_at(match.pk), timing, reading)
    is_running = match.status == Match.Status.RUNNING
    table = rendering.page_context(frame)
    public = "games:table" if is_running else "games:replay"
    return {
        "match": match,
        "is_running": is_running,
        "facts": _facts(match, frame),
        "seats": _seats(match, frame, table["seats"], is_running=is_running),
        "table": table,
        "event_count": GameEvent.objects.filter(match=match).count(),
        "event_address": list_address(GameEvent, match__id__exact=match.pk),
        "public_address": reverse(public, args=[match.pk]),
        "lines": _lines(match),
        "line_address": list_address(ChatLine, match__id__exact=match.pk),
        "reports": visible_to(staff).filter(match=match).select_related("reported").order_by("-created_at"),
        "acts_done": _acts_done(match, staff),
        "act_address": list_address(StaffAct, subject=StaffAct.Subject.MATCH, subject_id=match.pk),
    }


def _facts(match: Match, frame: Frame) -> list[tuple[str, Any]]:
    clock = options.NO_CLOCK if match.clock is None else Clock(match.clock).label
    return [
        (gettext("State"), gettext("Annulled") if match.annulled_at else match.get_status_display()),
        (gettext("Room"), to_row(match.room, options.title_of(match.room))),
        (gettext("Rating"), gettext("Rated") if match.is_rated else gettext("Not rated")),
        (gettext("Clock"), clock),
        *options.of_rules(frame.view.rules),
        (capfirst(gettext("number")), str(match.pk)),
    ]


def _seats(match: Match, frame: Frame, shown: dict[str, Any], *, is_running: bool) -> list[SeatRow]:
    rows = {row.seat: row for row in match.seats.select_related("user")}
    side_of = dict(zip((frame.reader.us, frame.reader.us.other), wording.sides(None), strict=True))
    return [
        SeatRow(
            place=wording.seat_relation(None, seat),
            who=_who(rows[seat], frame.sitters[seat].name),
            side=side_of[seat.team],
            state=shown[frame.reader.position(seat)]["connection_text"]
            if is_running
            else rows[seat].get_outcome_display(),
        )
        for seat in Seat
    ]


def _who(row: MatchSeat, name: str) -> SafeString | str:
    return name if row.user is None else to_person(row.user)


def _lines(match: Match) -> list[dict[str, Any]]:
    newest = ChatLine.objects.filter(match=match).select_related("author").order_by("-pk")[:LINES_SHOWN]
    return [
        {
            "at": line.created_at,
            "who": to_person(line.author),
            "words": talk.words_of(line),
            "row": to_row(line, line.pk),
        }
        for line in reversed(newest)
    ]


def _acts_done(match: Match, reader: User) -> list[dict[str, Any]]:
    """Return the newest acts on a match that the reader may know of."""
    about = acts_visible_to(reader).filter(subject=StaffAct.Subject.MATCH, subject_id=str(match.pk))
    acts = list(about.order_by("-at", "-pk")[:ACTS_SHOWN])
    staff = {user.public_id: user for user in User.objects.filter(public_id__in={act.staff for act in acts})}
    return [
        {"at": act.at, "who": to_person(staff.get(act.staff)), "what": act.get_act_display(), "why": act.why}
        for act in acts
    ]
