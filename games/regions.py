"""The felt, the hand and the lines around them: what each is made from, and the context of its template.

A ``…_parts`` function says what a region is made from; the context is a function of the reader and those parts alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import wording
from games.engine.auction import bidding_round
from games.engine.cards import Card, Mask, Suit, suit_of
from games.engine.notation import format_suit
from games.engine.play import Duty, Trick, WonTrick, trick_winner
from games.engine.rules import Phase
from games.engine.seats import ByTeam, Occupant, Seat, Team
from games.engine.view import TableView
from games.fair_deal import in_groups
from games.frame import SUIT_CLASSES, Context, Frame, Parts, Reader, in_hand_order


def is_on_turn(view: TableView, seat: Seat) -> bool:
    """Tell whether everybody waits for a seat to bid, to play or to say next."""
    if view.phase is Phase.SUMMARY:
        return view.is_played_by_person(seat) and seat not in view.next_said
    return view.turn is seat


def is_asked(view: TableView) -> bool:
    """Tell whether the viewer has to bid, to play or to say next."""
    return view.viewer is not None and not is_stood_in(view) and is_on_turn(view, view.viewer)


def is_stood_in(view: TableView) -> bool:
    """Tell whether a computer plays for the viewer."""
    return view.viewer is not None and view.stand_ins[view.viewer] is not None


def trick_shown(view: TableView) -> WonTrick | Trick | None:
    """The running trick; a finished one until the next card is led; None before the first lead."""
    if view.trick is not None and view.trick.cards:
        return view.trick
    return view.tricks[-1] if view.tricks else None


# Scores, trump and taker


def topbar_parts(frame: Frame) -> Parts:
    """Return what the scores and the contract are made from."""
    view = frame.view
    return view.totals, view.held, view.trump, view.taker


def topbar(reader: Reader, totals: ByTeam[int], held: int, trump: Suit | None, taker: Seat | None) -> Context:
    """Return ``topbar`` for games/table/topbar.html."""
    us_label, them_label = wording.sides(reader.viewer)
    us, them = reader.both(totals)
    name = "" if taker is None else reader.names[taker]
    return {
        "us": us,
        "them": them,
        "us_label": us_label,
        "them_label": them_label,
        "target": reader.rules.target,
        "held": held,
        # Translators: points held after a tie for the winner of a later deal; unconfirmed in Estonian.
        "held_text": _("Held: %(points)d") % {"points": held} if held else "",
        "trump": "" if trump is None else SUIT_CLASSES[trump],
        "taker": "" if taker is None else reader.name_alone(taker),
        "taker_team": "" if taker is None else reader.side(taker.team),
        "trump_text": wording.trump_sentence(trump, name),
    }


# The felt


def felt_parts(frame: Frame) -> Parts:
    """Return what the felt is made from."""
    view = frame.view
    seal = view.commitment if view.phase is Phase.COMMITTED else b""
    return (view.turn_up, None, None, seal) if view.trump is None else (None, trick_shown(view), view.trump, seal)


def felt(
    reader: Reader, turn_up: Card | None, shown: WonTrick | Trick | None, trump: Suit | None, seal: bytes
) -> Context:
    """Return ``felt`` for games/table/felt.html."""
    felt: Context = {"label": "", "turn_up": None, "plays": [], "is_finished": False, "winner_text": "", "seal": ""}
    if seal:
        felt.update(label=_("The commitment to the next deal"), seal=in_groups(seal))
    elif turn_up is not None:
        felt.update(label=_("The turned card"), turn_up=reader.faces()[turn_up])
    elif isinstance(shown, WonTrick):
        cards = list(plays(reader, shown.trick, winner=shown.winner))
        felt.update(label=_("The finished trick"), plays=cards, is_finished=True)
        felt.update(winner_text=_wins_trick(reader, shown.winner))
    else:
        felt.update(label=_("The trick"))
        if shown is not None and trump is not None:
            felt.update(plays=list(plays(reader, shown, best=trick_winner(shown, trump))))
    return felt


def plays(reader: Reader, trick: Trick, *, winner: Seat | None = None, best: Seat | None = None) -> Iterator[Context]:
    """Yield the cards of a trick in the order played."""
    faces = reader.faces()
    for seat, card in zip(trick.leader.order(), trick.cards, strict=False):
        yield {
            "position": reader.position(seat),
            "name": reader.name_alone(seat),
            "card": faces[card],
            "is_winner": seat is winner,
            "is_best": seat is best,
        }


def _wins_trick(reader: Reader, winner: Seat) -> str:
    if winner is reader.viewer:
        return _("You win the trick")
    return _("%(name)s wins the trick") % {"name": reader.names[winner]}


# One's own hand


def _suit_to_follow(view: TableView) -> Suit | None:
    return suit_of(view.trick.cards[0]) if view.duty is Duty.FOLLOW and view.trick is not None else None


def hand_parts(frame: Frame) -> Parts:
    """Return what one's own hand is made from."""
    view = frame.view
    stood_in = is_stood_in(view)
    legal = 0 if stood_in else view.legal
    return view.phase, view.hand, view.trump, legal, view.duty, _suit_to_follow(view), stood_in


