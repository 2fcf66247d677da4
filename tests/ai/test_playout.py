"""A deal played on with open hands comes to the same end as at a table."""

from __future__ import annotations

from itertools import islice

import pytest

from games.ai.normal import Normal
from games.ai.playout import OpenDeal
from games.ai.weights import load_weights
from games.arena import boards, play_deal, player_named
from games.engine.rules import RuleSet
from games.engine.scoring import TOTAL
from games.engine.seats import ByTeam, Team
from games.management.tuning import dealt

NORMAL = Normal(load_weights())


def open_deals(seed: int, count: int) -> list[OpenDeal]:
    """Return so many deals of normal bidders, before the first card."""
    found = (dealt(board) for board in boards(seed))
    return list(islice((deal for deal in found if deal is not None), count))


def test_given_a_deal_when_normal_plays_it_out_then_it_scores_as_at_a_table() -> None:
    for board in islice(boards(5), 100):
        deal = dealt(board)
        table = play_deal(board, ByTeam(player_named("normal", 1), player_named("normal", 1)), RuleSet())
        if deal is None:
            assert table == (0, 0)
            continue
        deal.play_out(NORMAL)
        assert deal.over
        assert deal.lead_of(Team.NORTH_SOUTH) == table[0] - table[1] == -deal.lead_of(Team.EAST_WEST)


def test_given_a_copy_when_it_is_played_out_then_the_first_stays_where_it_was() -> None:
    deal = open_deals(6, 1)[0]
    before = (deal.hands[:], deal.points[:], deal.tricks[:], deal.position.unplayed)

    deal.copy().play_out(NORMAL)

    assert (deal.hands, deal.points, deal.tricks, deal.position.unplayed) == before


@pytest.mark.parametrize("played", [0, 5, 16, 22, 28, 31])
def test_given_the_points_to_come_when_a_deal_is_settled_then_it_scores_like_the_cards(played: int) -> None:
    compared = capots = 0
    for deal in open_deals(7 + played, 150):
        for _ in range(played):
            deal.play(NORMAL.best_card(deal.position, deal.hands[deal.position.turn], deal.legal()))
        end = deal.copy()
        end.play_out(NORMAL)
        points = end.points[0] + 10 * (end.last_trick is Team.NORTH_SOUTH) - deal.points[0]
        to_come = TOTAL - sum(deal.points)
        won = [after - before for after, before in zip(end.tricks, deal.tricks, strict=True)]
        if (points == to_come and won[1]) or (points == 0 and won[0]):
            continue  # a trick without points does not show in them
        settled = deal.copy()
        settled.settle(points)
        assert settled.over
        assert settled.lead_of(Team.NORTH_SOUTH) == end.lead_of(Team.NORTH_SOUTH)
        compared += 1
        capots += 8 in end.tricks
    assert compared > 140
    assert capots
