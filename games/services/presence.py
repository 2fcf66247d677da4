"""Who is there: open pages, lost connections, take-overs after the grace, coming back, leaving, pauses.

A match goes on while a person of it has an open table and pauses otherwise. Each open table sweeps its match with every
heartbeat, so that nothing depends on a job that was lost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.models import Match, MatchSeat, Presence, Seating
from games.services import matches

people_changed = Signal()
"""Sent inside the transaction in which who is at a table, or its clocks, changed: ``match_id`` and ``room_id``."""

tab_opened = Signal()
"""Sent inside the transaction in which a seat was opened in another tab, with ``match_id``, ``seat`` and ``tab``."""

PRESENCE_LASTS = timedelta(seconds=30)
REFRESHED_BEFORE = PRESENCE_LASTS * 2 / 3
"""An open page whose presence ends sooner is counted on. Not at every heartbeat: each would be a write."""

GRACE = timedelta(seconds=60)
FRESH_START = timedelta(seconds=15)
"""What a person on turn has at least after the server stopped or the match paused."""

OVERDUE_AFTER = timedelta(seconds=1)
ABANDONED_AFTER = timedelta(hours=24)


class Retired(Exception):
    """The seat has been opened in another tab since; the newest one plays."""


def arrive(match_id: UUID, seat: Seat, channel: str, tab: int | None = None) -> int:
    """A person has opened their table: the seat and the match go on. Return the number of the tab.

    ``tab`` is the number that a page that comes back was given; None for a page that was opened just now. A seat that
    the computer took because of a lost connection is given back; one that it took because nobody moved, to a new page
    only, since an idle page reconnects by itself.

    Raises:
        selectors.MatchNotFound: nobody plays this seat.
        Retired: a page was opened after this one.
    """
    now = timezone.now()
    with transaction.atomic():
        row = MatchSeat.objects.select_for_update().filter(match_id=match_id, seat=seat, level="").first()
        if row is None or row.user_id is None:
            raise selectors.MatchNotFound(match_id)
        is_new = tab is None or not 0 < tab <= row.newest_tab
        if not is_new and tab != row.newest_tab:
            raise Retired
        if is_new:
            row.newest_tab += 1
        was_absent, row.absent_since = row.absent_since is not None, None
        row.save(update_fields=["newest_tab", "absent_since"])
        room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
        _expire(match_id, now)
        if not selectors.anyone_present(match_id):
            _resume(match_id, now)
        Presence.objects.filter(match_id=match_id, seat=seat).delete()
        Presence.objects.create(
            room_id=room_id,
            match_id=match_id,
            seat=seat,
            user_id=row.user_id,
            channel=channel,
            seen_until=now + PRESENCE_LASTS,
        )
        Match.objects.filter(pk=match_id).update(last_seen_at=now)
        Seating.objects.filter(room_id=room_id, user_id=row.user_id).update(absent_since=None)
        if is_new:
            tab_opened.send(Match, match_id=match_id, seat=seat, tab=row.newest_tab)
        if was_absent:
            people_changed.send(Match, match_id=match_id, room_id=room_id)
    cause = selectors.current_state(match_id).stand_ins[seat]
    if cause is Cause.GONE or (cause is Cause.IDLE and is_new):
        matches.give_back(match_id, seat)
    return row.newest_tab


def stay(match_id: UUID, seat: Seat, channel: str, tab: int) -> int:
    """A table is still open. Sweep its match, and return the version that it is at.

    Raises:
        Retired: the seat was opened in another tab, and word of it was lost.
    """
    now = timezone.now()
    if MatchSeat.objects.filter(match_id=match_id, seat=seat, newest_tab__gt=tab).exists():
        raise Retired
    if not _refresh(channel, now):
        arrive(match_id, seat, channel, tab)
    _sweep(match_id, now)
    return matches.version_of(match_id)


def is_newest(match_id: UUID, seat: Seat, tab: int) -> bool:
    """Tell whether no newer tab of this seat has been opened."""
    return MatchSeat.objects.filter(match_id=match_id, seat=seat, newest_tab=tab).exists()


def depart(match_id: UUID, seat: Seat, channel: str) -> None:
    """A person's table has closed; nothing changes when they have another one."""
    now = timezone.now()
    with transaction.atomic():
        closed, _ = Presence.objects.filter(channel=channel).delete()
        if not closed or Presence.objects.filter(match_id=match_id, seat=seat).exists():
            return
        MatchSeat.objects.filter(match_id=match_id, seat=seat).update(absent_since=now)
        Match.objects.filter(pk=match_id).update(last_seen_at=now)
        room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
        _note_absence(room_id, now)
        people_changed.send(Match, match_id=match_id, room_id=room_id)


