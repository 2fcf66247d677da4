"""The words of the table in the active language: whole sentences, one for each suit where a language may inflect it.

Rule numbers stand in the sentences. Names of people are put in as they are; templates escape them.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.cards import Suit
from games.engine.errors import Reason, ReasonCode
from games.engine.play import Duty
from games.engine.scoring import Outcome
from games.engine.seats import BySeat, Occupant, Seat, Team
from games.engine.stand_ins import Cause, SeatTakenOver, StandInEvent, TimeRanOut
from games.wire import Fault

# Cards and suits


def card_names() -> tuple[str, ...]:
    """Return the names of the 32 cards, indexed by card."""
    return (
        _("seven of spades"),
        _("eight of spades"),
        _("nine of spades"),
        _("ten of spades"),
        _("jack of spades"),
        _("queen of spades"),
        _("king of spades"),
        _("ace of spades"),
        _("seven of hearts"),
        _("eight of hearts"),
        _("nine of hearts"),
        _("ten of hearts"),
        _("jack of hearts"),
        _("queen of hearts"),
        _("king of hearts"),
        _("ace of hearts"),
        _("seven of diamonds"),
        _("eight of diamonds"),
        _("nine of diamonds"),
        _("ten of diamonds"),
        _("jack of diamonds"),
        _("queen of diamonds"),
        _("king of diamonds"),
        _("ace of diamonds"),
        _("seven of clubs"),
        _("eight of clubs"),
        _("nine of clubs"),
        _("ten of clubs"),
        _("jack of clubs"),
        _("queen of clubs"),
        _("king of clubs"),
        _("ace of clubs"),
    )


def suit_name(suit: Suit) -> str:
    """Return 'spades'."""
    return (
        pgettext("suit", "spades"),
        pgettext("suit", "hearts"),
        pgettext("suit", "diamonds"),
        pgettext("suit", "clubs"),
    )[suit]


# Sides and seats


def sides(viewer: Seat | None) -> tuple[str, str]:
    """Return what us and them are called; a spectator, who sees South at the bottom, has no side."""
    if viewer is None:
        return pgettext("team", "North–South"), pgettext("team", "East–West")
    return pgettext("team", "Us"), pgettext("team", "Them")


def computer(level: Occupant) -> str:
    """Return what a computer is called: 'Computer: Hard'; '' for a person."""
    words = {Occupant.EASY: _("Easy"), Occupant.NORMAL: _("Normal"), Occupant.HARD: _("Hard")}
    return _("Computer: %(level)s") % {"level": words[level]} if level in words else ""


def own_name() -> str:
    """Return what stands for the viewer's own name where a name stands alone."""
    return pgettext("in place of one's own name", "You")


def seat_relation(viewer: Seat | None, seat: Seat) -> str:
    """Return who a seat is to the viewer: 'your partner'; for a spectator 'North'."""
    if viewer is None:
        return (
            pgettext("seat", "North"),
            pgettext("seat", "East"),
            pgettext("seat", "South"),
            pgettext("seat", "West"),
        )[seat]
    if seat is viewer:
        return pgettext("seat", "your seat")
    if seat is viewer.partner:
        return pgettext("seat", "your partner")
    if seat is viewer.left:
        return pgettext("seat", "opponent on your left")
    return pgettext("seat", "opponent on your right")


def match_result(viewer: Seat | None, winner: Team | None) -> str:
    """Return who has won the match; without a winner it is void."""
    if winner is None:
        return _("The match is void")
    if viewer is None:
        return _("North–South win the match") if winner is Team.NORTH_SOUTH else _("East–West win the match")
    return _("You win the match") if winner is viewer.team else _("They win the match")


# The auction


def take_question(suit: Suit) -> str:
    """Return what the seat on turn is asked in the first round."""
    return (
        _("Do you take spades as trump?"),
        _("Do you take hearts as trump?"),
        _("Do you take diamonds as trump?"),
        _("Do you take clubs as trump?"),
    )[suit]


def other_suit_question(turned: Suit) -> str:
    """Return what the seat on turn is asked in the second round."""
    return (
        _("Name a trump suit other than spades, or pass"),
        _("Name a trump suit other than hearts, or pass"),
        _("Name a trump suit other than diamonds, or pass"),
        _("Name a trump suit other than clubs, or pass"),
    )[turned]


def take_button(suit: Suit) -> str:
    """Return the words of the button that takes a suit."""
    return (
        # Translators: "take" in these four is unconfirmed for Bulgarian.
        pgettext("button", "Take spades"),
        pgettext("button", "Take hearts"),
        pgettext("button", "Take diamonds"),
        pgettext("button", "Take clubs"),
    )[suit]


