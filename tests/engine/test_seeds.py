"""The verifiable shuffle, and when a seed may be published."""

from __future__ import annotations

import pytest

from games.engine.cards import ALL_CARDS, mask_of
from games.engine.commands import CommitDeal, Contribute, EndMatch, RevealSeed, StartDeal, TakeOver
from games.engine.decide import SERVER
from games.engine.errors import Reason, ReasonCode
from games.engine.events import Cause, Contributed, DealStarted, SeedRevealed
from games.engine.notation import format_cards
from games.engine.seats import BySeat, ByTeam, Occupant, Seat
from games.engine.shuffle import NO_CONTRIBUTIONS, commitment_of, dealer_from_seed, deck_from_seed
from games.engine.view import published_deck
from tests.engine.given import NS, PEOPLE, PLAIN_DECK, Driven, E, N, S, at_last_card, seed_of

SEED, MATCH_ID = bytes(range(32)), bytes(range(100, 116))
TOO_EARLY = Reason(ReasonCode.SEED_TOO_EARLY)


def scored_deal() -> Driven:
    driven = Driven().deal().bid("D")
    return at_last_card(driven, NS, ByTeam(90, 62), ByTeam(5, 3), NS).play("8D")


@pytest.mark.parametrize(
    ("seed", "deal", "contributions", "deck"),
    [
        pytest.param(
            SEED,
            1,
            BySeat(None, None, None, None),
            "8C 9C KD JS JC 9H 8S JH KH JD AC 8D QH QD KC AH 9S TD QC QS 7S 7D AD TS 7C KS 9D 7H TC 8H TH AS",
            id="no contributions",
        ),
        pytest.param(
            bytes([91] * 32),
            1,
            BySeat(None, None, None, None),
            "8D TC KS KH TD 8S 8H QC JD AH AC 7D 7H TS 9D 7C 9C JC QH QS 7S AD AS JH KC QD TH KD 9H 8C JS 9S",
            id="four bytes are rejected",
        ),
        pytest.param(
            SEED,
            7,
            BySeat(None, b"E" * 16, None, b"W" * 16),
            "KD TD AD JC AH 9C KH AC 8H 8S QC JS 7H 9D 9S 7D 9H QS AS QH 8D 8C QD JD JH KS 7S 7C TS TH KC TC",
            id="East and West contribute",
        ),
    ],
)
def test_given_a_pinned_seed_when_shuffled_then_the_deck_of_an_independent_program(
    seed: bytes, deal: int, contributions: BySeat[bytes | None], deck: str
) -> None:
    assert format_cards(deck_from_seed(seed, MATCH_ID, deal, contributions)) == deck


def test_given_pinned_seeds_when_the_first_dealer_is_drawn_then_as_in_an_independent_program() -> None:
    dealers = [dealer_from_seed(bytes([n]) * 32, MATCH_ID) for n in range(12)]

    assert dealers == [1, 1, 3, 0, 0, 2, 1, 3, 2, 1, 3, 3]


def test_given_a_seed_when_committed_to_then_its_sha256() -> None:
    assert commitment_of(b"").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_given_one_seed_when_anything_else_differs_then_so_does_the_deck() -> None:
    zero = bytes(16)
    decks = {
        deck_from_seed(SEED, MATCH_ID, 1),
        deck_from_seed(SEED, MATCH_ID, 2),
        deck_from_seed(SEED, bytes(16), 1),
        deck_from_seed(bytes(32), MATCH_ID, 1),
        deck_from_seed(SEED, MATCH_ID, 1, BySeat(zero, None, None, None)),
        deck_from_seed(SEED, MATCH_ID, 1, BySeat(None, zero, None, None)),
        deck_from_seed(SEED, MATCH_ID, 1, BySeat(None, None, None, b"x" * 16)),
    }

    assert len(decks) == 7
    assert all(mask_of(deck) == ALL_CARDS for deck in decks)


