"""A match from deal to deal (R2.5, R3.4, R6.6, R7), and every command that comes at the wrong time."""

from __future__ import annotations

import pytest

from games.engine.commands import (
    Command,
    CommitDeal,
    Contribute,
    EndMatch,
    Next,
    Pass,
    PlayCard,
    RevealSeed,
    StartDeal,
    StartMatch,
)
from games.engine.decide import SERVER, decide
from games.engine.errors import IllegalCommand, Reason, ReasonCode
from games.engine.events import BidMade, CardPlayed, DealScored, MatchEnded, MatchStarted, NextSaid
from games.engine.evolve import evolve, fold
from games.engine.notation import parse_card
from games.engine.rules import Litige, Phase, RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.shuffle import commitment_of
from tests.engine.given import EW, NS, PEOPLE, PLAIN_DECK, Driven, E, N, S, W, at_last_card, seed_of

ALL_PASS = "- - - - - - - -"


def play_deal(driven: Driven, taker: Team, points: tuple[int, int], last: Team = NS) -> Driven:
    """Deal and play a deal out with these card points; the side ``last`` wins the last trick."""
    driven.deal().bid("D")
    return at_last_card(driven, taker, ByTeam(*points), ByTeam(4, 4), last).play("8D")


def with_totals(north_south: int, east_west: int, held: int = 0, rules: RuleSet | None = None) -> Driven:
    driven = Driven(rules)
    driven.state = driven.now._replace(totals=ByTeam(north_south, east_west), held=held)
    return driven


def test_given_a_drawn_dealer_when_deals_go_on_then_the_deal_passes_to_the_left() -> None:
    driven = Driven().deal(first_dealer=W)
    dealers = [driven.running.dealer]

    driven.bid(ALL_PASS)
    for _ in range(2):
        play_deal(driven, NS, (90, 62))
        dealers.append(driven.running.dealer)
    driven.deal().bid(ALL_PASS).deal()
    dealers += [driven.now.results[-1].dealer, driven.running.dealer]

    assert dealers == [W, N, E, S, W]
    assert [result.number for result in driven.now.results] == [1, 2, 3, 4]


def test_given_held_points_when_deals_are_thrown_in_then_they_wait_for_the_next_scored_deal() -> None:
    driven = play_deal(Driven(), NS, (81, 71), EW)
    assert (driven.now.totals, driven.now.held) == ((0, 81), 81)

    driven.deal().bid(ALL_PASS).deal().bid(ALL_PASS)
    assert (driven.now.totals, driven.now.held) == ((0, 81), 81)

    play_deal(driven, EW, (100, 52))
    assert (driven.now.totals, driven.now.held) == ((110 + 52 + 81, 81), 0)


def test_given_two_ties_when_the_takers_make_the_third_deal_then_all_held_points_are_theirs() -> None:
    driven = play_deal(Driven(RuleSet(litige=Litige.HELD_ALL)), NS, (81, 71), EW)
    play_deal(driven, EW, (81, 71), EW)
    assert (driven.now.totals, driven.now.held) == ((0, 0), 324)

    play_deal(driven, EW, (52, 100), EW)

    assert (driven.now.totals, driven.now.held) == ((52, 110 + 324), 0)


def test_given_held_points_when_the_match_ends_in_a_tie_deal_then_they_are_void() -> None:
    driven = play_deal(with_totals(960, 930, held=50), NS, (81, 71), EW)

    assert driven.now.phase is Phase.OVER
    assert driven.now.winner is EW
    assert driven.now.totals == (960, 1011)
    assert driven.log[-1] == MatchEnded(EW)


def test_given_equal_totals_at_the_target_when_scored_then_another_deal_decides() -> None:
    driven = play_deal(with_totals(900, 938), NS, (90, 62))
    assert driven.now.totals == (1000, 1000)
    assert driven.now.phase is Phase.SUMMARY
    assert driven.now.winner is None

    play_deal(driven, NS, (90, 62))
    assert (driven.now.totals, driven.now.winner, driven.now.phase) == ((1100, 1062), NS, Phase.OVER)


def test_given_both_sides_over_the_target_when_scored_then_the_higher_wins() -> None:
    assert play_deal(with_totals(950, 990), NS, (90, 62)).now.winner is EW


def test_given_the_last_card_when_played_then_card_score_and_end_are_three_events() -> None:
    driven = play_deal(with_totals(950, 100), NS, (90, 62))

    assert [type(event) for event in driven.log[-3:]] == [CardPlayed, DealScored, MatchEnded]


def test_given_the_last_card_or_pass_when_its_score_is_not_yet_told_then_nobody_is_on_turn() -> None:
    driven = Driven().deal().bid("- - - - - - -")
    last_pass = decide(driven.state, N, Pass())[0]
    assert evolve(driven.now, last_pass).turn is None

    driven = at_last_card(Driven().deal().bid("D"), NS, ByTeam(90, 62), ByTeam(4, 4), NS)
    last_card = decide(driven.state, driven.turn, PlayCard(parse_card("8D")))[0]
    assert evolve(driven.now, last_card).turn is None


@pytest.mark.parametrize(("bids", "by_moderator"), [("", False), ("- -", True), ("D", False)])
def test_given_a_running_deal_when_the_server_ends_the_match_then_it_is_void(bids: str, by_moderator: bool) -> None:
    driven = Driven().deal().bid(bids)

    assert driven.server(EndMatch(by_moderator)) == (MatchEnded(None, by_moderator),)
    assert driven.now.ended_by_moderator == by_moderator

    now = driven.now
    assert (now.phase, now.winner, now.turn, now.totals) == (Phase.OVER, None, None, (0, 0))
    broken = now.results[-1]
    assert (broken.number, broken.score) == (1, None)
    assert fold(driven.log) == now


def test_given_no_running_deal_when_the_server_ends_the_match_then_no_deal_is_booked() -> None:
    for driven in (Driven(), Driven().deal().bid(ALL_PASS)):
        booked = driven.now.results
        driven.server(EndMatch())
        assert driven.now.phase is Phase.OVER
        assert driven.now.results == booked


@pytest.mark.parametrize(
    "command",
    [
        Pass(),
        PlayCard(0),
        Next(1),
        Contribute(1, bytes(16)),
        CommitDeal(bytes(32)),
        StartDeal(PLAIN_DECK),
        EndMatch(),
    ],
)
def test_given_a_match_that_is_over_when_anything_is_asked_then_refused(command: Command) -> None:
    driven = Driven().deal()
    driven.server(EndMatch())
    actor = E if isinstance(command, Pass | PlayCard | Next | Contribute) else SERVER

    assert driven.refuses(actor, command) == Reason(ReasonCode.MATCH_OVER, "R7.1")


@pytest.mark.parametrize(
    "command",
    [
        StartMatch(RuleSet(), PEOPLE),
        CommitDeal(bytes(32)),
        StartDeal(PLAIN_DECK, N),
        RevealSeed(1, bytes(32)),
        EndMatch(),
    ],
)
@pytest.mark.parametrize("seat", Seat)
def test_given_any_match_when_a_seat_gives_a_command_of_the_server_then_refused(seat: Seat, command: Command) -> None:
    assert Driven().refuses(seat, command) == Reason(ReasonCode.SERVER_ONLY)


def test_given_a_match_when_it_is_started_again_then_refused() -> None:
    assert Driven().refuses(SERVER, StartMatch(RuleSet(), PEOPLE)) == Reason(ReasonCode.ALREADY_STARTED)


@pytest.mark.parametrize(
    ("actor", "command"),
    [
        (SERVER, CommitDeal(bytes(32))),
        (SERVER, StartDeal(PLAIN_DECK, N)),
        (SERVER, RevealSeed(1, bytes(32))),
        (SERVER, EndMatch()),
        (N, Next(1)),
        (N, Contribute(1, bytes(16))),
    ],
)
def test_given_no_match_when_anything_but_its_start_is_asked_then_refused(actor: Seat, command: Command) -> None:
    with pytest.raises(IllegalCommand) as refused:
        decide(None, actor, command)
    assert refused.value.reason == Reason(ReasonCode.NOT_STARTED)


def test_given_no_commitment_when_a_deal_is_started_then_refused() -> None:
    assert Driven().refuses(SERVER, StartDeal(PLAIN_DECK, N)).code is ReasonCode.OUT_OF_ORDER