def watch(room_id: UUID, match_id: UUID, here: Mapping[str, int | None], gone: Collection[str] = ()) -> None:
    """A process tells who watches a match there: all at once, when some have come or gone, and with every heartbeat.

    ``here`` maps the channel of each spectator to the user, None for a visitor; ``gone`` are channels that have closed.
    """
    now = timezone.now()
    known = _seen_watching(match_id)
    fades = any(known[channel] < now + REFRESHED_BEFORE for channel in here.keys() & known.keys())
    if not fades and here.keys() <= known.keys() and known.keys().isdisjoint(gone):
        return
    with transaction.atomic():
        known = _seen_watching(match_id)
        watching = Presence.objects.filter(match_id=match_id, seat__isnull=True)
        if fades:
            watching.filter(channel__in=here).update(seen_until=now + PRESENCE_LASTS)
        new = {channel: user_id for channel, user_id in here.items() if channel not in known}
        Presence.objects.bulk_create(
            Presence(
                room_id=room_id, match_id=match_id, user_id=user_id, channel=channel, seen_until=now + PRESENCE_LASTS
            )
            for channel, user_id in new.items()
        )
        back = [user_id for user_id in new.values() if user_id is not None]
        if back:
            Seating.objects.filter(room_id=room_id, user_id__in=back).update(absent_since=None)
        left = not known.keys().isdisjoint(gone)
        if left:
            watching.filter(channel__in=gone).delete()
            _note_absence(room_id, now)
        if new or left:
            people_changed.send(Match, match_id=match_id, room_id=room_id)


def look_in(room_id: UUID, user: User | None, channel: str) -> None:
    """Somebody has opened the room's own page; again with every heartbeat."""
    now = timezone.now()
    if _refresh(channel, now):
        return
    with transaction.atomic():
        Presence.objects.create(room_id=room_id, user=user, channel=channel, seen_until=now + PRESENCE_LASTS)
        if user is not None:
            Seating.objects.filter(room_id=room_id, user=user).update(absent_since=None)
        people_changed.send(Match, match_id=None, room_id=room_id)


def look_away(room_id: UUID, channel: str) -> None:
    """A page that `look_in` told of has closed."""
    with transaction.atomic():
        Presence.objects.filter(channel=channel).delete()
        _note_absence(room_id, timezone.now())
        people_changed.send(Match, match_id=None, room_id=room_id)


def end_abandoned_matches() -> int:
    """End, void, the matches that no person has been at for 24 hours; return how many."""
    now = timezone.now()
    abandoned = Match.objects.filter(status=Match.Status.RUNNING, last_seen_at__lt=now - ABANDONED_AFTER).exclude(
        presences__seen_until__gt=now, presences__seat__isnull=False
    )
    return sum(matches.end(match_id) for match_id in abandoned.values_list("pk", flat=True))


def begin_anew() -> None:
    """The only process of the site has started: the pages that its predecessor had open are gone, and matches pause."""
    with transaction.atomic():
        seen = Presence.objects.filter(seat__isnull=False).values("match_id").annotate(until=Max("seen_until"))
        for row in seen:
            Match.objects.filter(pk=row["match_id"]).update(last_seen_at=row["until"] - PRESENCE_LASTS)
        Presence.objects.all().delete()


def grant_time() -> None:
    """A process has started after a stop, perhaps of all of them: nobody's time runs out within 15 s."""
    now = timezone.now()
    soon = Match.objects.filter(
        status=Match.Status.RUNNING, clock__isnull=False, due_at__lt=now + FRESH_START, presences__seen_until__gt=now
    )
    for match_id in soon.distinct().values_list("pk", flat=True):
        with transaction.atomic():
            _shift(match_id, timedelta(0), now)


def _resume(match_id: UUID, now: datetime) -> None:
    """Somebody is back at a match that paused: its clocks go on where they were, and so does everybody's grace."""
    last_seen_at = Match.objects.values_list("last_seen_at", flat=True).get(pk=match_id)
    MatchSeat.objects.filter(match_id=match_id, absent_since__isnull=False).update(absent_since=now)
    _shift(match_id, now - last_seen_at, now)


