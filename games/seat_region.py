"""The four seats: who sits there, whether they are there, what they have said and how much time they have."""

from __future__ import annotations

import time
from math import ceil
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import wording
from games.engine.cards import Suit
from games.engine.play import WonTrick
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.stand_ins import Cause, TimeRanOut
from games.engine.view import TableView
from games.frame import POSITIONS, SUIT_CLASSES, Context, Frame, Parts, Position, Reader, SeatClock
from games.regions import is_on_turn, trick_shown


class _Bubble(NamedTuple):
    """What a seat has said; ``word`` is the place, 0 or 1, of belote or rebelote, None when it is a bid."""

    word: int | None
    suit: Suit | None
    is_new: bool


def _bubble(view: TableView, seat: Seat) -> _Bubble | None:
    if view.phase not in (Phase.AUCTION, Phase.PLAY):
        return None
    shown = trick_shown(view)
    if shown is None:
        said = [bid for bid in view.bids if bid.seat is seat]
        return _Bubble(None, said[-1].suit, view.bids[-1].seat is seat) if said else None
    cards = shown.trick.cards if isinstance(shown, WonTrick) else shown.cards
    if seat is view.belote_seat:
        for word, card in enumerate(view.belote_cards):
            if card in cards:
                return _Bubble(word, None, card == cards[-1])
    return None


def _bubble_text(bubble: _Bubble | None) -> str:
    if bubble is None:
        return ""
    if bubble.word is None:
        return wording.bid_words(bubble.suit)
    return pgettext("announcement", "Rebelote!") if bubble.word else pgettext("announcement", "Belote!")


def _played_for(view: TableView, seat: Seat) -> TimeRanOut | None:
    """What has made a computer make the newest move, if that was this seat's."""
    moves = len(view.bids) + 4 * len(view.tricks) + (len(view.trick.cards) if view.trick is not None else 0)
    for at, event in reversed(view.incidents):
        if at == moves - 1 and isinstance(event, TimeRanOut) and event.seat is seat:
            return event
        if at < moves - 1:
            break
    return None


def seat_parts(frame: Frame, position: Position) -> Parts:
    """Return what the seat at a position is made from."""
    view = frame.view
    seat = frame.reader.bottom.order()[POSITIONS.index(position)]
    return (
        seat,
        view.dealer is seat,
        is_on_turn(view, seat),
        view.taker is seat,
        view.occupants[seat],
        view.card_counts[seat],
        # When the match is over nobody waits for anybody.
        frame.sitters[seat].connected or view.phase is Phase.OVER,
        view.stand_ins[seat],
        _played_for(view, seat),
        _bubble(view, seat),
        None if view.stand_ins[seat] is not None else frame.clocks[seat],
    )


def seat(
    reader: Reader,
    seat: Seat,
    is_dealer: bool,
    is_turn: bool,
    is_taker: bool,
    occupant: Occupant,
    cards_left: int,
    is_connected: bool,
    stand_in: Cause | None,
    played_for: TimeRanOut | None,
    bubble: _Bubble | None,
    clock: SeatClock | None,
) -> Context:
    """Return ``seat`` for games/table/seat.html."""
    connection, connection_text = _connection(is_connected=is_connected, stand_in=stand_in, played_for=played_for)
    said = _bubble_text(bubble)
    facts = [
        reader.names[seat],
        wording.seat_relation(reader.viewer, seat),
        # Translators: the person who deals; the Thai word is unconfirmed.
        pgettext("about a seat", "dealer") if is_dealer else "",
        pgettext("about a seat", "taker") if is_taker else "",
        wording.computer(occupant),
        ngettext("%(count)d card", "%(count)d cards", cards_left) % {"count": cards_left},
        pgettext("about a seat", "on turn") if is_turn else "",
        connection_text,
        "" if clock is None else _reserve_words(clock),
    ]
    comma = pgettext("between the items of a list", ", ")
    return {
        "position": reader.position(seat),
        "name": reader.names[seat],
        "team": reader.side(seat.team),
        "is_dealer": is_dealer,
        "is_turn": is_turn,
        "is_taker": is_taker,
        "level": wording.computer(occupant),
        "bars": "x" * cards_left,
        "state_text": comma.join(fact for fact in facts if fact),
        "connection": connection,
        "connection_text": connection_text,
        "bubble": said,
        "bubble_suit": "" if bubble is None or bubble.suit is None else SUIT_CLASSES[bubble.suit],
        "bubble_is_new": bubble is not None and bubble.is_new,
        "clock": None if clock is None else _clock(clock, is_own=seat is reader.viewer),
    }


def _connection(*, is_connected: bool, stand_in: Cause | None, played_for: TimeRanOut | None) -> tuple[str, str]:
    if stand_in is Cause.LEFT:
        return "computer", _("Has left; a computer plays")
    if stand_in is Cause.REMOVED:
        return "computer", _("Was removed; a computer plays")
    if stand_in is not None:
        return "computer", _("A computer plays")
    if not is_connected:
        return "away", _("Connection lost")
    if played_for is None:
        return "", ""
    return "", _("Time ran out") if played_for.asked_by is None else _("The computer played")


def _reserve_words(clock: SeatClock) -> str:
    seconds = ceil(clock.reserve)
    return ngettext("%(count)d second in reserve", "%(count)d seconds in reserve", seconds) % {"count": seconds}


def _clock(clock: SeatClock, *, is_own: bool) -> Context:
    is_running = clock.turn_ends_at is not None
    left = 0.0 if clock.turn_ends_at is None else clock.turn_ends_at - time.time()
    return {
        "is_running": is_running,
        "is_reserve": is_running and left <= 0,
        "text": _minutes(left) if left > 0 else "+" + _minutes(clock.reserve + left),
        "ends_in": round(1000 * left),
        "reserve": round(1000 * clock.reserve),
        "last_text": _("Less than 10 seconds are left for your turn.") if is_own and is_running else "",
    }


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(max(0, ceil(seconds)), 60)
    return f"{minutes}:{rest:02}"