def bid_words(suit: Suit | None) -> str:
    """Return what a seat says in the auction, for its bubble."""
    if suit is None:
        return pgettext("bid", "Pass")
    return (
        pgettext("bid", "Spades"),
        pgettext("bid", "Hearts"),
        pgettext("bid", "Diamonds"),
        pgettext("bid", "Clubs"),
    )[suit]


def bid_line(name: str, suit: Suit | None) -> str:
    """Return a bid as a line of the play log."""
    if suit is None:
        return _("%(name)s: pass") % {"name": name}
    return (
        _("%(name)s takes spades"),
        _("%(name)s takes hearts"),
        _("%(name)s takes diamonds"),
        _("%(name)s takes clubs"),
    )[suit] % {"name": name}


def trump_sentence(trump: Suit | None, name: str) -> str:
    """Return which suit is trump and who took it."""
    if trump is None:
        return _("No trump yet.")
    return (
        _("Trump is spades, taken by %(name)s."),
        _("Trump is hearts, taken by %(name)s."),
        _("Trump is diamonds, taken by %(name)s."),
        _("Trump is clubs, taken by %(name)s."),
    )[trump] % {"name": name}


# A computer that plays for a person


def incident_line(event: StandInEvent, names: BySeat[str]) -> str:
    """Return what befell a seat, and why, as a line of the play log."""
    name = {"name": names[event.seat]}
    match event:
        case TimeRanOut(asked_by=Seat() as other):
            name["other"] = names[other]
            return _("The computer played for %(name)s because %(other)s asked for it") % name
        case TimeRanOut():
            return _("Time ran out: the computer plays for %(name)s") % name
        case SeatTakenOver(cause=Cause.GONE):
            return _("The computer plays for %(name)s, whose connection is lost") % name
        case SeatTakenOver(cause=Cause.IDLE):
            return _("The computer plays for %(name)s, whose time ran out twice") % name
        case SeatTakenOver(cause=Cause.LEFT):
            return _("The computer plays for %(name)s, who has left the table") % name
        case SeatTakenOver():
            return _("The computer plays for %(name)s, whom a moderator has removed") % name
    return _("%(name)s is back and plays again") % name


def play_for_button(name: str) -> str:
    """Return the words of the button that lets the computer make one move for somebody."""
    return _("Let the computer play for %(name)s") % {"name": name}


# The contract


def contract_verdict(outcome: Outcome, trump: Suit, name: str) -> str:
    """Return whether ``name``, who took ``trump``, made the contract."""
    match outcome:
        case Outcome.MADE:
            sentences = (
                _("%(name)s takes spades: contract made"),
                _("%(name)s takes hearts: contract made"),
                _("%(name)s takes diamonds: contract made"),
                _("%(name)s takes clubs: contract made"),
            )
        case Outcome.FAILED:
            sentences = (
                _("%(name)s takes spades: contract failed"),
                _("%(name)s takes hearts: contract failed"),
                _("%(name)s takes diamonds: contract failed"),
                _("%(name)s takes clubs: contract failed"),
            )
        case Outcome.LITIGE:
            # Translators: litige is a tie; the points are held for the winner of a later deal.
            sentences = (
                _("%(name)s takes spades: litige, a tie"),
                _("%(name)s takes hearts: litige, a tie"),
                _("%(name)s takes diamonds: litige, a tie"),
                _("%(name)s takes clubs: litige, a tie"),
            )
    return sentences[trump] % {"name": name}


# Playing


def asked(duty: Duty, led: Suit | None) -> str:
    """Return what the seat on turn has to play; ``led`` is the suit to follow."""
    if duty is Duty.FOLLOW and led is not None:
        return (
            _("Spades led: you must follow"),
            _("Hearts led: you must follow"),
            _("Diamonds led: you must follow"),
            _("Clubs led: you must follow"),
        )[led]
    match duty:
        case Duty.BEAT_TRUMP:
            return _("Trumps led: play a higher one")
        case Duty.FOLLOW_TRUMP:
            return _("Trumps led: you must play one")
        case Duty.PARTNER_WINS:
            return _("Your partner is winning: play any card")
        case Duty.RUFF:
            # Translators: to ruff; the Bulgarian and Croatian words for it are unconfirmed.
            return _("You cannot follow: you must trump")
        case Duty.OVERRUFF:
            return _("You cannot follow: play a higher trump")
        case Duty.UNDERTRUMP:
            return _("You cannot follow: you must trump, even with a lower one")
        case Duty.FREE_OF_UNDERTRUMP:
            return _("You cannot beat the trump: play any card")
        case Duty.DISCARD:
            return _("You have neither the suit led nor a trump: play any card")
    return _("Your turn: lead any card")


