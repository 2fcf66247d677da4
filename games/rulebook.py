"""The rules of play as translatable text, one message for each numbered rule, for the rules page.

``docs/rules.md`` carries the same numbers together with the ground of each ruling.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class RuleText(NamedTuple):
    """One rule: its number, such as ``R4.3``, and what it says."""

    number: str
    text: Promise


class Section(NamedTuple):
    """The rules about one subject; ``number`` is such as ``R4``."""

    number: str
    title: Promise
    rules: tuple[RuleText, ...]


SECTIONS: tuple[Section, ...] = (
    Section(
        "R1",
        _("The table and the cards"),
        (
            RuleText(
                "R1.1",
                _(
                    "Four players sit at the table, clockwise: North, East, South and West. Partners sit across "
                    "from each other: North and South play against East and West."
                ),
            ),
            RuleText(
                "R1.2",
                _(
                    "The pack has 32 cards: 7, 8, 9, 10, jack, queen, king and ace of spades, hearts, diamonds and "
                    "clubs."
                ),
            ),
            RuleText(
                "R1.3",
                _(
                    "Trumps rank, from high to low: jack, 9, ace, 10, king, queen, 8, 7. They are worth: jack 20, 9 "
                    "14, ace 11, 10 10, king 4, queen 3, and nothing for the 8 and the 7."
                ),
            ),
            RuleText(
                "R1.4",
                _(
                    "Cards of the other suits rank, from high to low: ace, 10, king, queen, jack, 9, 8, 7. They are "
                    "worth: ace 11, 10 10, king 4, queen 3, jack 2, and nothing for the rest. Cards with French "
                    "letters show V for the jack, D for the queen and R for the king."
                ),
            ),
            RuleText(
                "R1.5",
                _("All the cards together are worth 152 points. The last trick is worth 10 more, which makes 162."),
            ),
        ),
    ),
    Section(
        "R2",
        _("The deal"),
        (
            RuleText(
                "R2.1",
                _(
                    "Play runs clockwise. The player to the dealer’s left receives cards first, speaks first and "
                    "leads to the first trick."
                ),
            ),
            RuleText(
                "R2.2",
                _(
                    "Each player receives five cards, three and then two, beginning at the dealer’s left. The next "
                    "card is turned up."
                ),
            ),
            RuleText(
                "R2.3",
                _(
                    "After the auction the taker receives the turned card, in the second round too. Then, beginning "
                    "at the dealer’s left, everyone receives three more cards and the taker two, so that each has "
                    "eight."
                ),
            ),
            RuleText(
                "R2.4",
                _("The whole pack is shuffled afresh for every deal; every order of the cards is equally likely."),
            ),
            RuleText(
                "R2.5",
                _(
                    "The first dealer of a match is drawn at random; after every deal the next player to the left "
                    "deals."
                ),
            ),
        ),
    ),
    Section(
        "R3",
        _("The auction"),
        (
            RuleText("R3.1", _("In the first round each player in turn takes the turned suit as trump, or passes.")),
            RuleText(
                "R3.2",
                _(
                    "If all four pass there is a second round: each player in turn names another suit as trump, "
                    "never the turned one, or passes."
                ),
            ),
            RuleText(
                "R3.3",
                _(
                    "The first player who takes ends the auction and nobody may bid higher. That player is the "
                    "taker, and the taker’s side has the contract."
                ),
            ),
            RuleText(
                "R3.4",
                _(
                    "If all four pass twice the deal is thrown in: nobody scores, held points stay held, and the "
                    "next dealer deals."
                ),
            ),
        ),
    ),
    Section(
        "R4",
        _("Playing a card"),
        (
            RuleText("R4.1", _("Whoever leads to a trick may play any card.")),
            RuleText(
                "R4.2",
                _(
                    "A player who holds the suit that was led must follow it. When that suit is not trump there is "
                    "no duty to play a higher card."
                ),
            ),
            RuleText(
                "R4.3",
                _(
                    "When trump is led, each player must play a trump higher than every trump in the trick, the "
                    "partner’s included, or, without such a card, any other trump."
                ),
            ),
            RuleText(
                "R4.4",
                _(
                    "A player who cannot follow suit while the partner is winning the trick may play any card, a "
                    "low trump included. This also holds when the partner has ruffed and an opponent has played a "
                    "lower trump, because the partner is still winning."
                ),
            ),
            RuleText(
                "R4.5",
                _(
                    "A player who cannot follow suit while an opponent is winning must play a trump, and one higher "
                    "than the highest trump in the trick if possible."
                ),
            ),
            RuleText(
                "R4.6",
                _(
                    "A player who must trump under R4.5 but holds only lower trumps must still play one of them. A "
                    "room can choose that such a player may play any card."
                ),
            ),
            RuleText("R4.7", _("A player who holds neither the suit that was led nor a trump may play any card.")),
            RuleText(
                "R4.8",
                _(
                    "The highest trump wins the trick; without a trump, the highest card of the suit that was led. "
                    "The winner leads to the next trick."
                ),
            ),
        ),
    ),
    Section(
        "R5",
        _("Belote and rebelote"),
        (
            RuleText(
                "R5.1",
                _(
                    "The king and the queen of trump in one hand, announced as they are played, are worth 20 points "
                    "to that side: “belote” with the first of the two and “rebelote” with the second, in either "
                    "order."
                ),
            ),
            RuleText(
                "R5.2",
                _(
                    "Both words are said for the player. A room can choose that players say them themselves, with "
                    "each of the two cards; if either word is missing, the 20 points are lost."
                ),
            ),
            RuleText(
                "R5.3",
                _("The 20 points count when the contract is judged, for whichever side has them."),
            ),
            RuleText(
                "R5.4",
                _("They never go to the other side: not with a failed contract, not with a capot, not in a litige."),
            ),
            RuleText("R5.5", _("An announcement by a player who does not hold both cards is refused.")),
        ),
    ),
    Section(
        "R6",
        _("Scoring a deal"),
        (
            RuleText(
                "R6.1",
                _(
                    "Each side is judged on its trick points, the 10 for the last trick and its belote. The takers "
                    "make the contract when they have strictly more than the defence."
                ),
            ),
            RuleText("R6.2", _("When the contract is made, each side scores the points it was judged on.")),
            RuleText(
                "R6.3",
                _(
                    "When the contract fails, the defence scores 162 and the takers score 0; each side keeps its "
                    "own belote."
                ),
            ),
            RuleText(
                "R6.4",
                _(
                    "Capot: a side that wins all eight tricks scores 252 in place of 162, and the other side 0. A "
                    "belote is added for the side that held it. This is also true for the defence: its 252 replace "
                    "the 162 of a failed contract."
                ),
            ),
            RuleText(
                "R6.5",
                _(
                    "When both sides are equal, 81 to 81 or 91 to 91 with a belote, there is a litige. The defence "
                    "scores its points at once and the takers’ trick points are held; a belote is scored at once by "
                    "the side that held it. A room can choose that the trick points of both sides are held, or that "
                    "the contract has failed."
                ),
            ),
            RuleText(
                "R6.6",
                _(
                    "Held points go to the winner of the next deal that is scored: to the takers if they make their "
                    "contract, otherwise to the defence. They never help to make a contract. A second litige adds "
                    "to them."
                ),
            ),
            RuleText("R6.7", _("Scores are exact and never rounded.")),
        ),
    ),
    Section(
        "R7",
        _("The match"),
        (
            RuleText(
                "R7.1",
                _(
                    "The match ends when a deal has been scored and a side has reached the target or more. The side "
                    "with the higher total wins."
                ),
            ),
            RuleText(
                "R7.2",
                _("When the totals are equal at the target or above it, deals go on until they differ."),
            ),
            RuleText("R7.3", _("The target is 1000 points. A room can choose 501, 701, 1500 or 2000 instead.")),
            RuleText("R7.4", _("Points that are still held when the match ends belong to nobody.")),
        ),
    ),
    Section(
        "R8",
        _("What is not played here"),
        (
            RuleText(
                "R8.1",
                _(
                    "There are no announcements of sequences or of four cards of a kind, no contra and recontra, no "
                    "all-trump and no no-trump, and they cannot be switched on."
                ),
            ),
        ),
    ),
    Section(
        "R9",
        _("Computer players"),
        (
            RuleText(
                "R9.1",
                _(
                    "A computer player sees its own hand, the cards on the table and what has been said and played, "
                    "as a person in its seat would. It never sees another hand."
                ),
            ),
            RuleText(
                "R9.2",
                _(
                    "The easy player plays the lowest card it may: the fewest points, a plain suit before trump, "
                    "then the weakest rank. It takes a suit when it would hold at least three trumps with the jack "
                    "or the 9 among them."
                ),
            ),
            RuleText(
                "R9.3",
                _(
                    "The normal player weighs the points in the trick and who is winning it. It saves its strong "
                    "trumps, ruffs when an opponent is winning and supports its partner."
                ),
            ),
            RuleText(
                "R9.4",
                _(
                    "The hard player remembers every card played, notices who has run out of a suit, and weighs "
                    "where each unseen card may be."
                ),
            ),
        ),
    ),
)
"""R1 to R9, in order."""
