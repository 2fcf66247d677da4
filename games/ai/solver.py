"""What a position is worth when all four hands are known and all four play perfectly (double dummy, R4.1 to R4.8).

The search asks one kind of question, "does the leader's side still take so many points?", and narrows the value down
by asking again; all answers of a deal share one table of bounds. It works on *sorted* masks: eight bits a suit, weakest
card lowest, trumps in the top eight. There a card that may win the trick beats another when its bit is the higher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.engine.cards import PLAIN_ORDER, POINTS, TRUMP_ORDER, Card, Mask, Suit, cards_in, make_card
from games.engine.play import Trick, legal_cards
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat

_LAST_TRICK = 10
"""R1.5."""


class Solver:
    """Solves any number of positions of one deal, or of deals that share trump and rule, with one table of bounds.

    A value counts card points and the ten of the last trick (R1.5) and nothing else: neither belote, nor capot, nor
    whether the contract is made.
    The table goes with the solver. Every position makes it grow, an ending of four cards by some 15 kB, the first
    card of a deal by 6 to 20 MB, all cards of a deal by 10 MB, in the worst of 150 by 90.
    """

    def __init__(self, trump: Suit, undertrump: Undertrump) -> None:
        self._trump = trump
        self._rules = RuleSet(undertrump=undertrump)
        self._reach = _search(undertrump)

    def value(self, hands: Sequence[Mask], leader: int, cards: tuple[Card, ...] = ()) -> int:
        """Return how many points North-South still take, the cards of the running trick included.

        ``hands``, by seat, are what is held now, so without ``cards``, the none to three that ``leader`` and the seats
        after it have played on the running trick.

        Raises:
            ValueError: the seats have not played equally often, somebody holds a card twice, or none is left.
        """
        points, masks = self._sorted(hands, leader, cards)
        side = self._narrow(points, masks, points // 2)
        return points - side if leader & 1 else side

    def values(
        self,
        hands: Sequence[Mask],
        leader: int,
        cards: tuple[Card, ...] = (),
        known: Mapping[Card, int] | None = None,
    ) -> dict[Card, int]:
        """Return what `value` is after each legal card of the seat on turn; arguments and errors as there.

        What the caller has found out already, as ``known``, is taken over, and the others are sought near it.
        """
        points, masks = self._sorted(hands, leader, cards)
        seat = Seat(leader + len(cards) & 3)
        known = known or {}
        guess = next(iter(known.values()), points // 2)
        side = points - guess if leader & 1 else guess
        found = {}
        for card in cards_in(legal_cards(hands[seat], Trick(Seat(leader), cards), self._trump, seat, self._rules)):
            if card in known:
                found[card] = known[card]
                continue
            masks[4 + len(cards)] = _SORTED_CARD[self._trump][card]
            side = self._narrow(points, masks, side)
            found[card] = points - side if leader & 1 else side
        return found

    def _sorted(self, hands: Sequence[Mask], leader: int, cards: tuple[Card, ...]) -> tuple[int, list[Mask]]:
        """Return the points left and eight sorted masks as `_Reach` takes them."""
        bits, worth = _SORTED_CARD[self._trump], POINTS[self._trump]
        points, held, every = _LAST_TRICK, [], 0
        for place in range(4):
            hand = hands[leader + place & 3]
            if place < len(cards):
                hand |= 1 << cards[place]
            mask = 0
            for card in cards_in(hand):
                mask |= bits[card]
                points += worth[card]
            held.append(mask)
            every |= mask
        count = held[0].bit_count()
        if (
            len(cards) > 3
            or not count
            or any(mask.bit_count() != count for mask in held)
            or every.bit_count() < 4 * count
        ):
            raise ValueError(
                "a position needs as many cards of each seat, at least one, all different, those on the table included"
            )
        return points, [*held, *(bits[card] for card in cards), *held[len(cards) :]]

    def _narrow(self, points: int, masks: list[Mask], guess: int) -> int:
        """Return what the leader's side takes, asked from a guess on."""
        low, high = 0, points
        while low < high:
            goal = max(guess, low + 1)
            guess = self._reach(points, goal, *masks)
            if guess < goal:
                high = guess
            else:
                low = guess
        return low


def _sorted_cards(trump: Suit) -> tuple[Mask, ...]:
    """Return for each card its bit in a sorted mask."""
    bits = [0] * 32
    plain = [suit for suit in Suit if suit != trump]
    for place, suit in enumerate([*plain, trump]):
        for strength, rank in enumerate(TRUMP_ORDER if suit == trump else PLAIN_ORDER):
            bits[make_card(suit, rank)] = 1 << 8 * place + strength
    return tuple(bits)


_SORTED_CARD = tuple(_sorted_cards(trump) for trump in Suit)
_TRUMPS: Mask = 0xFF000000
_LOWEST_TRUMP: Mask = 0x01000000
_SUIT = {1 << bit: 0xFF << (bit & 24) for bit in range(32)}
"""The suit of a sorted card."""
_WORTH = {_SORTED_CARD[0][card]: POINTS[0][card] for card in range(32)}
"""The points of a sorted card; they do not depend on the trump."""
_NEXT_LIKE: Mask = 0x02060606
"""The cards that are worth nothing, as is the one just below: the eight, and the nine of a plain suit."""
_NINES: Mask = 0x00040404