@pytest.mark.parametrize("bids", [None, "", "D"])
def test_given_a_commitment_when_another_is_made_before_the_deal_is_over_then_refused(bids: str | None) -> None:
    driven = Driven()
    if bids is None:
        driven.server(CommitDeal(bytes(32)))
    else:
        driven.deal().bid(bids)

    assert driven.refuses(SERVER, CommitDeal(bytes(32))) == Reason(ReasonCode.OUT_OF_ORDER)
    if bids is not None:
        assert driven.refuses(SERVER, StartDeal(PLAIN_DECK)).code is ReasonCode.OUT_OF_ORDER


@pytest.mark.parametrize("length", [0, 31, 33])
def test_given_a_commitment_of_the_wrong_length_when_made_then_refused(length: int) -> None:
    assert Driven().refuses(SERVER, CommitDeal(bytes(length))) == Reason(ReasonCode.BAD_COMMITMENT)


@pytest.mark.parametrize(
    "deck",
    [PLAIN_DECK[:31], (*PLAIN_DECK[:31], 0), (*PLAIN_DECK[:31], 32), (*PLAIN_DECK[:31], -1), (*PLAIN_DECK, 0), ()],
)
def test_given_a_deck_that_is_not_the_32_cards_when_dealt_then_refused(deck: tuple[int, ...]) -> None:
    driven = Driven()
    driven.server(CommitDeal(bytes(32)))

    assert driven.refuses(SERVER, StartDeal(deck, N)) == Reason(ReasonCode.BAD_DECK, "R2.4")


def test_given_the_first_deal_when_no_dealer_is_drawn_then_refused_and_later_when_one_is() -> None:
    driven = Driven()
    driven.server(CommitDeal(bytes(32)))
    assert driven.refuses(SERVER, StartDeal(PLAIN_DECK)) == Reason(ReasonCode.OUT_OF_ORDER, "R2.5")

    driven.server(StartDeal(PLAIN_DECK, N))
    driven.bid(ALL_PASS)
    driven.server(CommitDeal(bytes(32)))
    assert driven.refuses(SERVER, StartDeal(PLAIN_DECK, E)) == Reason(ReasonCode.OUT_OF_ORDER, "R2.5")


def test_given_a_summary_when_people_say_next_then_once_each_for_this_deal() -> None:
    driven = Driven(occupants=PEOPLE.put(S, Occupant.EASY)).deal()
    assert driven.refuses(N, Next(1)) == Reason(ReasonCode.NO_SUMMARY)
    driven.bid(ALL_PASS)

    assert driven.do(N, Next(1)) == (NextSaid(N, 1),)
    driven.do(W, Next(1))

    assert driven.now.next_said == {N, W}
    assert driven.refuses(N, Next(1)) == Reason(ReasonCode.ALREADY_SAID)
    assert driven.refuses(S, Next(1)) == Reason(ReasonCode.NOT_A_PERSON)
    assert driven.refuses(E, Next(2)) == Reason(ReasonCode.NO_SUMMARY)
    assert driven.refuses(SERVER, Next(1)) == Reason(ReasonCode.SEATS_ONLY)
    driven.deal()
    assert driven.now.next_said == frozenset()
    assert driven.refuses(E, Next(1)) == Reason(ReasonCode.NO_SUMMARY)


def test_given_a_finished_deal_when_booked_then_the_score_sheet_has_its_line() -> None:
    driven = play_deal(Driven(), NS, (90, 62))

    line = driven.now.results[-1]

    assert (line.number, line.dealer, line.taker, line.totals) == (1, N, N, (100, 62))
    assert (line.commitment, line.seed) == (commitment_of(seed_of(1)), None)
    assert line.score is not None
    assert line.score.scores == (100, 62)


def test_given_a_log_that_is_damaged_when_folded_then_an_error() -> None:
    start = MatchStarted(RuleSet(), BySeat(*[Occupant.EASY] * 4))

    assert fold([]) is None
    for log in ([BidMade(N, None)], [start, start], [start, BidMade(N, None)], [start, CardPlayed(N, 0)]):
        with pytest.raises(ValueError, match=r"begins with|starts once|no deal"):
            fold(log)
    with pytest.raises(ValueError, match="before a suit was taken"):
        fold([*Driven().deal().log, CardPlayed(E, 0)])