def must(duty: Duty, suit: Suit | None) -> str:
    """Return why a card that does not fulfil a duty is refused; ``suit`` is the one to follow."""
    if duty is Duty.FOLLOW and suit is not None:
        return (
            _("You hold spades, so you must follow (R4.2)."),
            _("You hold hearts, so you must follow (R4.2)."),
            _("You hold diamonds, so you must follow (R4.2)."),
            _("You hold clubs, so you must follow (R4.2)."),
        )[suit]
    match duty:
        case Duty.BEAT_TRUMP:
            return _("Trumps are led and you hold a higher one, so you must play it (R4.3).")
        case Duty.FOLLOW_TRUMP:
            return _("Trumps are led, so you must play one (R4.3).")
        case Duty.RUFF:
            # Translators: to ruff; the Bulgarian and Croatian words for it are unconfirmed.
            return _("You cannot follow and an opponent is winning, so you must trump (R4.5).")
        case Duty.OVERRUFF:
            return _("An opponent has trumped and you hold a higher trump, so you must play it (R4.5).")
        case Duty.UNDERTRUMP:
            return _("An opponent has trumped higher than you can, but you must still trump (R4.6).")
    raise ValueError(f"{duty} allows any card")


# Refusals


_DUTIES = {
    ReasonCode.MUST_FOLLOW: Duty.FOLLOW,
    ReasonCode.MUST_BEAT_TRUMP: Duty.BEAT_TRUMP,
    ReasonCode.MUST_FOLLOW_TRUMP: Duty.FOLLOW_TRUMP,
    ReasonCode.MUST_RUFF: Duty.RUFF,
    ReasonCode.MUST_OVERRUFF: Duty.OVERRUFF,
    ReasonCode.MUST_UNDERTRUMP: Duty.UNDERTRUMP,
}


def refusal_text(reason: Reason) -> str:
    """Return why a command was refused."""
    if reason.code in _DUTIES:
        return must(_DUTIES[reason.code], reason.suit)
    refusals = {
        ReasonCode.NOT_STARTED: _("The match has not started yet."),
        ReasonCode.MATCH_OVER: _("The match is over (R7.1)."),
        ReasonCode.NOT_YOUR_TURN: _("It is not your turn (R2.1)."),
        ReasonCode.NO_AUCTION: _("There is no bidding at the moment."),
        ReasonCode.NO_PLAY: _("No card can be played at the moment."),
        ReasonCode.ONLY_TURNED_SUIT: _("In the first round only the suit of the turned card can be taken (R3.1)."),
        ReasonCode.NOT_TURNED_SUIT: _("In the second round the suit of the turned card cannot be taken (R3.2)."),
        ReasonCode.NOT_IN_HAND: _("You do not hold that card."),
        ReasonCode.NO_BELOTE: _("Belote needs the king and the queen of trump in one hand (R5.5)."),
        ReasonCode.NO_SUMMARY: _("That deal is not waiting for you."),
        ReasonCode.ALREADY_SAID: _("You have said so already."),
        ReasonCode.NOT_A_PERSON: _("A computer plays this seat."),
        ReasonCode.STOOD_IN: _("A computer plays for this seat already."),
        ReasonCode.NOT_STOOD_IN: _("No computer plays for this seat."),
        ReasonCode.HAS_LEFT: _("Who has left the match, or was removed from it, cannot come back to it."),
        ReasonCode.NOT_FOR_ONESELF: _("It is your own turn: play yourself."),
    }
    # The other grounds are about the server's own steps, which no seat can ask for.
    return refusals.get(reason.code) or _("Only the server can do that.")


def fault_text(fault: Fault) -> str:
    """Return what is wrong with a message from a browser."""
    match fault:
        case Fault.NOT_JSON | Fault.NOT_AN_OBJECT:
            return _("The table could not read that message.")
        case Fault.UNKNOWN_TYPE:
            return _("The table does not know what was asked.")
        case Fault.BAD_VERSION | Fault.BAD_BEAT:
            return _("The message does not say which position it is about.")
        case Fault.BAD_ACTION_ID:
            return _("The message has no valid number of its own.")
        case Fault.BAD_CARD:
            return _("The message names no card that exists.")
        case Fault.BAD_SUIT:
            return _("The message names no suit that exists.")
        case Fault.BAD_DEAL:
            return _("The message does not say which deal it is about.")
        case Fault.BAD_ANNOUNCE:
            return _("The message does not say clearly whether belote is announced.")
        case Fault.BAD_CONTRIBUTION:
            return _("The message holds no random number for the deal.")
        case Fault.BAD_LINE:
            return _("Say one of the phrases, or write a line that is not empty and not too long.")


def spectator_text() -> str:
    """Return what a spectator is told who tries to play."""
    return _("You are watching this table; only the people who sit at it can play.")


def stale_text() -> str:
    """Return what a command for a position that is over is told."""
    return _("That came too late: the table has moved on.")
