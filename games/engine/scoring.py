"""What a deal is worth and when a match ends (R5 to R7)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from games.engine.cards import Suit
from games.engine.rules import Litige, RuleSet
from games.engine.seats import ByTeam, Seat, Team
from games.engine.shuffle import Contributions

LAST_TRICK = 10
"""R1.5."""
BELOTE = 20
"""R5.1."""
TOTAL = 162
"""R1.5."""
CAPOT = 252
"""R6.4."""


class Outcome(StrEnum):
    """How the contract ended."""

    MADE = "made"
    FAILED = "failed"
    LITIGE = "litige"


class DealScore(NamedTuple):
    """A scored deal, exactly (R6.7).

    ``trick_points`` count the last trick, and 252 for a capot; ``judged`` adds the belote (R6.1); ``scores`` is what
    each side writes down, ``held_in`` included when it was paid out to ``held_paid_to`` (R6.6).
    """

    outcome: Outcome
    taker_team: Team
    capot: Team | None
    belote_team: Team | None
    last_trick_team: Team
    trick_points: ByTeam[int]
    judged: ByTeam[int]
    scores: ByTeam[int]
    held_in: int
    held_out: int
    held_paid_to: Team | None


class DealResult(NamedTuple):
    """One line of the score sheet; ``score``, ``taker`` and ``trump`` are None for a deal thrown in (R3.4).

    ``commitment``, ``contributions`` and ``seed`` say what its deck followed from; ``seed`` is None until it is
    published.
    """

    number: int
    dealer: Seat
    taker: Seat | None
    trump: Suit | None
    score: DealScore | None
    totals: ByTeam[int]
    commitment: bytes
    contributions: Contributions
    seed: bytes | None


def score_deal(
    taker_team: Team,
    card_points: ByTeam[int],
    tricks_won: ByTeam[int],
    last_trick_team: Team,
    belote_team: Team | None,
    held: int,
    rules: RuleSet,
) -> DealScore:
    """Score a deal that was played out (R6).

    Args:
        card_points: of the tricks each side won, without the last-trick bonus; they sum to 152.
        tricks_won: they sum to 8.
        belote_team: the side whose belote counts (R5.2), if any.
        held: points held from earlier deals (R6.6).

    Raises:
        ValueError: the card points or the tricks do not sum up.
    """
    if sum(card_points) != TOTAL - LAST_TRICK or sum(tricks_won) != 8:
        raise ValueError(f"{card_points} and {tricks_won} are not a whole deal")
    defence = taker_team.other
    capot = Team.NORTH_SOUTH if tricks_won[0] == 8 else Team.EAST_WEST if tricks_won[1] == 8 else None
    if capot is None:
        trick_points = card_points.put(last_trick_team, card_points[last_trick_team] + LAST_TRICK)
    else:
        trick_points = ByTeam(0, 0).put(capot, CAPOT)
    belote = ByTeam(0, 0) if belote_team is None else ByTeam(0, 0).put(belote_team, BELOTE)
    judged = ByTeam(trick_points[0] + belote[0], trick_points[1] + belote[1])

    if judged[taker_team] > judged[defence]:
        outcome, scores, held_out, paid_to = Outcome.MADE, judged, 0, taker_team
    elif judged[taker_team] < judged[defence] or rules.litige is Litige.FAIL:
        outcome, held_out, paid_to = Outcome.FAILED, 0, defence
        won = CAPOT if capot is defence else TOTAL
        scores = belote.put(defence, won + belote[defence])
    elif rules.litige is Litige.HELD:
        outcome, held_out, paid_to = Outcome.LITIGE, held + trick_points[taker_team], None
        scores = belote.put(defence, judged[defence])
    else:
        outcome, held_out, paid_to = Outcome.LITIGE, held + sum(trick_points), None
        scores = belote
    if not held:
        paid_to = None
    if paid_to is not None:
        scores = scores.put(paid_to, scores[paid_to] + held)
    return DealScore(
        outcome,
        taker_team,
        capot,
        belote_team,
        last_trick_team,
        trick_points,
        judged,
        scores,
        held,
        held_out,
        paid_to,
    )


def match_winner(totals: ByTeam[int], rules: RuleSet) -> Team | None:
    """Return the side that has won the match with these totals, None while it goes on (R7.1, R7.2)."""
    if max(totals) < rules.target or totals[0] == totals[1]:
        return None
    return Team.NORTH_SOUTH if totals[0] > totals[1] else Team.EAST_WEST
