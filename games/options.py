"""The options of a room in words, as its forms offer them and its pages list them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from games.engine.rules import BeloteCall, Litige, RuleSet, Undertrump
from games.models import Clock, Level, Room

Choices = list[tuple[str, str | Promise]]

UNDERTRUMP: Choices = [
    (Undertrump.MUST.value, gettext_lazy("Must play a lower trump (usual)")),
    (Undertrump.MAY.value, gettext_lazy("May play any card")),
]
BELOTE: Choices = [
    (BeloteCall.AUTO.value, gettext_lazy("Said for the player (usual)")),
    (BeloteCall.MANUAL.value, gettext_lazy("Players say it themselves, or lose the 20 points")),
]
LITIGE: Choices = [
    (Litige.HELD.value, gettext_lazy("The defence scores, the takers’ points are held (usual)")),
    (Litige.HELD_ALL.value, gettext_lazy("The points of both sides are held")),
    (Litige.FAIL.value, gettext_lazy("The contract has failed")),
]
CLOCK: Choices = [(str(seconds), label) for seconds, label in Clock.choices]
CLOCK_IN_SHORT: Choices = [
    (str(Clock.FAST.value), gettext_lazy("15 s")),
    (str(Clock.USUAL.value), gettext_lazy("30 s")),
    (str(Clock.SLOW.value), gettext_lazy("60 s")),
]
NO_CLOCK = gettext_lazy("No clock")
LEVEL_NOTES: dict[Level, Promise] = {
    Level.EASY: gettext_lazy("Easy plays the lowest card it may."),
    Level.NORMAL: gettext_lazy("Normal weighs each trick and supports its partner."),
    Level.HARD: gettext_lazy("Hard remembers every card and works out who may hold what."),
}
"""How each level plays (R9.2 to R9.4), for whoever chooses."""


def levels() -> list[dict[str, str | Promise]]:
    """Return the computers' levels, weakest first, as ``{value, label, note}``."""
    return [{"value": level.value, "label": level.label, "note": LEVEL_NOTES[level]} for level in Level]


def title_of(room: Room) -> str:
    """Return the name of a room to show, in the active language."""
    if room.name:
        return room.name
    if room.starts_when_full:
        return gettext("Quick match")
    if room.host is not None:
        return gettext("%(name)s’s table") % {"name": room.host.display_name}
    return gettext("A table")


def clock_of(room: Room) -> str:
    """Return how long a turn may last."""
    return str(NO_CLOCK if room.clock is None else Clock(room.clock).label)


def of_rules(rules: RuleSet) -> list[tuple[str, str]]:
    """Return what a match is played by: what it is about, and what was chosen."""
    return [
        (gettext("Play to"), gettext("%(points)s points") % {"points": rules.target}),
        (gettext("Without a higher trump"), str(dict(UNDERTRUMP)[rules.undertrump])),
        (gettext("Belote and rebelote"), str(dict(BELOTE)[rules.belote])),
        (gettext("Equal points"), str(dict(LITIGE)[rules.litige])),
    ]


def all_of(room: Room) -> list[tuple[str, str]]:
    """Return every option of a room: what it is about, and what was chosen."""
    target, *others = of_rules(room.rules)
    return [
        target,
        (gettext("Clock"), clock_of(room)),
        (gettext("Who finds it"), str(Room.Visibility(room.visibility).label)),
        (gettext("Rating"), gettext("Rated") if room.is_rated else gettext("Not rated")),
        (gettext("Spectators"), gettext("Welcome") if room.has_spectators else gettext("Not admitted")),
        *others,
    ]


def unusual_of(room: Room, *, is_rated: bool) -> list[str]:
    """Return the options in which a room differs from the usual, one short sentence each.

    ``is_rated`` tells of the match that it plays, or may play next: in a rated room not every one is.
    """
    notes = []
    if is_rated:
        notes.append(gettext("Rated"))
    if room.undertrump != Undertrump.MUST:
        notes.append(gettext("No duty to undertrump"))
    if room.belote != BeloteCall.AUTO:
        notes.append(gettext("Belote is said by the players"))
    if room.litige == Litige.HELD_ALL:
        notes.append(gettext("Equal points: all held"))
    elif room.litige == Litige.FAIL:
        notes.append(gettext("Equal points: contract failed"))
    return notes
