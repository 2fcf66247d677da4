"""Why a command was refused. A reason cites its rule; the words for it are the renderer's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.engine.cards import Suit


class ReasonCode(StrEnum):
    """Every ground of refusal."""

    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    MATCH_OVER = "match_over"
    SERVER_ONLY = "server_only"
    SEATS_ONLY = "seats_only"
    NOT_YOUR_TURN = "not_your_turn"
    NO_AUCTION = "no_auction"
    NO_PLAY = "no_play"
    ONLY_TURNED_SUIT = "only_turned_suit"
    NOT_TURNED_SUIT = "not_turned_suit"
    NOT_IN_HAND = "not_in_hand"
    MUST_FOLLOW = "must_follow"
    MUST_BEAT_TRUMP = "must_beat_trump"
    MUST_FOLLOW_TRUMP = "must_follow_trump"
    MUST_RUFF = "must_ruff"
    MUST_OVERRUFF = "must_overruff"
    MUST_UNDERTRUMP = "must_undertrump"
    NO_BELOTE = "no_belote"
    NO_SUMMARY = "no_summary"
    ALREADY_SAID = "already_said"
    NOT_A_PERSON = "not_a_person"
    NOT_FOR_ONESELF = "not_for_oneself"
    STOOD_IN = "stood_in"
    NOT_STOOD_IN = "not_stood_in"
    HAS_LEFT = "has_left"
    OUT_OF_ORDER = "out_of_order"
    BAD_DECK = "bad_deck"
    BAD_COMMITMENT = "bad_commitment"
    NO_CONTRIBUTIONS = "no_contributions"
    ALREADY_CONTRIBUTED = "already_contributed"
    BAD_CONTRIBUTION = "bad_contribution"
    SEED_TOO_EARLY = "seed_too_early"
    SEED_MISMATCH = "seed_mismatch"


@dataclass(frozen=True, slots=True)
class Reason:
    """A ground, the rule that it rests on (empty for faults that no rule is about), and the suit it speaks of."""

    code: ReasonCode
    rule: str = ""
    suit: Suit | None = None

    def __str__(self) -> str:
        return f"{self.code} ({self.rule})" if self.rule else str(self.code)


class IllegalCommand(Exception):
    """A command that the rules or the state of the match refuse; nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason
