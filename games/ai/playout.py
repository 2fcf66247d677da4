"""A deal in play with all four hands known, played on to its end by the normal player."""

from __future__ import annotations

from typing import Self

from games.ai.normal import Normal
from games.ai.position import Position
from games.engine.cards import POINTS, Card, Mask
from games.engine.play import BELOTE_PAIRS, Trick, legal_cards
from games.engine.rules import RuleSet
from games.engine.scoring import LAST_TRICK, TOTAL, score_deal
from games.engine.seats import ByTeam, Seat, Team


class OpenDeal:
    """A position, the hands, and what each side has won so far.

    ``belote`` is the side that holds the king and queen of trump in one hand, if one does: computer players announce
    them (R5).
    """

    __slots__ = ("belote", "hands", "last_trick", "pair", "points", "position", "rules", "tricks")

    def __init__(self, position: Position, hands: list[Mask], belote: Team | None, rules: RuleSet) -> None:
        self.position = position
        self.hands = hands
        self.belote = belote
        self.pair = 0 if belote is None else BELOTE_PAIRS[position.trump]
        self.rules = rules
        self.points = [0, 0]
        self.tricks = [0, 0]
        self.last_trick = Team.NORTH_SOUTH

    def copy(self) -> Self:
        """Return a deal that can be played on without changing this one."""
        other = object.__new__(type(self))
        other.position = self.position.copy()
        other.hands = self.hands[:]
        other.belote = self.belote
        other.pair = self.pair
        other.rules = self.rules
        other.points = self.points[:]
        other.tricks = self.tricks[:]
        other.last_trick = self.last_trick
        return other

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not any(self.hands)

    def legal(self) -> Mask:
        """Return the legal cards of the seat on turn."""
        position = self.position
        seat = _SEATS[position.turn]
        trick = Trick(_SEATS[position.leader], position.cards)
        return legal_cards(self.hands[seat], trick, position.trump, seat, self.rules)

    def play(self, card: Card) -> None:
        """Play a card, which must be legal, for the seat on turn."""
        position = self.position
        seat = position.turn
        self.hands[seat] ^= 1 << card
        if self.pair >> card & 1 and self.hands[seat] & self.pair:
            # The word tells everybody where the other half is (R5.1).
            for other in (seat + 1 & 3, seat ^ 2, seat + 3 & 3):
                position.may_hold[other] &= ~self.pair
        points = position.points + POINTS[position.trump][card]
        position.play(card)
        if not position.cards:
            team = _TEAMS[position.leader & 1]
            self.points[team] += points
            self.tricks[team] += 1
            self.last_trick = team

    def play_out(self, player: Normal, left: int = 0) -> None:
        """Play on with one player in every seat, which knows its own hand and what was shown (R9.1).

        It ends when so many tricks are left to be played, by default at the end of the deal.
        """
        position, hands = self.position, self.hands
        for _ in range(sum([hand.bit_count() for hand in hands]) - 4 * left):
            hand = hands[position.turn]
            if hand & hand - 1:
                self.play(player.best_card(position, hand, self.legal()))
            else:
                self.play(hand.bit_length() - 1)

    def settle(self, points: int) -> None:
        """End the deal with so many of the points to come for North-South, the ten of the last trick included (R1.5).

        A side that takes all of them is taken to win all the tricks to come (R6.4), any other to win one.
        """
        rest = TOTAL - sum(self.points)
        tricks = 8 - sum(self.tricks)
        if points in (0, rest):
            self.tricks[points == 0] += tricks
        else:
            self.tricks = [self.tricks[0] + 1, self.tricks[1] + tricks - 1]
        self.points = [self.points[0] + points, self.points[1] + rest - points]
        self.last_trick = Team.NORTH_SOUTH if self.points[0] >= LAST_TRICK else Team.EAST_WEST
        self.points[self.last_trick] -= LAST_TRICK
        self.hands = [0, 0, 0, 0]

    def lead_of(self, team: Team) -> int:
        """Return by how much a side outscores the other in a deal that is over (R6), without held points."""
        taking = self.position.taker.team
        points, tricks = ByTeam(*self.points), ByTeam(*self.tricks)
        scores = score_deal(taking, points, tricks, self.last_trick, self.belote, 0, self.rules).scores
        return scores[team] - scores[team.other]


_SEATS, _TEAMS = tuple(Seat), tuple(Team)