def _shift(match_id: UUID, pause: timedelta, now: datetime) -> None:
    """Move what is due by a pause; a person's time ends in `FRESH_START` at the earliest. Nobody pays for either."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.status != Match.Status.RUNNING or match.turn_since is None:
        return
    state = selectors.load_state(match_id)
    asks_person = state.turn is not None and state.acting(state.turn) is Occupant.PERSON
    shift = max(pause, timedelta(0))
    if match.due_at is not None and (asks_person or state.phase is Phase.SUMMARY):
        shift = max(shift, now + FRESH_START - match.due_at)
        match.due_at += shift
    elif match.due_at is not None:
        match.due_at = matches.due_after(state, match.clock, match.reserves, now)
    # Without a clock as well: others wait three minutes for somebody who is there.
    match.turn_since += shift
    match.save(update_fields=["due_at", "turn_since"])
    matches.announce(match.pk, state, match.due_at)
    people_changed.send(Match, match_id=match.pk, room_id=match.room_id)


def _sweep(match_id: UUID, now: datetime) -> None:
    """Notice whoever is gone without a word, give seats to the computer after the grace, prompt what is overdue."""
    if Presence.objects.filter(match_id=match_id, seen_until__lt=now).exists():
        with transaction.atomic():
            _expire(match_id, now)
    match = Match.objects.get(pk=match_id)
    if match.status != Match.Status.RUNNING:
        return
    gone = MatchSeat.objects.filter(match_id=match_id, level="", is_playing=True, absent_since__lt=now - GRACE)
    absent = [Seat(seat) for seat in gone.values_list("seat", flat=True)]
    if absent:
        stand_ins = selectors.current_state(match_id).stand_ins
        for seat in absent:
            if stand_ins[seat] is None:
                matches.take_over(match_id, seat, Cause.GONE)
    if match.due_at is not None and match.due_at < now - OVERDUE_AFTER:
        with transaction.atomic():
            # The conditional update lets one of several sockets prompt.
            if Match.objects.filter(pk=match_id, version=match.version, due_at=match.due_at).update(due_at=now):
                matches.announce(match_id, selectors.load_state(match_id), now)


def _refresh(channel: str, now: datetime) -> bool:
    """Let an open page count on, and tell whether it is known."""
    seen_until = Presence.objects.filter(channel=channel).values_list("seen_until", flat=True).first()
    if seen_until is None:
        return False
    if seen_until < now + REFRESHED_BEFORE:
        return bool(Presence.objects.filter(channel=channel).update(seen_until=now + PRESENCE_LASTS))
    return True


def _seen_watching(match_id: UUID) -> dict[str, datetime]:
    """Return until when each spectator of a match counts, by channel, those of other processes as well."""
    watching = Presence.objects.filter(match_id=match_id, seat__isnull=True)
    return dict(watching.values_list("channel", "seen_until"))


def _expire(match_id: UUID, now: datetime) -> None:
    """Forget the pages that a killed server left behind, and since when their people are absent. In a transaction."""
    ghosts = Presence.objects.filter(match_id=match_id, seen_until__lt=now)
    seen = dict(ghosts.filter(seat__isnull=False).values_list("seat").annotate(until=Max("seen_until")))
    if not ghosts.delete()[0]:
        return
    here = set(Presence.objects.filter(match_id=match_id).values_list("seat", flat=True))
    for seat, until in seen.items():
        if seat not in here:
            rows = MatchSeat.objects.filter(match_id=match_id, seat=seat, absent_since__isnull=True)
            rows.update(absent_since=until - PRESENCE_LASTS)
    if seen and not here - {None}:
        Match.objects.filter(pk=match_id).update(last_seen_at=max(seen.values()) - PRESENCE_LASTS)
    room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
    people_changed.send(Match, match_id=match_id, room_id=room_id)


def _note_absence(room_id: UUID, now: datetime) -> None:
    """Remember since when the people of a room have no page of it open."""
    here = Presence.objects.filter(room_id=room_id, user__isnull=False).values("user_id")
    gone = Seating.objects.filter(room_id=room_id, level="", absent_since__isnull=True).exclude(user_id__in=here)
    gone.update(absent_since=now)
