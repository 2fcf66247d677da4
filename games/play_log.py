"""What has happened in this deal: its last trick, and the play log with who was played for and why."""

from __future__ import annotations

from collections import deque
from math import inf

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.engine.auction import Bid
from games.engine.cards import POINTS, Card, Suit
from games.engine.play import Trick, WonTrick
from games.engine.scoring import LAST_TRICK, DealResult
from games.engine.seats import BySeat, ByTeam, Seat
from games.engine.stand_ins import Incident
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
        view.incidents,
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
    incidents: tuple[Incident, ...],
) -> Context:
    """Return ``play_log`` for games/table/play_log.html."""
    log = _Log(reader.names, incidents)
    if dealer is None or turn_up is None:
        log.add_incidents()
        return {"entries": log.entries}
    start = {"number": deal_number, "name": reader.names[dealer], "card": reader.faces()[turn_up].name}
    # Translators: the person who deals; the Thai word is unconfirmed.
    log.add("deal", _("Deal %(number)d. Dealer: %(name)s. Turned card: %(card)s.") % start)
    for bid in bids:
        log.add_move("bid", wording.bid_line(reader.names[bid.seat], bid.suit))
    for count, won in enumerate(tricks, 1):
        _log_cards(reader, won.trick, belote_cards, log)
        if trump is not None:
            points = _worth(won, count, trump)
            wins = ngettext(
                "%(name)s wins the trick: %(count)d point", "%(name)s wins the trick: %(count)d points", points
            )
            log.add("trick", wins % {"name": reader.names[won.winner], "count": points})
    if running is not None:
        _log_cards(reader, running, belote_cards, log)
    if is_broken_off:
        log.add_incidents()
    if result is not None:
        log.add("score", verdict(reader, result, is_broken_off=is_broken_off))
        if result.score is not None:
            log.add("score", _scored(reader, result.score.scores))
    log.add_incidents()
    return {"entries": log.entries}


class _Log:
    """Lines in the order of what they tell: each incident stands before the bid or card that came after it."""

    def __init__(self, names: BySeat[str], incidents: tuple[Incident, ...]) -> None:
        self.entries: list[Context] = []
        self._names = names
        self._incidents = deque(incidents)
        self._moves = 0

    def add(self, kind: str, text: str) -> None:
        self.entries.append({"kind": kind, "text": text})

    def add_move(self, kind: str, text: str) -> None:
        self.add_incidents(self._moves)
        self.add(kind, text)
        self._moves += 1

    def add_incidents(self, moves: float = inf) -> None:
        """Add the incidents that came before so many bids and cards, all that are left unless told."""
        while self._incidents and self._incidents[0].at <= moves:
            self.add("incident", wording.incident_line(self._incidents.popleft().event, self._names))


def _log_cards(reader: Reader, trick: Trick, belote_cards: tuple[Card, ...], log: _Log) -> None:
    faces = reader.faces()
    played = _("%(name)s: %(card)s")
    for seat, card in zip(trick.leader.order(), trick.cards, strict=False):
        name = reader.names[seat]
        log.add_move("card", played % {"name": name, "card": faces[card].name})
        if card in belote_cards:
            said = _("%(name)s: rebelote") if belote_cards.index(card) else _("%(name)s: belote")
            log.add("announcement", said % {"name": name})


def _scored(reader: Reader, scores: ByTeam[int]) -> str:
    us_label, them_label = wording.sides(reader.viewer)
    us, them = reader.both(scores)
    facts = {"us_label": us_label, "us": us, "them_label": them_label, "them": them}
    return _("Scored: %(us_label)s %(us)d, %(them_label)s %(them)d") % facts
