"""What the engine's tests start from: matches that are driven by commands, written in notation."""

from __future__ import annotations

import pytest

from games.engine.cards import Suit
from games.engine.commands import Command, CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.dealing import Deck
from games.engine.decide import SERVER, Actor, decide
from games.engine.errors import IllegalCommand, Reason
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.notation import parse_card, parse_cards, parse_hand, parse_suit
from games.engine.play import Trick, WonTrick
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.shuffle import commitment_of
from games.engine.state import DealState, MatchState

N, E, S, W = Seat
NS, EW = Team
PEOPLE = BySeat(*[Occupant.PERSON] * 4)

PLAIN_DECK: Deck = tuple(range(32))
"""Dealt by North: East 7S 8S 9S JH QH, South TS JS QS KH AH, West KS AS 7H 7D 8D, North 8H 9H TH 9D TD.

JD is turned; after it come QD KD AD 7C … AC.
"""


def seed_of(deal: int) -> bytes:
    """Return the seed that `Driven.deal` commits to."""
    return deal.to_bytes(32, "big")


class Driven:
    """A match that is driven by commands, with its log and its live state."""

    def __init__(self, rules: RuleSet | None = None, occupants: BySeat[Occupant] = PEOPLE) -> None:
        self.log: list[Event] = []
        self.state: MatchState | None = None
        self.server(StartMatch(rules or RuleSet(), occupants))

    def do(self, actor: Actor, command: Command) -> tuple[Event, ...]:
        """Carry a command out and return its events."""
        events = decide(self.state, actor, command)
        for event in events:
            self.state = evolve(self.state, event)
        self.log.extend(events)
        return events

    def server(self, command: Command) -> tuple[Event, ...]:
        return self.do(SERVER, command)

    @property
    def now(self) -> MatchState:
        assert self.state is not None
        return self.state

    @property
    def running(self) -> DealState:
        assert self.now.deal is not None
        return self.now.deal

    @property
    def turn(self) -> Seat:
        assert self.now.turn is not None
        return self.now.turn

    def deal(self, deck: Deck = PLAIN_DECK, first_dealer: Seat = N) -> Driven:
        """Commit to the next deal and deal it; ``first_dealer`` deals the first one."""
        self.server(CommitDeal(commitment_of(seed_of(self.now.deal_number + 1))))
        self.server(StartDeal(deck, first_dealer if self.now.next_dealer is None else None))
        return self

    def bid(self, words: str) -> Driven:
        """Let the seats on turn bid: a suit's letter, or ``-`` to pass."""
        for word in words.split():
            self.do(self.turn, Pass() if word == "-" else Take(parse_suit(word)))
        return self

    def play(self, words: str) -> Driven:
        """Let the seats on turn play cards; ``KH!`` is said belote or rebelote with."""
        for word in words.split():
            self.do(self.turn, PlayCard(parse_card(word.removesuffix("!")), word.endswith("!")))
        return self

    def refuses(self, actor: Actor, command: Command) -> Reason:
        """Check that a command is refused and changes nothing; return the reason."""
        before = self.now
        with pytest.raises(IllegalCommand) as refused:
            decide(self.state, actor, command)
        assert self.now == before
        return refused.value.reason


def deck_of(hands: BySeat[str], dealer: Seat, taker: Seat, turn_up: str) -> Deck:
    """Return a deck that deals these hands of eight when ``taker`` takes; its hand holds the turned card."""
    turned = parse_card(turn_up)
    left = [[card for card in parse_cards(hand) if card != turned] for hand in hands]
    order = dealer.left.order()
    deck = [left[seat].pop(0) for seat in order for _ in range(3)]
    deck += [left[seat].pop(0) for seat in order for _ in range(2)]
    deck.append(turned)
    for seat in order:
        assert len(left[seat]) == (2 if seat is taker else 3)
        deck += left[seat]
    return tuple(deck)


def at_play(hands: BySeat[str], trump: str, trick: str = "N:", rules: RuleSet | None = None, taker: Seat = N) -> Driven:
    """Return a match in the middle of play: whoever is next on ``trick`` is on turn with the hand given."""
    driven = Driven(rules).deal().bid("- - D")
    leader, _, cards = trick.partition(":")
    running = Trick(Seat("NESW".index(leader)), parse_cards(cards))
    driven.state = driven.now._replace(
        deal=driven.running._replace(
            hands=BySeat(*[parse_hand(hand) for hand in hands]),
            taker=taker,
            trump=parse_suit(trump),
            trick=running,
            turn=running.next_seat,
        )
    )
    return driven


def at_last_card(
    driven: Driven, taker_team: Team, card_points: ByTeam[int], tricks_won: ByTeam[int], last_trick: Team
) -> Driven:
    """Return the match with its running deal moved on to the last card, a worthless one, of a deal that goes so.

    The last trick is ``7C 8C 7D 8D`` with spades as trump, led by the side that wins it.
    """
    leader = Seat(last_trick)
    before = tricks_won.put(last_trick, tricks_won[last_trick] - 1)
    filler = Trick(N, parse_cards("7S 8S 9C 9D"))
    tricks = [WonTrick(filler, Seat(team)) for team in Team for _ in range(before[team])]
    driven.state = driven.now._replace(
        deal=driven.running._replace(
            hands=BySeat(0, 0, 0, 0).put(leader.right, parse_hand("8D")),
            taker=Seat(taker_team),
            trump=Suit.SPADES,
            trick=Trick(leader, parse_cards("8C 7C 7D")),
            tricks=tuple(tricks),
            turn=leader.right,
            card_points=card_points,
        )
    )
    return driven
