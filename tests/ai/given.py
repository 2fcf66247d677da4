"""What the tests of the computer players start from: views of positions that are written in notation."""

from __future__ import annotations

from games.ai.normal import Normal
from games.ai.weights import load_weights
from games.engine.auction import Bid, legal_bids
from games.engine.cards import cards_in
from games.engine.commands import PlayCard
from games.engine.notation import format_card, parse_card, parse_hand, parse_suit, parse_trick
from games.engine.play import WonTrick, announceable, duty, legal_cards, trick_winner
from games.engine.rules import BeloteCall, Phase, RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat
from games.engine.view import TableView

N, E, S, W = Seat
NORMAL = Normal(load_weights())


def playing(
    hand: str,
    trick: str,
    trump: str = "S",
    taker: Seat = N,
    tricks: tuple[str, ...] = (),
    rules: RuleSet | None = None,
) -> TableView:
    """Return the view of the seat that is next to play on ``trick``; its hand lies in ``hand``.

    The turned card, which matters to nobody here, is taken to be one of the seat's own.
    """
    rules = rules or RuleSet()
    running = parse_trick(trick)
    seat, suit, held = running.next_seat, parse_suit(trump), parse_hand(hand)
    won = tuple(WonTrick(done, trick_winner(done, suit)) for done in map(parse_trick, tricks))
    dealer = (won[0].trick if won else running).leader.right
    legal = legal_cards(held, running, suit, seat, rules)
    ahead = [running.leader.after(place) for place in range(len(running.cards))]
    return _view(
        seat,
        hand,
        rules,
        phase=Phase.PLAY,
        dealer=dealer,
        card_counts=BySeat(*[held.bit_count() - (other in ahead) for other in Seat]),
        turn_up=next(cards_in(held)),
        bids=(Bid(taker, suit),),
        taker=taker,
        trump=suit,
        trick=running,
        tricks=won,
        legal=legal,
        may_announce=announceable(held, suit, seat, None) & legal if rules.belote is BeloteCall.MANUAL else 0,
        duty=duty(held, running, suit, seat, rules),
    )


def bidding(hand: str, turn_up: str, passes: int = 0) -> TableView:
    """Return the view of the seat that has to bid after so many have passed; North dealt."""
    card = parse_card(turn_up)
    bids = tuple(Bid(E.after(place), None) for place in range(passes))
    return _view(
        E.after(passes),
        hand,
        RuleSet(),
        phase=Phase.AUCTION,
        dealer=N,
        turn_up=card,
        bids=bids,
        legal_bids=legal_bids(bids, card),
    )


def played(view: TableView) -> str:
    """Return the card that normal plays."""
    answer = NORMAL.choose(view)
    assert isinstance(answer, PlayCard)
    return format_card(answer.card)


def _view(seat: Seat, hand: str, rules: RuleSet, **fields: object) -> TableView:
    nothing: dict[str, object] = {
        "viewer": seat,
        "version": 4,
        "rules": rules,
        "occupants": BySeat(*[Occupant.NORMAL] * 4),
        "phase": Phase.PLAY,
        "deal_number": 1,
        "commitment": bytes(32),
        "contributions": BySeat(None, None, None, None),
        "dealer": None,
        "turn": seat,
        "hand": parse_hand(hand),
        "card_counts": BySeat(*[len(hand.split())] * 4),
        "turn_up": None,
        "bids": (),
        "taker": None,
        "trump": None,
        "trick": None,
        "tricks": (),
        "card_points": ByTeam(0, 0),
        "belote_seat": None,
        "belote_cards": (),
        "legal_bids": (),
        "legal": 0,
        "may_announce": 0,
        "duty": None,
        "totals": ByTeam(0, 0),
        "held": 0,
        "results": (),
        "next_said": frozenset(),
        "winner": None,
        "stand_ins": BySeat(None, None, None, None),
        "incidents": (),
        "ended_by_moderator": False,
    }
    return TableView(**(nothing | fields))  # type: ignore[arg-type]
