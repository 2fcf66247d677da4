"""Redeals: other ways in which the cards that a viewer cannot see may lie, given all that has been bid and played.

What a hand may hold is found by trying cards with the rules themselves, not by what the computer players know of it:
they are checked with this.
"""

from __future__ import annotations

import random

from games.engine.cards import ALL_CARDS, Card, Mask, cards_in, mask_of
from games.engine.dealing import TURN_UP, Deck, first_hands, full_hands
from games.engine.play import BELOTE_PAIRS, Trick, legal_cards
from games.engine.rules import BeloteCall, RuleSet
from games.engine.seats import BySeat, Seat
from games.engine.state import DealState

_PLACES: Deck = tuple(range(32))
"""A deck whose cards are their own places: dealing it tells which places of a deck go to which seat."""


class Redeals:
    """The decks that fit what a viewer has seen of a deal; None is whoever has no seat.

    They keep the viewer's own cards, the turned card, every bid, card and word, and R4 and R5, which bound every seat.
    """

    def __init__(self, deal: DealState, viewer: Seat | None, rules: RuleSet) -> None:
        self._deal = deal
        self._played = _played(deal)
        self._fitting = self._fitting_places(viewer, rules)

    def draw(self, rng: random.Random) -> DealState:
        """Return the deal with one of these decks; each can be drawn, some more easily than others."""
        deck = _fill(self._fitting, rng)
        dealt = _hands(self._deal, deck)
        hands = BySeat(*[held & ~played for held, played in zip(dealt, self._played, strict=True)])
        return self._deal._replace(deck=deck, hands=hands)

    def _fitting_places(self, viewer: Seat | None, rules: RuleSet) -> dict[Card, Mask]:
        """Return for each card the places of the deck where it may have lain, as far as ``viewer`` can tell."""
        deal, deck = self._deal, self._deal.deck
        at = _hands(deal, _PLACES)
        kept = 1 << TURN_UP
        fitting = {deck[TURN_UP]: kept}
        if viewer is not None:
            first = first_hands(_PLACES, deal.dealer)[viewer]
            for own in (first, at[viewer] & ~first & ~kept):
                fitting |= dict.fromkeys([deck[place] for place in cards_in(own)], own)
            kept |= at[viewer]
        may_hold = _may_hold(deal, rules)
        stock = ALL_CARDS & ~(at.north | at.east | at.south | at.west)
        for card in _PLACES:
            if card not in fitting:
                places = stock
                for seat in Seat:
                    if may_hold[seat] >> card & 1:
                        places |= at[seat]
                fitting[card] = places & ~kept
        return fitting


def _hands(deal: DealState, deck: Deck) -> BySeat[Mask]:
    """Return what the seats hold before the first card is played, of this deck."""
    return first_hands(deck, deal.dealer) if deal.taker is None else full_hands(deck, deal.dealer, deal.taker)


def _tricks(deal: DealState) -> list[Trick]:
    return [*[won.trick for won in deal.tricks], deal.trick]


def _played(deal: DealState) -> list[Mask]:
    """Return the cards that each seat has played."""
    played = [0, 0, 0, 0]
    for leader, cards in _tricks(deal):
        for place, card in enumerate(cards):
            played[leader.after(place)] |= 1 << card
    return played


def _may_hold(deal: DealState, rules: RuleSet) -> list[Mask]:
    """Return for each seat the cards that it has played and those unplayed ones that it may have held all along.

    A hand makes a card illegal by some single card that it holds (R4), so each unplayed card can be tried alone.
    """
    if deal.trump is None:
        return [ALL_CARDS] * 4
    played = _played(deal)
    unplayed = ALL_CARDS & ~mask_of(card for cards in played for card in cards_in(cards))
    may_hold = [unplayed] * 4
    pair = BELOTE_PAIRS[deal.trump]
    held = [0, 0, 0, 0]
    for leader, cards in reversed(_tricks(deal)):
        for place in reversed(range(len(cards))):
            seat, card, trick = leader.after(place), cards[place], Trick(leader, cards[:place])
            held[seat] |= 1 << card
            # Any card may be led (R4.1).
            for other in cards_in(may_hold[seat] if place > 0 else 0):
                if not legal_cards(held[seat] | 1 << other, trick, deal.trump, seat, rules) >> card & 1:
                    may_hold[seat] &= ~(1 << other)
            if card in deal.belote_cards:
                for another in (seat.left, seat.partner, seat.right):
                    may_hold[another] &= ~pair
            elif pair >> card & 1 and rules.belote is BeloteCall.AUTO:
                may_hold[seat] &= ~pair
    return [may | own for may, own in zip(may_hold, played, strict=True)]


def _fill(fitting: dict[Card, Mask], rng: random.Random) -> Deck:
    """Return a random deck in which each card lies in a place that fits it."""
    lies: dict[int, Card] = {}
    free = ALL_CARDS

    def put(card: Card, tried: set[int]) -> bool:
        nonlocal free
        if fitting[card] & free:
            place = rng.choice(list(cards_in(fitting[card] & free)))
            free &= ~(1 << place)
            lies[place] = card
            return True
        places = list(cards_in(fitting[card]))
        rng.shuffle(places)
        for place in places:
            if place not in tried:
                tried.add(place)
                if put(lies[place], tried):
                    lies[place] = card
                    return True
        return False

    # Those with few places first: then few have to make room.
    for card in sorted(rng.sample(_PLACES, 32), key=lambda card: fitting[card].bit_count()):
        if not put(card, set()):
            raise AssertionError("the real deck fits, so some deck must")
    return tuple(lies[place] for place in _PLACES)
