"""The rules that a table is bound to for its whole life: version, target and room options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

RULES_VERSION = "1.0.0"
TARGETS = (501, 701, 1000, 1500, 2000)
"""R7.3."""


class Undertrump(StrEnum):
    """R4.6: whether a seat that cannot overtrump must still play a trump."""

    MUST = "must"
    MAY = "may"


class BeloteCall(StrEnum):
    """R5.2: whether belote and rebelote are announced for the player or by the player."""

    AUTO = "auto"
    MANUAL = "manual"


class Litige(StrEnum):
    """R6.5: what becomes of the points when both sides are equal."""

    HELD = "held"
    HELD_ALL = "held_all"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Version and options of the rules.

    Raises:
        ValueError: an unknown version or a target that is not in `TARGETS`.
    """

    target: int = 1000
    undertrump: Undertrump = Undertrump.MUST
    belote: BeloteCall = BeloteCall.AUTO
    litige: Litige = Litige.HELD
    version: str = RULES_VERSION

    def __post_init__(self) -> None:
        if self.version != RULES_VERSION:
            raise ValueError(f"unknown rules version {self.version!r}; this engine plays {RULES_VERSION}")
        if self.target not in TARGETS:
            raise ValueError(f"target must be one of {TARGETS}, not {self.target!r}")
        for field, kind in (("undertrump", Undertrump), ("belote", BeloteCall), ("litige", Litige)):
            if not isinstance(getattr(self, field), kind):
                raise ValueError(f"{field} must be one of {[str(option) for option in kind]}")


class Phase(StrEnum):
    """What a match is waiting for."""

    BETWEEN_DEALS = "between"
    """The server's commitment to the next deal."""
    COMMITTED = "committed"
    """The server's deal."""
    AUCTION = "auction"
    """A bid (R3)."""
    PLAY = "play"
    """A card (R4)."""
    SUMMARY = "summary"
    """Every person's word that the next deal may start."""
    OVER = "over"
    """Nothing: the match has ended (R7)."""
