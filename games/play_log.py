"""What has happened in this deal: its last trick and the play log."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.engine.auction import Bid
from games.engine.cards import POINTS, Card, Suit
from games.engine.play import Trick, WonTrick
from games.engine.scoring import LAST_TRICK, DealResult
from games.engine.seats import ByTeam, Seat
from games.frame import Context, Frame, Parts, Reader
from games.regions import plays
from games.score_sheet import broken_off, verdict


def last_trick_parts(frame: Frame) -> Parts:
    """Return what the last finished trick is made from."""
    view = frame.view
    return view.tricks[-1] if view.tricks else None, len(view.tricks), view.trump


def last_trick(reader: Reader, won: WonTrick | None, count: int, trump: Suit | None) -> Context:
    """Return ``last_trick`` for games/table/last_trick.html; it is the ``count``-th of the deal."""
    if won is None or trump is None:
        return {"plays": [], "text": ""}
    points = _worth(won, count, trump)
    if won.winner is reader.viewer:
        text = ngettext("You won it: %(count)d point", "You won it: %(count)d points", points)
    else:
        text = ngettext("%(name)s won it: %(count)d point", "%(name)s won it: %(count)d points", points)
    return {
        "plays": list(plays(reader, won.trick, winner=won.winner)),
        "text": text % {"name": reader.names[won.winner], "count": points},
    }


def _worth(won: WonTrick, count: int, trump: Suit) -> int:
    """What the ``count``-th trick of a deal is worth (R1.5)."""
    return sum(POINTS[trump][card] for card in won.trick.cards) + (LAST_TRICK if count == 8 else 0)


def play_log_parts(frame: Frame) -> Parts:
    """Return what the log of the running deal is made from."""
    view = frame.view
    result = view.results[-1] if view.results and view.results[-1].number == view.deal_number else None
    return (
        view.deal_number,
        view.dealer,
        view.turn_up,
        view.bids,
        view.trump,
        view.tricks,
        view.trick,
        view.belote_cards,
        result,
        broken_off(view),
    )


def play_log(
    reader: Reader,
    deal_number: int,
    dealer: Seat | None,
    turn_up: Card | None,
    bids: tuple[Bid, ...],
    trump: Suit | None,
    tricks: tuple[WonTrick, ...],
    running: Trick | None,
    belote_cards: tuple[Card, ...],
    result: DealResult | None,
    is_broken_off: bool,
) -> Context:
    """Return ``play_log`` for games/table/play_log.html."""
    entries: list[Context] = []

    def add(kind: str, text: str) -> None:
        entries.append({"kind": kind, "text": text})

    if dealer is None or turn_up is None:
        return {"entries": entries}
    start = {"number": deal_number, "name": reader.names[dealer], "card": reader.faces()[turn_up].name}
    # Translators: the person who deals; the Thai word is unconfirmed.
    add("deal", _("Deal %(number)d. Dealer: %(name)s. Turned card: %(card)s.") % start)
    for bid in bids:
        add("bid", wording.bid_line(reader.names[bid.seat], bid.suit))
    for count, won in enumerate(tricks, 1):
        _log_cards(reader, won.trick, belote_cards, add)
        if trump is not None:
            points = _worth(won, count, trump)
            wins = ngettext(
                "%(name)s wins the trick: %(count)d point", "%(name)s wins the trick: %(count)d points", points
            )
            add("trick", wins % {"name": reader.names[won.winner], "count": points})
    if running is not None:
        _log_cards(reader, running, belote_cards, add)
    if result is not None:
        add("score", verdict(reader, result, is_broken_off=is_broken_off))
        if result.score is not None:
            add("score", _scored(reader, result.score.scores))
    return {"entries": entries}


def _log_cards(reader: Reader, trick: Trick, belote_cards: tuple[Card, ...], add: Callable[[str, str], None]) -> None:
    faces = reader.faces()
    played = _("%(name)s: %(card)s")
    for seat, card in zip(trick.leader.order(), trick.cards, strict=False):
        name = reader.names[seat]
        add("card", played % {"name": name, "card": faces[card].name})
        if card in belote_cards:
            said = _("%(name)s: rebelote") if belote_cards.index(card) else _("%(name)s: belote")
            add("announcement", said % {"name": name})


def _scored(reader: Reader, scores: ByTeam[int]) -> str:
    us_label, them_label = wording.sides(reader.viewer)
    us, them = reader.both(scores)
    facts = {"us_label": us_label, "us": us, "them_label": them_label, "them": them}
    return _("Scored: %(us_label)s %(us)d, %(them_label)s %(them)d") % facts