@pytest.mark.parametrize(
    ("seed", "match_id", "contributions"),
    [
        (SEED[:31], MATCH_ID, BySeat(None, None, None, None)),
        (SEED + b"x", MATCH_ID, BySeat(None, None, None, None)),
        (SEED, MATCH_ID[:15], BySeat(None, None, None, None)),
        (SEED, MATCH_ID + b"x", BySeat(None, None, None, None)),
        (SEED, MATCH_ID, BySeat(None, b"", None, None)),
        (SEED, MATCH_ID, BySeat(None, None, None, bytes(17))),
    ],
)
def test_given_a_field_of_the_wrong_length_when_shuffled_then_an_error(
    seed: bytes, match_id: bytes, contributions: BySeat[bytes | None]
) -> None:
    for draw in (
        lambda: deck_from_seed(seed, match_id, 1, contributions),
        lambda: dealer_from_seed(seed, match_id, contributions),
    ):
        with pytest.raises(ValueError, match="bytes"):
            draw()


def test_given_a_deal_number_below_zero_or_too_great_when_shuffled_then_an_error() -> None:
    for deal in (-1, 2**32):
        with pytest.raises(OverflowError):
            deck_from_seed(SEED, MATCH_ID, deal)


def test_given_a_million_seeds_when_shuffled_then_every_card_lies_everywhere_equally_often() -> None:
    shuffles = 1_000_000
    decks = bytearray()
    for n in range(shuffles):
        decks += bytes(deck_from_seed(n.to_bytes(32, "big"), MATCH_ID, 1))

    counts = [[column.count(card) for card in range(32)] for column in (decks[place::32] for place in range(32))]

    # Rows and columns both add up to the number of shuffles: 31 times 31 degrees of freedom (and the factor 31/32).
    expected = shuffles / 32
    chi_square = 31 / 32 * sum((count - expected) ** 2 / expected for row in counts for count in row)
    assert 961 - 3 * 44 < chi_square < 961 + 3 * 44


def test_given_many_seeds_when_the_first_dealer_is_drawn_then_every_seat_equally_often() -> None:
    draws = 20_000
    dealers = [dealer_from_seed(n.to_bytes(32, "big"), MATCH_ID) for n in range(draws)]

    deviations = [(dealers.count(seat) - draws / 4) ** 2 / (draws / 4) for seat in Seat]
    assert sum(deviations) < 16.3, "three degrees of freedom, one in a thousand"


def test_given_a_running_deal_when_its_seed_is_published_then_too_early() -> None:
    driven = Driven()
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY
    driven.deal()
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY
    driven.bid("D").play("7S")
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY


def test_given_a_scored_deal_when_its_seed_is_published_then_it_is_booked_once() -> None:
    driven = scored_deal()

    assert driven.server(RevealSeed(1, seed_of(1))) == (SeedRevealed(1, seed_of(1)),)

    assert driven.now.results[0].seed == seed_of(1)
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY
    assert driven.refuses(SERVER, RevealSeed(2, seed_of(2))) == TOO_EARLY


def test_given_a_scored_deal_when_the_next_is_running_then_only_the_earlier_seed_may_be_published() -> None:
    driven = scored_deal().deal()

    assert driven.refuses(SERVER, RevealSeed(2, seed_of(2))) == TOO_EARLY
    driven.server(RevealSeed(1, seed_of(1)))
    assert driven.now.results[0].seed == seed_of(1)


def test_given_a_scored_deal_when_another_seed_is_published_then_refused() -> None:
    assert scored_deal().refuses(SERVER, RevealSeed(1, seed_of(9))) == Reason(ReasonCode.SEED_MISMATCH)