def hand(
    reader: Reader,
    phase: Phase,
    hand: Mask,
    trump: Suit | None,
    legal: Mask,
    duty: Duty | None,
    led: Suit | None,
    stood_in: bool,
) -> Context:
    """Return ``hand`` for games/table/hand.html."""
    state, reason = "illegal", ""
    if not legal:
        state, reason = "waiting", _why_waiting(phase, stood_in=stood_in)
    elif legal != hand and duty is not None:
        reason = wording.must(duty, led)
    faces = reader.faces()
    cards = in_hand_order(hand, trump, weakest_first=reader.reading.weakest_first)
    return {
        "label": _("Your hand"),
        "cards": [
            {"card": faces[card], "key": key, "state": "legal", "reason": ""}
            if legal >> card & 1
            else {"card": faces[card], "key": key, "state": state, "reason": reason}
            for key, card in enumerate(cards, 1)
        ],
    }


def _why_waiting(phase: Phase, *, stood_in: bool) -> str:
    if phase is Phase.OVER:
        return _("The match is over (R7.1).")
    if stood_in:
        return _("A computer plays for you: press “I am back” first.")
    if phase is Phase.AUCTION:
        return _("Cards are played when somebody has taken (R3.3).")
    return _("It is not your turn (R2.1).")


# What is going on, and what one may do


def status_parts(frame: Frame) -> Parts:
    """Return what the status line is made from."""
    view = frame.view
    return (
        view.phase,
        view.turn,
        is_asked(view),
        is_stood_in(view),
        suit_of(view.turn_up) if view.turn_up is not None else None,
        bidding_round(view.bids),
        view.duty,
        _suit_to_follow(view),
        view.winner,
    )


def status(
    reader: Reader,
    phase: Phase,
    turn: Seat | None,
    is_my_turn: bool,
    stood_in: bool,
    turned: Suit | None,
    auction_round: int,
    duty: Duty | None,
    led: Suit | None,
    winner: Team | None,
) -> Context:
    """Return ``status`` for games/table/status.html."""
    if stood_in and phase is not Phase.OVER:
        return {"text": _("A computer plays for you"), "is_my_turn": False}
    name = {"name": "" if turn is None else reader.names[turn]}
    match phase:
        case Phase.AUCTION:
            if not is_my_turn or turned is None:
                text = _("%(name)s to bid") % name
            else:
                text = wording.take_question(turned) if auction_round == 1 else wording.other_suit_question(turned)
        case Phase.PLAY:
            text = _("%(name)s to play") % name if duty is None else wording.asked(duty, led)
        case Phase.SUMMARY:
            if is_my_turn:
                text = _("Press Next deal when you are ready")
            else:
                text = _("The next deal starts when everybody is ready")
        case Phase.OVER:
            text = wording.match_result(reader.viewer, winner)
        case Phase.BETWEEN_DEALS | Phase.COMMITTED:
            text = _("The cards are being dealt")
    return {"text": text, "is_my_turn": is_my_turn}


