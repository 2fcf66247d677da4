"""Whoever changes a record is found out, at the right place: with the chain as it was, and with a chain made anew."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import Settings

from games import archive
from games.archive import Validity
from games.engine.rules import Phase
from games.models import Match
from games.record import Record
from games.verification import verify
from tests.records.given import changed, first_difference, rechained, stored
from tests.records.mutations import (
    Change,
    add,
    cut,
    cut_in_the_middle,
    cut_the_last,
    double,
    drop,
    drop_announcement,
    drop_member,
    each,
    exchange,
    exchange_legal_discards,
    flipped,
    more,
    move,
    new_schema,
    other_seed,
    other_suit,
    put,
    revoke,
    short_seed,
    swapped,
    take_the_turned_suit,
    turned,
    with_a_card_twice,
)
from tests.services.given import new_table, play_on

LEGAL = ""
"""Nothing in the record speaks against it: only the chain, and what is known of the match, do."""

MUTATIONS: dict[str, tuple[Change, str]] = {
    # the shuffle
    "two cards of the first deck exchanged": (
        put("deal_started", 0, "deck", swapped),
        "event 4, deal 1: the deck does not follow from the seed in event 269",
    ),
    "two cards of the last deck exchanged": (
        put("deal_started", -1, "deck", swapped),
        "event 227, deal 7: the deck does not follow from the seed in event 273",
    ),
    "a deck cut": (
        put("deal_started", 1, "deck", turned),
        "event 54, deal 2: the deck does not follow from the seed in event 95",
    ),
    "a card missing from a deck": (
        put("deal_started", 1, "deck", cut),
        "event 54, deal 2: a deck has 32 cards, not 31",
    ),
    "a card twice in a deck": (
        put("deal_started", 1, "deck", with_a_card_twice),
        "event 54, deal 2: a card stands twice",
    ),
    "the first dealer changed": (
        put("deal_started", 0, "dealer", lambda seat: (seat + 1) % 4),
        "event 4, deal 1: the first dealer that follows from the seed in event 269 and the contributions is East",
    ),
    "the dealer of another deal changed": (
        put("deal_started", 2, "dealer", lambda seat: (seat + 1) % 4),
        "event 97, deal 3: dealer is 0 where the rules give 3",
    ),
    "the number of a deal changed": (
        put("deal_started", 1, "deal", more),
        "event 54, deal 2: deal is 3 where the rules give 2",
    ),
    "a bit of a seed turned": (
        put("seed_revealed", 0, "seed", flipped),
        "event 95, deal 2: the SHA-256 of the seed is not the commitment of its deal",
    ),
    "a bit of the last seed turned": (
        put("seed_revealed", -1, "seed", flipped),
        "event 273, deal 7: the SHA-256 of the seed is not the commitment of its deal",
    ),
    "a bit of a commitment turned": (
        put("deal_committed", 1, "commitment", flipped),
        "event 51, deal 2: the commitment is not the SHA-256 of the seed in event 95",
    ),
    "seed and commitment of another deck": (
        other_seed,
        "event 227, deal 7: the deck does not follow from the seed in event 273",
    ),
    "a seed with its commitment, too short": (short_seed, "event 95, deal 2: the seed has 31 bytes, not 32"),
    "a seed revealed before the score": (
        move("seed_revealed", 0, -3),
        "event 92, deal 2, trick 8: no deal waits for its seed to be published here",
    ),
    "a seed revealed twice": (
        double("seed_revealed", 1),
        "event 135, deal 3: no deal waits for its seed to be published here",
    ),
    "a seed missing": (
        drop("seed_revealed", 0),
        "event 272, deal 7: the record ends, and the seeds of these deals are not in it: 2",
    ),
    "the seed of another deal": (
        put("seed_revealed", 0, "deal", more),
        "event 95, deal 2: no deal waits for its seed to be published here",
    ),
    "a commitment missing": (drop("deal_committed", 1), "event 51, deal 1: no deal is open for contributions here"),
    "a commitment of 31 bytes": (
        put("deal_committed", 1, "commitment", lambda text: text[2:]),
        "event 51, deal 2: a commitment has 32 bytes",
    ),
    "a contribution altered": (
        put("contributed", 0, "bits", flipped),
        "event 4, deal 1: the deck does not follow from the seed in event 269",
    ),
    "a contribution missing": (
        drop("contributed", 1),
        "event 53, deal 2: the deck does not follow from the seed in event 94",
    ),
    "a contribution by somebody else": (
        put("contributed", 0, "seat", lambda seat: 2 - seat),
        "event 4, deal 1: the deck does not follow from the seed in event 269",
    ),
    "a contribution twice": (
        double("contributed", 0),
        "event 4, deal 1: this seat has contributed to the deal already",
    ),
    "a contribution after the cards": (
        move("contributed", -1, 1),
        "event 137, deal 4, auction: no deal is open for contributions here",
    ),
    "a contribution of 15 bytes": (
        put("contributed", 0, "bits", lambda text: text[2:]),
        "event 3, deal 1: a contribution has 16 bytes",
    ),
    "a contribution of a computer": (put("contributed", 0, "seat", 1), "event 3, deal 1: a computer plays this seat"),
    # the auction
    "a pass made a take": (take_the_turned_suit, "event 6, deal 1, trick 1: West: there is no bidding here"),
    "another suit taken": (
        put("bid_made", -1, "suit", other_suit),
        "event 234, deal 7, auction: South: in the second round the turned suit cannot be taken (R3.2)",
    ),
    "the taker passes": (
        put("bid_made", -1, "suit", None),
        "event 235, deal 7, auction: North: no card can be played here",
    ),
    "a bid missing": (drop("bid_made", 0), "event 5, deal 1, auction: West moves, and South is on turn (R2.1)"),
    "a bid twice": (double("bid_made", 0), "event 6, deal 1, auction: South moves, and West is on turn (R2.1)"),
    "a bid by another seat": (
        put("bid_made", 0, "seat", lambda seat: (seat + 1) % 4),
        "event 5, deal 1, auction: West moves, and South is on turn (R2.1)",
    ),
    "a deal thrown in that was not": (
        add("bid_made", 0, {"type": "deal_thrown_in", "deal": 1}),
        "event 5, deal 1, auction: a deal is thrown in although",
    ),
    # the cards
    "a card that another seat holds": (
        exchange("card", ("card_played", 0), ("card_played", 1)),
        "event 9, deal 1, trick 1: South plays TS, which it does not hold",
    ),
    "two legal discards exchanged": (exchange_legal_discards, LEGAL),
    "a revoke": (revoke, "event 10, deal 1, trick 1: West plays 8C and may play only TS: spades were led (R4.2)"),
    "a card missing": (drop("card_played", 9), "event 22, deal 1, trick 3: West moves, and South is on turn (R2.1)"),
    "the last card missing": (
        drop("card_played", 31),
        "event 46, deal 1, trick 8: a deal is scored that has not been played out",
    ),
    "a card twice": (double("card_played", 9), "event 23, deal 1, trick 3: South moves, and West is on turn (R2.1)"),
    "two cards played in the other order": (
        move("card_played", 10, 1),
        "event 23, deal 1, trick 3: North moves, and West is on turn (R2.1)",
    ),
    "a card by another seat": (
        put("card_played", 9, "seat", lambda seat: (seat + 1) % 4),
        "event 22, deal 1, trick 3: West moves, and South is on turn (R2.1)",
    ),
    # belote
    "a belote taken away": (
        drop_announcement,
        'event 87, deal 2, trick 7: announcement is missing where the rules give "belote"',
    ),
    "a belote that is none": (
        put("card_played", 0, "announcement", "belote"),
        "event 9, deal 1, trick 1: South: belote and rebelote",
    ),
    "a rebelote before the belote": (
        put("card_played", 0, "announcement", "rebelote", announcement="belote"),
        'event 87, deal 2, trick 7: announcement is "rebelote" where the rules give "belote"',
    ),
    # the score
    "a score one too high": (
        put("deal_scored", 0, "score.scores.0", more),
        "event 47, deal 1, score: score.scores.0 is 1 where the rules give 0",
    ),
    "trick points one too high": (
        put("deal_scored", -1, "score.trick_points.1", more),
        "event 267, deal 7, score: score.trick_points.1 is 51 where the rules give 50",
    ),
    "points held": (
        put("deal_scored", 0, "score.held_out", more),
        "event 47, deal 1, score: score.held_out is 1 where the rules give 0",
    ),
    "a contract made that failed": (
        put("deal_scored", 0, "score.outcome", lambda was: "made" if was == "failed" else "failed"),
        'event 47, deal 1, score: score.outcome is "made" where the rules give "failed"',
    ),
    "the taker on the other side": (
        put("deal_scored", 0, "score.taker_team", lambda team: 1 - team),
        "event 47, deal 1, score: score.taker_team is 1 where the rules give 0",
    ),
    "a score missing": (
        drop("deal_scored", 0),
        "event 47, deal 1, score: seat_given_back stands where the rules give deal_scored",
    ),
    "a score twice": (double("deal_scored", 0), "event 48, deal 1: a deal is scored that has not been played out"),
    "a score of the next deal": (
        put("deal_scored", 0, "deal", more),
        "event 47, deal 1, score: deal is 2 where the rules give 1",
    ),
    "another winner": (
        put("match_ended", 0, "winner", lambda team: 1 - team),
        "event 268, deal 7: winner is 1 where the rules give 0",
    ),
    "a match that was won made void": (
        put("match_ended", 0, "winner", None),
        "event 268, deal 7: winner is null where the rules give 0",
    ),
    "an end by a moderator that was none": (
        put("match_ended", 0, "by_moderator", True),
        "event 268, deal 7: by_moderator is true where the rules give none",
    ),
    "an end that is said not to be by a moderator": (
        put("match_ended", 0, "by_moderator", False),
        "event 268, deal 7: by_moderator is false where the rules give none",
    ),
    "the end missing": (
        drop("match_ended", 0),
        "event 268, deal 7: seed_revealed stands where the rules give match_ended",
    ),
    "the match ended too early": (
        add("bid_made", -1, {"type": "match_ended", "winner": 0}),
        "event 234, deal 7, auction: the match is won although no side",
    ),
    "broken off in the middle": (
        add("bid_made", -1, {"type": "match_ended", "winner": None}),
        "event 235, deal 7: South: the match is over (R7.1)",
    ),
    "the last event cut off": (
        cut_the_last,
        "event 272, deal 7: the record ends, and the seeds of these deals are not in it: 7",
    ),
    "the second half cut off": (cut_in_the_middle, "event 136, deal 4: the record ends, and the match is not over"),
    # rules and seats
    "another target": (
        put("match_started", 0, "rules.target", 701),
        "event 268, deal 7: the match is won although no side",
    ),
    "a target that is none": (
        put("match_started", 0, "rules.target", 500),
        "event 1: target must be one of (501, 701, 1000, 1500, 2000), not 500",
    ),
    "another rule for undertrumping": (put("match_started", 0, "rules.undertrump", "may"), LEGAL),
    "belote by hand": (put("match_started", 0, "rules.belote", "manual"), LEGAL),
    "another rule for equal points": (put("match_started", 0, "rules.litige", "fail"), LEGAL),
    "another version of the rules": (
        put("match_started", 0, "rules.version", "1.0.1"),
        "event 1: unknown rules version '1.0.1'; this engine plays 1.0.0",
    ),
    "a person made a computer": (
        put("match_started", 0, "occupants", each("person", "hard")),
        "event 3, deal 1: a computer plays this seat",
    ),
    "a computer of another level": (put("match_started", 0, "occupants", each("easy", "hard")), LEGAL),
    "a computer made a person": (put("match_started", 0, "occupants", each("easy", "person")), LEGAL),
    "three seats": (
        put("match_started", 0, "occupants", lambda seats: seats[1:]),
        "event 1: damaged event 'match_started': a field does not fit",
    ),
    "no beginning": (drop("match_started", 0), "event 1: the match has not started"),
    "two beginnings": (double("match_started", 0), "event 2: the match has started already"),
    # who played for whom
    "a turn that ran out taken away": (drop("time_ran_out", 0), LEGAL),
    "a turn that ran out, and no move after it": (
        add("card_played", 0, {"type": "seat_taken_over", "seat": 0, "cause": "gone"}),
        "event 9, deal 1, trick 1: the computer's move for South has to follow",
    ),
    "a turn that ran out for another seat": (
        put("time_ran_out", 0, "seat", 0),
        "event 8, deal 1, trick 1: this seat is not on turn (R2.1)",
    ),
    "asked for one's own turn": (
        put("time_ran_out", 0, "asked_by", 2),
        "event 8, deal 1, trick 1: nobody asks for their own turn to be played",
    ),
    "a seat given back twice": (
        double("seat_given_back", 0),
        "event 16, deal 1, trick 2: no computer plays for this seat",
    ),
    "a seat left for good": (
        put("seat_taken_over", 0, "cause", "left"),
        "event 15, deal 1, trick 2: this seat was left for good",
    ),
    "a seat given to the computer for good": (
        put("seat_taken_over", 0, "cause", "removed"),
        "event 15, deal 1, trick 2: this seat was left for good",
    ),
    "next said of deal true": (
        put("next_said", 0, "deal", lambda _: True),
        "event 49, deal 1: deal is true where the rules give 1",
    ),
    "next said twice": (double("next_said", 0), "event 50, deal 1: this seat has said so already"),
    "next said by a computer": (put("next_said", 0, "seat", 1), "event 49, deal 1: a computer plays this seat"),
    # how it is written
    "a member too many": (
        put("card_played", 9, "comment", "well played"),
        'event 22, deal 1, trick 3: comment is "well played" where the rules give none',
    ),
    "a member missing": (drop_member, "event 22, deal 1, trick 3: damaged event 'card_played': 'seat' is missing"),
    "true for 1": (put("deal_started", 0, "deal", True), "event 4, deal 1: deal is true where the rules give 1"),
    "a fraction": (put("deal_started", 0, "deal", 1.0), "event 4, deal 1: it holds what no event holds"),
    "capital letters": (put("seed_revealed", 0, "seed", str.upper), 'event 95, deal 2: seed is "C9182C58DC'),
    "a seat that is none": (put("card_played", 9, "seat", 4), "event 22, deal 1, trick 3: 4 is not a valid Seat"),
    "a card that is none": (put("card_played", 9, "card", "1S"), "event 22, deal 1, trick 3: '1S' is no card"),
    "an event that is none": (
        put("card_played", 9, "type", "card_burnt"),
        "event 22, deal 1, trick 3: unknown event type 'card_burnt'",
    ),
    "another schema": (
        new_schema,
        "event 10, deal 1, trick 1: its schema is not known here: this program reads 1 to 1",
    ),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_whoever_changes_a_record_is_found_out_at_the_right_place(name: str) -> None:
    # given
    change, expected = MUTATIONS[name]
    forged = changed(stored(), change)
    # when the forger makes the chain anew, the rules find the place
    fault = verify(rechained(forged)).fault
    assert str(fault or LEGAL).startswith(expected)
    assert (fault is None) == (expected == LEGAL)
    # when the chain is left alone, it breaks at the first event that is not as it was
    fault = verify(forged).fault
    assert fault is not None
    assert fault.event == min(first_difference(stored(), forged), len(forged.events))
    assert fault.what.startswith("the chain breaks here") == (name not in UNREADABLE)
    # and what the rules say of that event is told as well
    if expected.startswith((f"event {fault.event}, ", f"event {fault.event}: ")):
        assert expected.partition(": ")[2] in fault.what


UNREADABLE = {"a fraction", "another schema", "the last event cut off", "the second half cut off"}
"""Nothing is computed from an event that is no event; what was cut off breaks no chain, and is missed at the end."""


def test_another_match_id_breaks_the_chain_at_its_start_and_no_deck_follows() -> None:
    # given
    other = UUID("00000000-0000-4000-8000-000000000000")
    forged = Record(other, stored().events, stored().head)
    # then
    alone, anew = verify(forged).fault, verify(rechained(forged)).fault
    assert str(alone).startswith("event 1: the chain breaks here")
    assert str(anew).startswith("event 4, deal 1: the deck does not follow from the seed")


def test_another_head_is_told_at_the_last_event() -> None:
    # given
    sound = stored()
    # when
    fault = verify(Record(sound.match, sound.events, flipped(sound.head))).fault
    # then
    assert str(fault) == "event 273, deal 7: the head is not the chain value of the last event"


def test_a_chain_value_that_was_changed_is_told() -> None:
    # given
    def change(entries: list[dict[str, str]]) -> None:
        entries[56]["chain"] = flipped(entries[56]["chain"])

    # when
    fault = verify(changed(stored(), change)).fault
    # then
    assert str(fault).startswith("event 57, deal 2, trick 1: the chain breaks here")


def test_the_stored_record_verifies_for_ever() -> None:
    # when
    verdict = verify(stored())
    # then
    assert verdict.fault is None
    assert verdict.state is not None
    assert verdict.state.phase is Phase.OVER


@pytest.mark.django_db
def test_given_a_match_played_here_then_its_record_verifies_and_no_mutation_of_it_does(settings: Settings) -> None:
    # given
    settings.COMPUTER_PACE = 0
    _, match = new_table(501)
    play_on(match.pk, Phase.OVER)
    sound = archive.record_of(match.pk)
    assert archive.examine(sound).validity is Validity.VERIFIED
    assert sound.head == Match.objects.get(pk=match.pk).record_head
    found: list[str] = []
    missed: list[str] = []
    for name, (change, _) in MUTATIONS.items():
        try:
            alone = changed(sound, change)
        except LookupError:
            # This match has no such event.
            continue
        anew = rechained(alone)
        # when
        finding = archive.examine(anew)
        # then
        at = f"it differs from the match that is known here at event {first_difference(sound, anew)}"
        expected = (Validity.FAULTY, Validity.DIFFERS)
        fault = verify(alone).fault
        is_placed = fault is not None and fault.event == min(first_difference(sound, alone), len(alone.events))
        is_found = finding.validity in expected and finding.detail.endswith(at) and is_placed
        (found if is_found else missed).append(name)
    assert missed == []
    assert len(found) >= 50