class _Orders(dict[Mask, tuple[Mask, ...]]):
    """The cards of the masks asked for, one bit each, by suit and strength."""

    def __init__(self, *, strongest_first: bool) -> None:
        self._strongest_first = strongest_first

    def __missing__(self, mask: Mask) -> tuple[Mask, ...]:
        self[mask] = order = tuple(sorted((1 << card for card in cards_in(mask)), reverse=self._strongest_first))
        return order


type _Reach = Callable[[int, int, Mask, Mask, Mask, Mask, Mask, Mask, Mask, Mask], int]
"""Points left, goal, the hands from the leader on as the trick began, what each seat may choose from in this trick."""


def _search(undertrump: Undertrump) -> _Reach:  # noqa: C901 (for the reason below)
    """Return a search with a table of its own.

    It is one function of four loops, because a call for each card would take longer than what it does.
    """
    bounds: dict[tuple[Mask, Mask, Mask, Mask], tuple[int, int]] = {}
    strong, weak = _Orders(strongest_first=True), _Orders(strongest_first=False)
    lower_trumps = _TRUMPS if undertrump is Undertrump.MUST else 0
    trumps, lowest_trump, suit_of, worth, next_like, nines = _TRUMPS, _LOWEST_TRUMP, _SUIT, _WORTH, _NEXT_LIKE, _NINES

    def reach(  # noqa: C901
        points: int, goal: int, h0: Mask, h1: Mask, h2: Mask, h3: Mask, m0: Mask, m1: Mask, m2: Mask, m3: Mask
    ) -> int:
        """Ask whether the leader's side takes ``goal``: at least the answer if it does, at most the answer if not."""
        left = h0.bit_count() - 1
        # Of cards that are worth nothing and have none between them, a hand needs to try the lowest only.
        lone_nines = ~((h0 | h1 | h2 | h3) << 1) & nines
        best = -1
        for a in weak[m0 & ~(m0 << 1 & next_like | m0 << 2 & lone_nines)]:
            suit = suit_of[a]
            able = suit | trumps
            trump_led = a >= lowest_trump
            n0 = h0 ^ a
            p0 = worth[a]
            f1, f2, f3 = m1 & suit, m2 & suit, m3 & suit
            may = (f1 & -a or f1 or m1) if trump_led else f1 or m1 & trumps or m1
            if may & may - 1:
                may &= ~(may << 1 & next_like | may << 2 & lone_nines)
            worst = 999
            for b in (strong if may & able > a else weak)[may]:
                b_leads = b & able > a
                top1 = b if b_leads else a
                n1 = h1 ^ b
                p1 = p0 + worth[b]
                if f2:
                    may = (f2 & -top1 or f2) if trump_led else f2
                elif b_leads:
                    ruff = m2 & trumps
                    may = ruff & -top1 or ruff & lower_trumps or m2
                else:
                    may = m2
                if may & may - 1:
                    may &= ~(may << 1 & next_like | may << 2 & lone_nines)
                best2 = -1
                for c in (strong if may & able > top1 or not b_leads else weak)[may]:
                    c_leads = c & able > top1
                    top2 = c if c_leads else top1
                    n2 = h2 ^ c
                    p2 = p1 + worth[c]
                    if f3:
                        may = (f3 & -top2 or f3) if trump_led else f3
                    elif c_leads or not b_leads:
                        ruff = m3 & trumps
                        may = ruff & -top2 or ruff & lower_trumps or m3
                    else:
                        may = m3
                    if may & may - 1:
                        may &= ~(may << 1 & next_like | may << 2 & lone_nines)
                    worst3 = 999
                    for d in (strong if may & able > top2 or (b_leads and not c_leads) else weak)[may]:
                        taken = p2 + worth[d]
                        rest = points - taken
                        if d & able > top2:
                            won, k0, k1, k2, k3 = False, h3 ^ d, n0, n1, n2
                        elif c_leads:
                            won, k0, k1, k2, k3 = True, n2, h3 ^ d, n0, n1
                        elif b_leads:
                            won, k0, k1, k2, k3 = False, n1, n2, h3 ^ d, n0
                        else:
                            won, k0, k1, k2, k3 = True, n0, n1, n2, h3 ^ d
                        # What the side of the next leader takes of the rest.
                        if left == 1:
                            able4 = suit_of[k0] | trumps
                            k1 &= able4
                            k3 &= able4
                            against = k1 if k1 > k3 else k3
                            side = rest if k0 > against or k2 & able4 > against else 0
                        elif left:
                            goal4 = goal - taken if won else rest - goal + 1
                            if goal4 <= 0:
                                side = 0
                            elif goal4 > rest:
                                side = rest
                            else:
                                key = (k0, k1, k2, k3)
                                low, high = bounds.get(key) or (0, rest)
                                if low >= goal4:
                                    side = low
                                elif high < goal4:
                                    side = high
                                else:
                                    side = reach(rest, goal4, k0, k1, k2, k3, k0, k1, k2, k3)
                                    bounds[key] = (low, side) if side < goal4 else (side, high)
                        else:
                            side = rest
                        value = taken + side if won else rest - side
                        if value < worst3:
                            worst3 = value
                            if value < goal:
                                break
                    if worst3 > best2:
                        best2 = worst3
                        if best2 >= goal:
                            break
                if best2 < worst:
                    worst = best2
                    if worst < goal:
                        break
            if worst > best:
                best = worst
                if best >= goal:
                    break
        return best

    return reach
