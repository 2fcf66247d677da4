"""What speaks for a card and against it: named features from the own hand and public facts, each with a weight (R9.3).

A value is the sum of the features of a card, each times its weight. It is worked out in one go, feature by feature only
in the reading: playouts ask for it hundreds of thousands of times a second. ``Leading(unit)`` with a weight of one
for a feature and nothing for the others gives that feature alone.

The chance of winning a trick takes each unseen card to lie with each seat that may hold its suit alike and apart from
the others: near enough to tell a sure trick from a risky one, and cheap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.ai.position import BEATS, Position
from games.engine.cards import PLAIN_ORDER, POINTS, SUIT_CARDS, TRUMP_ORDER, Card, Mask, Rank


class FollowFeatures(NamedTuple):
    """One number for each feature of a card on a trick that another seat has led; *chance* is that of the own side
    winning it.

    - ``table_points``, ``card_points``: the points times chance of winning minus chance of losing;
    - ``sure_points``: the points of both when the trick is sure;
    - ``winning``: chance; ``winning_late``: chance, divided by the cards in hand;
    - ``lead_next``: the card wins the trick as it stands, times chance;
    - ``ruff``: it is a trump on a plain lead;
    - ``trump``: it is a trump; ``trump_strength``: its place in the trump order; ``trump_master``: no higher one is
      unseen;
    - ``master``: no higher card of its plain suit is unseen; ``master_ruffable``: the same while an opponent may hold
      trumps;
    - ``second``: one higher card of its plain suit is unseen;
    - ``strength``: its place in the plain order;
    - ``ten_guard``: it is the last guard of a ten whose ace is unseen;
    - ``last_of_suit``: the last of its plain suit while the hand keeps trumps; ``length``: cards left in its plain
      suit.
    """

    table_points: float
    card_points: float
    sure_points: float
    winning: float
    winning_late: float
    lead_next: float
    ruff: float
    trump: float
    trump_strength: float
    trump_master: float
    master: float
    master_ruffable: float
    second: float
    strength: float
    ten_guard: float
    last_of_suit: float
    length: float


class LeadFeatures(NamedTuple):
    """One number for each feature of a card that leads; *chance* is that of the own side winning the trick, *draw* a
    trump lead.

    - ``card_points``, ``winning``, ``winning_late``, ``sure_points``: as in `FollowFeatures`;
    - ``draw``: a trump while an opponent may hold some; ``draw_for_partner``: besides, when the partner took;
      ``draw_with_master``: besides, with the highest one left; ``draw_many``: times the trumps unseen;
      ``draw_strength``: its place in the trump order; ``draw_length``: times the trumps left in hand;
      ``draw_nothing``: a trump while no opponent may hold one;
    - ``master``, ``master_ruffable``, ``second``, ``strength``, ``ten_guard``, ``length``: as in `FollowFeatures`;
    - ``under_ace``: a lower card from the ace of a plain suit; ``from_ten``: from a ten whose ace is unseen;
    - ``singleton``: the last of a plain suit while the hand has trumps;
    - ``partner_ruffs``: the partner is without the plain suit and may hold trumps; ``opponent_ruffs``: an opponent, for
      each;
    - ``unseen``: the unseen cards of the plain suit.
    """

    card_points: float
    sure_points: float
    winning: float
    winning_late: float
    draw: float
    draw_for_partner: float
    draw_with_master: float
    draw_many: float
    draw_strength: float
    draw_length: float
    draw_nothing: float
    master: float
    master_ruffable: float
    second: float
    strength: float
    ten_guard: float
    length: float
    under_ace: float
    from_ten: float
    singleton: float
    partner_ruffs: float
    opponent_ruffs: float
    unseen: float


class Leading:
    """Values cards that lead, with one set of weights."""

    def __init__(self, weights: LeadFeatures) -> None:
        self._weights = weights
        self._plain = lru_cache(_REMEMBERED)(self._plain_keeping)
        self._trump = lru_cache(_REMEMBERED)(self._trump_keeping)

    def values(self, position: Position, hand: Mask, legal: Mask) -> dict[Card, float]:
        """Return what each card of ``legal`` is worth as lead, in points of the deal, for the seat on turn."""
        weights = self._weights
        by_points, by_sure_points, by_winning = weights.card_points, weights.sure_points, weights.winning
        by_winning += weights.winning_late / hand.bit_count()
        trump = position.trump
        seat = position.leader
        unseen = position.unplayed & ~hand
        may_hold = position.may_hold
        left, partner, right = (
            may_hold[seat + 1 & 3] & unseen,
            may_hold[seat ^ 2] & unseen,
            may_hold[seat + 3 & 3] & unseen,
        )
        trumps = SUIT_CARDS[trump]
        left_trumps, partner_trumps, right_trumps = left & trumps, partner & trumps, right & trumps
        miss_trumps = _MISS[(left_trumps > 0) + (partner_trumps > 0) + (right_trumps > 0)]
        left_ruffs = 1.0 - miss_trumps[left_trumps.bit_count()]
        partner_ruffs = 1.0 - miss_trumps[partner_trumps.bit_count()]
        right_ruffs = 1.0 - miss_trumps[right_trumps.bit_count()]
        has_trumps = hand & trumps > 0
        are_out = left_trumps | right_trumps > 0
        worth = POINTS[trump]
        values = {}
        for suit, whole in enumerate(SUIT_CARDS):
            cards = legal & whole
            if not cards:
                continue
            by_left, by_partner, by_right = left & whole, partner & whole, right & whole
            own, out = hand >> 8 * suit & 0xFF, unseen >> 8 * suit & 0xFF
            if suit == trump:
                miss = miss_trumps
                ruff_left = ruff_partner = ruff_right = extra = 0.0
                keeping = self._trump(own, out, are_out, position.taker == seat ^ 2)
            else:
                miss = _MISS[(by_left > 0) + (by_partner > 0) + (by_right > 0)]
                ruff_left = miss[by_left.bit_count()] * left_ruffs
                ruff_partner = miss[by_partner.bit_count()] * partner_ruffs
                ruff_right = miss[by_right.bit_count()] * right_ruffs
                keeping = self._plain(own, out, has_trumps, are_out)
                extra = 0.0
                if not by_partner and partner_trumps:
                    extra = weights.partner_ruffs
                if not by_left and left_trumps:
                    extra += weights.opponent_ruffs
                if not by_right and right_trumps:
                    extra += weights.opponent_ruffs
            while cards:
                bit = cards & -cards
                cards ^= bit
                card = bit.bit_length() - 1
                over = BEATS[trump][suit][card]
                chance = (miss[(over & by_left).bit_count()] - ruff_left) * (
                    miss[(over & by_right).bit_count()] - ruff_right
                )
                points = worth[card]
                value = keeping[card & 7] + extra
                if chance == 1.0:
                    value += by_sure_points * points
                else:
                    chance += (1.0 - chance) * (1.0 - miss[(over & by_partner).bit_count()] + ruff_partner) / 3
                values[card] = value + by_winning * chance + by_points * points * (chance + chance - 1.0)
        return values

    def _plain_keeping(self, own: int, out: int, has_trumps: bool, are_out: bool) -> tuple[float, ...]:
        weights = self._weights
        values = [0.0] * 8
        for rank in _ranks_in(own):
            rest = own ^ 1 << rank
            values[rank] = (
                _plain_value(weights, rank, rest, out, are_out)
                + weights.under_ace * (rest & _ACE > 0)
                + weights.from_ten * (rest & _TEN > 0 and out & _ACE > 0)
                + weights.singleton * (not rest and has_trumps)
                + weights.unseen * out.bit_count()
            )
        return tuple(values)

    def _trump_keeping(self, own: int, out: int, are_out: bool, for_partner: bool) -> tuple[float, ...]:
        weights = self._weights
        values = [0.0] * 8
        for rank in _ranks_in(own):
            values[rank] = weights.draw_strength * _TRUMP_PLACE[rank] + weights.draw_length * (own.bit_count() - 1)
            if are_out:
                values[rank] += (
                    weights.draw
                    + weights.draw_for_partner * for_partner
                    + weights.draw_with_master * (not _TRUMP_HIGHER[rank] & out)
                    + weights.draw_many * out.bit_count()
                )
            else:
                values[rank] += weights.draw_nothing
        return tuple(values)


class Following:
    """Values cards on a trick that has been led, with one set of weights."""

    def __init__(self, weights: FollowFeatures) -> None:
        self._weights = weights
        self._plain = lru_cache(_REMEMBERED)(self._plain_keeping)
        self._trump = lru_cache(_REMEMBERED)(self._trump_keeping)

    def values(self, position: Position, hand: Mask, legal: Mask) -> dict[Card, float]:
        """Return what each card of ``legal`` is worth on the trick, in points of the deal, for the seat on turn."""
        weights = self._weights
        by_table, by_points, by_sure_points = weights.table_points, weights.card_points, weights.sure_points
        by_winning = weights.winning + weights.winning_late / hand.bit_count()
        trump = position.trump
        trumps = SUIT_CARDS[trump]
        cards = position.cards
        count = len(cards)
        seat = position.leader + count & 3
        lead = cards[0] >> 3
        whole = SUIT_CARDS[lead]
        beats = BEATS[trump][lead]
        over_best = beats[cards[position.best]]
        unseen = position.unplayed & ~hand
        may_hold = position.may_hold
        left, partner, right = (
            may_hold[seat + 1 & 3] & unseen,
            may_hold[seat ^ 2] & unseen,
            may_hold[seat + 3 & 3] & unseen,
        )
        by_left, by_partner = left & whole, partner & whole
        left_trumps, partner_trumps = left & trumps, partner & trumps
        are_out = left_trumps | right & trumps > 0
        miss = _MISS[(by_left > 0) + (by_partner > 0) + (right & whole > 0)]
        miss_trumps = _MISS[(left_trumps > 0) + (partner_trumps > 0) + (right & trumps > 0)]
        left_void = partner_void = 0.0
        if lead != trump:
            left_void, partner_void = miss[by_left.bit_count()], miss[by_partner.bit_count()]
        if count == 3:
            chance = 1.0 if position.best == 1 else 0.0
        else:
            beaten = (
                1.0
                - miss[(over_best & by_left).bit_count()]
                + left_void * (1.0 - miss_trumps[(over_best & left_trumps).bit_count()])
            )
            if count == 2:
                chance = 1.0 - beaten if position.best == 0 else 0.0
            else:
                chance = (
                    1.0
                    - miss[(over_best & by_partner).bit_count()]
                    + partner_void * (1.0 - miss_trumps[(over_best & partner_trumps).bit_count()])
                ) * (1.0 - beaten / 2)
        table = position.points
        worth = POINTS[trump]
        has_trumps = hand & trumps > 0
        swing = chance + chance - 1.0
        idle = by_winning * chance + by_table * swing * table
        idle_points = by_points * swing
        if chance == 1.0:
            idle += by_sure_points * table
            idle_points += by_sure_points
        values = {}
        while legal:
            bit = legal & -legal
            legal ^= bit
            card = bit.bit_length() - 1
            suit = card >> 3
            own, out = hand >> 8 * suit & 0xFF, unseen >> 8 * suit & 0xFF
            if suit == trump:
                value = self._trump(own, out, lead != trump)[card & 7]
            else:
                value = self._plain(own, out, has_trumps, are_out)[card & 7]
            points = worth[card]
            if not over_best & bit:
                values[card] = value + idle + idle_points * points
                continue
            over = beats[card]
            chance = 1.0
            if count < 3:
                chance = miss[(over & by_left).bit_count()] - left_void * (
                    1.0 - miss_trumps[(over & left_trumps).bit_count()]
                )
                if count == 1:
                    chance += (
                        (1.0 - chance)
                        * (
                            1.0
                            - miss[(over & by_partner).bit_count()]
                            + partner_void * (1.0 - miss_trumps[(over & partner_trumps).bit_count()])
                        )
                        / 3
                    )
            swing = chance + chance - 1.0
            value += (by_winning + weights.lead_next) * chance + swing * (by_table * table + by_points * points)
            values[card] = value + by_sure_points * (table + points) if chance == 1.0 else value
        return values

    def _plain_keeping(self, own: int, out: int, has_trumps: bool, are_out: bool) -> tuple[float, ...]:
        weights = self._weights
        values = [0.0] * 8
        for rank in _ranks_in(own):
            rest = own ^ 1 << rank
            values[rank] = _plain_value(weights, rank, rest, out, are_out)
            values[rank] += weights.last_of_suit * (not rest and has_trumps)
        return tuple(values)

    def _trump_keeping(self, own: int, out: int, ruffs: bool) -> tuple[float, ...]:
        weights = self._weights
        values = [0.0] * 8
        for rank in _ranks_in(own):
            values[rank] = (
                weights.trump
                + weights.ruff * ruffs
                + weights.trump_strength * _TRUMP_PLACE[rank]
                + weights.trump_master * (not _TRUMP_HIGHER[rank] & out)
            )
        return tuple(values)


def _plain_value(weights: LeadFeatures | FollowFeatures, rank: int, rest: int, out: int, are_out: bool) -> float:
    """Return what a plain card counts for, led or not: ``rest`` are the others of its suit in hand."""
    higher = (_PLAIN_HIGHER[rank] & out).bit_count()
    return (
        weights.master * (not higher)
        + weights.master_ruffable * (not higher and are_out)
        + weights.second * (higher == 1)
        + weights.strength * _PLAIN_PLACE[rank]
        + weights.ten_guard * (rest == _TEN and out & _ACE > 0)
        + weights.length * rest.bit_count()
    )


def _ranks_in(own: int) -> list[int]:
    return [rank for rank in range(8) if own >> rank & 1]


def _higher(order: tuple[Rank, ...]) -> tuple[int, ...]:
    return tuple(sum(1 << other for other in order[order.index(rank) + 1 :]) for rank in Rank)


_REMEMBERED = 2048
_MISS = tuple(tuple((1 - 1 / max(shares, 1)) ** count for count in range(9)) for shares in range(4))
_PLAIN_HIGHER, _TRUMP_HIGHER = _higher(PLAIN_ORDER), _higher(TRUMP_ORDER)
_PLAIN_PLACE = tuple(PLAIN_ORDER.index(rank) / 7 for rank in Rank)
_TRUMP_PLACE = tuple(TRUMP_ORDER.index(rank) / 7 for rank in Rank)
_ACE, _TEN = 1 << Rank.ACE, 1 << Rank.TEN