def test_given_a_deal_thrown_in_when_its_seed_is_published_then_only_after_the_match() -> None:
    driven = Driven().deal().bid("- - - - - - - -")
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY
    driven.deal()
    assert driven.refuses(SERVER, RevealSeed(1, seed_of(1))) == TOO_EARLY

    driven.server(EndMatch())
    driven.server(RevealSeed(1, seed_of(1)))
    driven.server(RevealSeed(2, seed_of(2)))

    assert [result.seed for result in driven.now.results] == [seed_of(1), seed_of(2)]


def dealt(driven: Driven) -> DealStarted:
    return next(event for event in driven.log if isinstance(event, DealStarted))


@pytest.mark.parametrize("bids", ["- -", "- - - - - - - -", "D"])
def test_given_a_deal_whose_seed_is_not_published_when_its_deck_is_asked_for_then_it_is_not_to_be_had(
    bids: str,
) -> None:
    driven = Driven().deal().bid(bids)
    assert published_deck(driven.now, dealt(driven)) is None

    driven.server(EndMatch())
    assert published_deck(driven.now, dealt(driven)) is None
    driven.server(RevealSeed(1, seed_of(1)))

    assert published_deck(driven.now, dealt(driven)) == PLAIN_DECK


@pytest.mark.parametrize("bids", ["- -", "D"])
def test_given_a_deal_broken_off_when_the_match_is_over_then_its_seed_may_be_published(bids: str) -> None:
    driven = Driven().deal().bid(bids)
    driven.server(EndMatch())

    assert driven.refuses(SERVER, RevealSeed(1, seed_of(2))) == Reason(ReasonCode.SEED_MISMATCH)
    driven.server(RevealSeed(1, seed_of(1)))
    assert driven.now.results[0].seed == seed_of(1)


def committed(driven: Driven) -> Driven:
    driven.server(CommitDeal(commitment_of(seed_of(driven.now.deal_number + 1))))
    return driven


def test_given_a_commitment_when_people_contribute_then_the_first_of_each_stands_until_the_cards_are_dealt() -> None:
    driven = committed(Driven(occupants=PEOPLE.put(S, Occupant.EASY)))

    assert driven.do(E, Contribute(1, b"E" * 16)) == (Contributed(E, 1, b"E" * 16),)

    assert driven.now.contributions == BySeat(None, b"E" * 16, None, None)
    assert driven.refuses(E, Contribute(1, b"e" * 16)) == Reason(ReasonCode.ALREADY_CONTRIBUTED)
    assert driven.refuses(S, Contribute(1, b"S" * 16)) == Reason(ReasonCode.NOT_A_PERSON)
    assert driven.refuses(N, Contribute(2, b"N" * 16)) == Reason(ReasonCode.NO_CONTRIBUTIONS)
    assert driven.refuses(SERVER, Contribute(1, b"N" * 16)) == Reason(ReasonCode.SEATS_ONLY)
    for length in (0, 15, 17):
        assert driven.refuses(N, Contribute(1, bytes(length))) == Reason(ReasonCode.BAD_CONTRIBUTION)
    driven.server(StartDeal(PLAIN_DECK, N))
    assert driven.refuses(N, Contribute(1, b"N" * 16)) == Reason(ReasonCode.NO_CONTRIBUTIONS)


def test_given_a_computer_in_a_persons_seat_when_it_would_contribute_then_refused() -> None:
    driven = committed(Driven())
    driven.server(TakeOver(N, Cause.GONE))

    assert driven.refuses(N, Contribute(1, b"N" * 16)) == Reason(ReasonCode.NOT_A_PERSON)


def test_given_contributions_when_the_deal_is_booked_then_with_them_and_the_next_one_starts_without() -> None:
    driven = committed(Driven())
    driven.do(N, Contribute(1, b"N" * 16))
    driven.server(StartDeal(PLAIN_DECK, N))
    driven.bid("- - - - - - - -")

    committed(driven)

    assert driven.now.results[0].contributions == BySeat(b"N" * 16, None, None, None)
    assert driven.now.contributions == NO_CONTRIBUTIONS