def actions_parts(frame: Frame) -> Parts:
    """Return what the buttons are made from."""
    view = frame.view
    stood_in = is_stood_in(view)
    is_person = view.viewer is not None and view.occupants[view.viewer] is Occupant.PERSON
    is_summed_up = view.phase is Phase.SUMMARY and not stood_in
    return (
        view.phase,
        () if stood_in else view.legal_bids,
        is_summed_up and is_person,
        is_summed_up and view.viewer in view.next_said,
        bool(view.may_announce) and not stood_in,
        view.belote_seat is not None,
        _may_come_back(view),
        frame.may_ask_for,
    )


def _may_come_back(view: TableView) -> bool:
    seat = view.viewer
    if seat is None or view.phase is Phase.OVER:
        return False
    cause = view.stand_ins[seat]
    return cause is not None and not cause.is_final


def actions(
    reader: Reader,
    phase: Phase,
    legal_bids: tuple[Suit | None, ...],
    asks_next: bool,
    said_next: bool,
    may_announce: bool,
    is_belote_said: bool,
    may_come_back: bool,
    may_ask_for: Seat | None,
) -> Context:
    """Return ``actions`` for games/table/actions.html."""
    # Passing stands last, where it has stood in the round before.
    buttons = [_bid_button(suit) for suit in sorted(legal_bids, key=lambda suit: (suit is None, suit or 0))]
    if asks_next:
        buttons.append(_button("next", _("Next deal"), is_primary=True, is_waiting=said_next))
    if may_come_back:
        buttons.append(_button("back", pgettext("button", "I am back"), is_primary=True))
    if may_ask_for is not None:
        buttons.append(_button("play_for", wording.play_for_button(reader.names[may_ask_for])))
    plays_again = phase is Phase.OVER and reader.viewer is not None
    announcement = _("Say “rebelote”") if is_belote_said else _("Say “belote”")
    return {
        "label": _("Your bid") if legal_bids else "",
        "buttons": buttons,
        "announce": may_announce,
        "announce_label": announcement if may_announce else "",
        "play_again": plays_again,
        "play_again_label": _("Play again") if plays_again else "",
        "replay_label": _("Watch the replay") if phase is Phase.OVER else "",
    }


def _bid_button(suit: Suit | None) -> Context:
    if suit is None:
        return _button("pass", pgettext("button", "Pass"))
    return _button("take", wording.take_button(suit), suit=SUIT_CLASSES[suit], suit_code=format_suit(suit))


def _button(
    command: str, label: str, suit: str = "", suit_code: str = "", *, is_primary: bool = False, is_waiting: bool = False
) -> Context:
    return {
        "command": command,
        "suit": suit,
        "suit_code": suit_code,
        "label": label,
        "is_primary": is_primary,
        "is_waiting": is_waiting,
    }


# Who looks on


def watchers_parts(frame: Frame) -> Parts:
    """Return what the line about spectators is made from."""
    return frame.watchers, frame.watchers_more, frame.visitors


def watchers(reader: Reader, names: tuple[str, ...], more: int, visitors: int) -> Context:
    """Return ``watchers`` for games/table/watchers.html."""
    comma = pgettext("between the items of a list", ", ")
    listed = list(names)
    if visitors and not more:
        listed.append(ngettext("%(count)d visitor", "%(count)d visitors", visitors) % {"count": visitors})
    text = comma.join(listed)
    if more:
        text = ngettext("%(names)s and %(count)d more", "%(names)s and %(count)d more", more + visitors) % {
            "names": text,
            "count": more + visitors,
        }
    return {"count": len(names) + more + visitors, "names": text}
