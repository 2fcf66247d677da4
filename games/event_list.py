"""The events of a match as sentences, one each, made from what everybody may know of them and from nothing else."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import wording
from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    Contributed,
    DealCommitted,
    DealScored,
    DealThrownIn,
    MatchEnded,
    MatchStarted,
    NextSaid,
    SeatGivenBack,
    SeatTakenOver,
    SeedRevealed,
    TimeRanOut,
)
from games.engine.seats import BySeat, Seat
from games.engine.view import DealOpened, PublicEvent


def sentence(event: PublicEvent, names: BySeat[str]) -> str:
    """Return what happened, in the active language."""
    match event:
        case CardPlayed(seat, card, announcement):
            return _card_played(names[seat], wording.card_names()[card], announcement)
        case BidMade(seat, suit):
            return wording.bid_line(names[seat], suit)
        case Contributed(seat, deal, _bits):
            return _("%(name)s adds a random number to deal %(number)d") % {"name": names[seat], "number": deal}
        case NextSaid(seat, _deal):
            return _("%(name)s is ready for the next deal") % {"name": names[seat]}
        case TimeRanOut() | SeatTakenOver() | SeatGivenBack():
            return wording.incident_line(event, names)
        case MatchStarted(rules, _occupants):
            return _("The match starts and goes to %(target)d points") % {"target": rules.target}
        case MatchEnded(winner):
            return wording.match_result(None, winner)
    return _of_the_deal(event, names)


def seat_of(event: PublicEvent) -> Seat | None:
    """Return the seat that did it, or whom it befell; None when it is the whole table's."""
    match event:
        case CardPlayed() | BidMade() | Contributed() | NextSaid() | TimeRanOut() | SeatTakenOver() | SeatGivenBack():
            return event.seat
    return None


def _card_played(name: str, card: str, announcement: Announcement | None) -> str:
    if announcement is Announcement.BELOTE:
        played = _("%(name)s: %(card)s, and belote")
    elif announcement is Announcement.REBELOTE:
        played = _("%(name)s: %(card)s, and rebelote")
    else:
        played = _("%(name)s: %(card)s")
    return played % {"name": name, "card": card}


def _of_the_deal(
    event: DealCommitted | DealOpened | DealScored | DealThrownIn | SeedRevealed, names: BySeat[str]
) -> str:
    match event:
        case DealCommitted(deal, _commitment):
            return _("Deal %(number)d: the server shows its commitment") % {"number": deal}
        case DealOpened(deal, dealer, turn_up):
            start = {"number": deal, "name": names[dealer], "card": wording.card_names()[turn_up]}
            # Translators: the person who deals; the Thai word is unconfirmed.
            return _("Deal %(number)d. Dealer: %(name)s. Turned card: %(card)s.") % start
        case DealScored(deal, score):
            us_label, them_label = wording.sides(None)
            us, them = score.scores
            facts = {"number": deal, "us_label": us_label, "us": us, "them_label": them_label, "them": them}
            return _("Deal %(number)d scored: %(us_label)s %(us)d, %(them_label)s %(them)d") % facts
        case DealThrownIn():
            return _("All passed twice: the deal is thrown in")
        case SeedRevealed(deal, _seed):
            return _("Deal %(number)d: its secret is published") % {"number": deal}
