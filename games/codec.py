"""Event ⇄ JSON, versioned. Old logs load forever: a changed event raises `SCHEMA` and adds an upcaster.

An encoded event is ``{"type": name, ...fields}``; cards are text (``JS``), seats and teams are numbers, bytes are
hexadecimal. The schema number is stored beside the payload.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.engine.dealing import Deck
from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    Cause,
    Contributed,
    DealCommitted,
    DealScored,
    DealStarted,
    DealThrownIn,
    Event,
    MatchEnded,
    MatchStarted,
    NextSaid,
    SeatGivenBack,
    SeatTakenOver,
    SeedRevealed,
    TimeRanOut,
)
from games.engine.notation import format_card, format_cards, format_suit, parse_card, parse_deck, parse_suit
from games.engine.rules import BeloteCall, Litige, RuleSet, Undertrump
from games.engine.scoring import DealScore, Outcome
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.stand_ins import StandInEvent

SCHEMA = 1

type Payload = dict[str, Any]

UPCASTERS: Mapping[int, Callable[[Payload], Payload]] = {}
"""From a schema to the next one: ``UPCASTERS[1]`` turns a payload of schema 1 into one of schema 2."""


def encode(event: Event) -> Payload:
    """Return the JSON object of an event, in schema `SCHEMA`."""
    match event:
        case CardPlayed(seat, card, announcement):
            said = {} if announcement is None else {"announcement": str(announcement)}
            return {"type": "card_played", "seat": int(seat), "card": format_card(card)} | said
        case BidMade(seat, suit):
            return {"type": "bid_made", "seat": int(seat), "suit": None if suit is None else format_suit(suit)}
        case MatchStarted(rules, occupants):
            return {"type": "match_started", "rules": encode_rules(rules), "occupants": [str(o) for o in occupants]}
        case DealCommitted(deal, commitment):
            return {"type": "deal_committed", "deal": deal, "commitment": commitment.hex()}
        case Contributed(seat, deal, bits):
            return {"type": "contributed", "seat": int(seat), "deal": deal, "bits": bits.hex()}
        case DealStarted(deal, dealer, deck):
            return {"type": "deal_started", "deal": deal, "dealer": int(dealer), "deck": format_cards(deck)}
        case DealScored(deal, score):
            return {"type": "deal_scored", "deal": deal, "score": _encode_score(score)}
        case DealThrownIn(deal):
            return {"type": "deal_thrown_in", "deal": deal}
        case SeedRevealed(deal, seed):
            return {"type": "seed_revealed", "deal": deal, "seed": seed.hex()}
        case NextSaid(seat, deal):
            return {"type": "next_said", "seat": int(seat), "deal": deal}
        case TimeRanOut() | SeatTakenOver() | SeatGivenBack():
            return _encode_incident(event)
        case MatchEnded(winner, by_moderator):
            ended: Payload = {"by_moderator": True} if by_moderator else {}
            return {"type": "match_ended", "winner": None if winner is None else int(winner)} | ended


def decode(payload: Payload, schema: int = SCHEMA) -> Event:
    """Return the event of a JSON object that was stored in ``schema``.

    It is lenient with logs of its own: what `encode` would write otherwise (``true`` for 1, a further field) passes.

    Raises:
        ValueError: the schema or the type is unknown, a field is missing or does not fit.
    """
    payload = upcast(payload, schema)
    try:
        return _decode(payload)
    except KeyError as missing:
        raise ValueError(f"damaged event {payload.get('type')!r}: {missing} is missing") from missing
    except (TypeError, AttributeError) as error:
        raise ValueError(f"damaged event {payload.get('type')!r}: a field does not fit ({error})") from error


def upcast(payload: Payload, schema: int) -> Payload:
    """Return the JSON object of schema `SCHEMA` that follows from one of ``schema``.

    Raises:
        ValueError: the schema is unknown, or it is no JSON object.
    """
    if not 1 <= schema <= SCHEMA:
        raise ValueError(f"events of schema {schema!r} are not known here; this program reads 1 to {SCHEMA}")
    if not isinstance(payload, dict):
        raise ValueError("an event is a JSON object")
    for step in range(schema, SCHEMA):
        payload = UPCASTERS[step](payload)
    return payload


def _decode(payload: Payload) -> Event:
    match payload["type"]:
        case "card_played":
            word = payload.get("announcement")
            return CardPlayed(
                Seat(payload["seat"]), parse_card(payload["card"]), None if word is None else Announcement(word)
            )
        case "bid_made":
            return BidMade(Seat(payload["seat"]), None if payload["suit"] is None else parse_suit(payload["suit"]))
        case "match_started":
            return MatchStarted(decode_rules(payload["rules"]), BySeat(*map(Occupant, payload["occupants"])))
        case "deal_committed":
            return DealCommitted(payload["deal"], bytes.fromhex(payload["commitment"]))
        case "contributed":
            return Contributed(Seat(payload["seat"]), payload["deal"], bytes.fromhex(payload["bits"]))
        case "deal_started":
            deck: Deck = parse_deck(payload["deck"])
            return DealStarted(payload["deal"], Seat(payload["dealer"]), deck)
        case "deal_scored":
            return DealScored(payload["deal"], _decode_score(payload["score"]))
        case "deal_thrown_in":
            return DealThrownIn(payload["deal"])
        case "seed_revealed":
            return SeedRevealed(payload["deal"], bytes.fromhex(payload["seed"]))
        case "next_said":
            return NextSaid(Seat(payload["seat"]), payload["deal"])
        case "time_ran_out" | "seat_taken_over" | "seat_given_back":
            return _decode_incident(payload)
        case "match_ended":
            return MatchEnded(_decode_team(payload["winner"]), payload.get("by_moderator", False))
    raise ValueError(f"unknown event type {payload['type']!r}")


def encode_rules(rules: RuleSet) -> Payload:
    """Return the JSON object of a rule set."""
    return {
        "version": rules.version,
        "target": rules.target,
        "undertrump": str(rules.undertrump),
        "belote": str(rules.belote),
        "litige": str(rules.litige),
    }


def decode_rules(payload: Payload) -> RuleSet:
    """Return the rule set of a JSON object; errors as in `RuleSet`, and KeyError for a missing option."""
    return RuleSet(
        target=payload["target"],
        undertrump=Undertrump(payload["undertrump"]),
        belote=BeloteCall(payload["belote"]),
        litige=Litige(payload["litige"]),
        version=payload["version"],
    )


def _encode_incident(event: StandInEvent) -> Payload:
    seat = int(event.seat)
    match event:
        case TimeRanOut(asked_by=asked_by):
            return {"type": "time_ran_out", "seat": seat, "asked_by": None if asked_by is None else int(asked_by)}
        case SeatTakenOver(cause=cause):
            return {"type": "seat_taken_over", "seat": seat, "cause": str(cause)}
        case SeatGivenBack():
            return {"type": "seat_given_back", "seat": seat}


def _decode_incident(payload: Payload) -> StandInEvent:
    seat = Seat(payload["seat"])
    match payload["type"]:
        case "time_ran_out":
            return TimeRanOut(seat, None if payload["asked_by"] is None else Seat(payload["asked_by"]))
        case "seat_taken_over":
            return SeatTakenOver(seat, Cause(payload["cause"]))
    return SeatGivenBack(seat)


def _encode_score(score: DealScore) -> Payload:
    return {
        "outcome": str(score.outcome),
        "taker_team": int(score.taker_team),
        "capot": None if score.capot is None else int(score.capot),
        "belote_team": None if score.belote_team is None else int(score.belote_team),
        "last_trick_team": int(score.last_trick_team),
        "trick_points": list(score.trick_points),
        "judged": list(score.judged),
        "scores": list(score.scores),
        "held_in": score.held_in,
        "held_out": score.held_out,
        "held_paid_to": None if score.held_paid_to is None else int(score.held_paid_to),
    }


def _decode_score(payload: Payload) -> DealScore:
    return DealScore(
        outcome=Outcome(payload["outcome"]),
        taker_team=Team(payload["taker_team"]),
        capot=_decode_team(payload["capot"]),
        belote_team=_decode_team(payload["belote_team"]),
        last_trick_team=Team(payload["last_trick_team"]),
        trick_points=ByTeam(*payload["trick_points"]),
        judged=ByTeam(*payload["judged"]),
        scores=ByTeam(*payload["scores"]),
        held_in=payload["held_in"],
        held_out=payload["held_out"],
        held_paid_to=_decode_team(payload["held_paid_to"]),
    )


def _decode_team(value: int | None) -> Team | None:
    return None if value is None else Team(value)
