"""What deals were worth and why (R6, R7): the summary of a deal and the score sheet of the match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.auction import thrown_in
from games.engine.rules import Litige, Phase
from games.engine.scoring import BELOTE, LAST_TRICK, DealResult, DealScore, Outcome
from games.engine.seats import ByTeam, Team
from games.engine.view import TableView
from games.frame import SUIT_CLASSES, Context, Frame, Parts, Reader
from games.wording import contract_verdict, match_result, sides, suit_name

CHART_WIDTH, CHART_HEIGHT = 288, 96
NOTHING = "–"


class Reckoning(NamedTuple):
    """The end of a deal, or of the match: all that its summary is made from.

    ``result`` is None when the match ended before any deal did; ``broken_off`` tells that the match's end cut that
    deal short; ``words`` is how many of belote and rebelote were said; ``held`` are the points held from now on.
    """

    result: DealResult | None
    broken_off: bool
    words: int
    held: int
    totals: ByTeam[int]
    is_final: bool
    winner: Team | None
    by_moderator: bool


def summary_parts(frame: Frame) -> Parts:
    """Return what the summary is made from: a `Reckoning`, or None in the middle of a deal."""
    view = frame.view
    if view.phase not in (Phase.SUMMARY, Phase.OVER):
        return (None,)
    end = Reckoning(
        result=view.results[-1] if view.results else None,
        broken_off=broken_off(view),
        words=len(view.belote_cards),
        held=view.held,
        totals=view.totals,
        is_final=view.phase is Phase.OVER,
        winner=view.winner,
        by_moderator=view.ended_by_moderator,
    )
    return (end,)


def broken_off(view: TableView) -> bool:
    """Tell whether the match's end cut the last deal short; one that was thrown in has no score either (R3.4)."""
    if view.phase is not Phase.OVER or not view.results:
        return False
    last = view.results[-1]
    return last.score is None and last.number == view.deal_number and not thrown_in(view.bids)


def summary(reader: Reader, end: Reckoning | None) -> Context:
    """Return ``summary`` for games/table/summary.html."""
    if end is None:
        return {"is_open": False}
    result, score = end.result, end.result.score if end.result else None
    of_deal = [] if result is None else [verdict(reader, result, is_broken_off=end.broken_off)]
    reasons = list(_reasons(reader, end))
    if end.is_final:
        title = match_result(reader.viewer, end.winner)
        headline = _match_sentence(end)
        reasons = of_deal + reasons
    else:
        title = _("Deal %(number)d") % {"number": result.number} if result else ""
        headline = " ".join(of_deal)
    us_label, them_label = sides(reader.viewer)
    scored_us, scored_them = (NOTHING, NOTHING) if score is None else map(str, reader.both(score.scores))
    total_us, total_them = map(str, reader.both(end.totals))
    return {
        "is_open": True,
        "is_final": end.is_final,
        "is_won": reader.viewer is not None and end.winner is reader.us,
        "title": title,
        "verdict": headline,
        "suit": "" if end.is_final or result is None or result.trump is None else SUIT_CLASSES[result.trump],
        "us_label": us_label,
        "them_label": them_label,
        "rows": [] if score is None else list(_judged_parts(reader, score)),
        "scored_us": scored_us,
        "scored_them": scored_them,
        "total_us": total_us,
        "total_them": total_them,
        "reasons": reasons,
    }


def verdict(reader: Reader, result: DealResult, *, is_broken_off: bool) -> str:
    """Return in one sentence how a deal ended."""
    if is_broken_off:
        return _("The deal was broken off")
    if result.score is None or result.taker is None or result.trump is None:
        return _("All passed twice: the deal is thrown in")
    return contract_verdict(result.score.outcome, result.trump, reader.names[result.taker])


def _match_sentence(end: Reckoning) -> str:
    if end.by_moderator:
        return _("A moderator ended the match before either side had won it.")
    if end.winner is None:
        return _("The match was ended before either side had won it.")
    scores = {"winner": end.totals[end.winner], "loser": end.totals[end.winner.other]}
    return _("The match ends %(winner)d to %(loser)d.") % scores


def _judged_parts(reader: Reader, score: DealScore) -> Iterator[dict[str, str]]:
    last = score.last_trick_team
    if score.capot is not None:
        yield _row(_("Capot"), *reader.both(_only(score.capot, score.trick_points[score.capot])))
    else:
        card_points = score.trick_points.put(last, score.trick_points[last] - LAST_TRICK)
        yield _row(_("Card points"), *reader.both(card_points))
        yield _row(pgettext("ten points", "Last trick"), *reader.both(_only(last, LAST_TRICK)))
    if score.belote_team is not None:
        yield _row(_("Belote"), *reader.both(_only(score.belote_team, BELOTE)))
    if score.held_paid_to is not None:
        # Translators: points of an earlier tie; "held" is unconfirmed in Estonian.
        yield _row(_("Held points"), *reader.both(_only(score.held_paid_to, score.held_in)))


def _only(team: Team, points: int) -> ByTeam[int | None]:
    return ByTeam[int | None](None, None).put(team, points)


def _row(label: str, us: int | None, them: int | None) -> Context:
    return {"label": label, "us": _shown(us), "them": _shown(them)}


def _shown(points: int | None) -> str:
    return NOTHING if points is None else str(points)


def _reasons(reader: Reader, end: Reckoning) -> Iterator[str]:
    if end.result is not None:
        if end.result.score is not None:
            yield from _score_reasons(reader, end.result.score, end.words)
        elif not end.broken_off:
            yield _("All passed twice, so nobody scores (R3.4).")
            if end.held and not end.is_final:
                yield _("The %(points)d points held so far stay held (R3.4).") % {"points": end.held}
    if end.is_final:
        if end.winner is not None:
            yield _("A side has reached %(target)d, and the higher total wins (R7.1).") % {
                "target": reader.rules.target
            }
        if end.held:
            yield _("The %(points)d points still held are void (R7.4).") % {"points": end.held}
    elif max(end.totals) >= reader.rules.target:
        yield _("Both sides have %(total)d: another deal decides the match (R7.2).") % {"total": max(end.totals)}


def _score_reasons(reader: Reader, score: DealScore, words: int) -> Iterator[str]:
    takers, defence = score.taker_team, score.taker_team.other
    if score.capot is takers:
        yield _("Capot: the takers won all eight tricks, which is worth 252 in place of 162 (R6.4).")
    elif score.capot is defence:
        yield _("Capot: the defence won all eight tricks, which is worth 252 in place of 162 (R6.4).")
    yield _outcome_reason(score)
    if score.outcome is Outcome.LITIGE:
        yield _litige_reason(reader, score)
        if score.held_in:
            yield _("With what was held before, %(points)d points are held now (R6.6).") % {"points": score.held_out}
    yield from _belote_reason(reader, score, words)
    if score.held_paid_to is takers:
        yield _("The %(points)d points that were held go to the takers (R6.6).") % {"points": score.held_in}
    elif score.held_paid_to is defence:
        yield _("The %(points)d points that were held go to the defence (R6.6).") % {"points": score.held_in}


def _outcome_reason(score: DealScore) -> str:
    takers, defence = score.judged[score.taker_team], score.judged[score.taker_team.other]
    if score.outcome is Outcome.MADE:
        reason = _("The takers have %(takers)d and the defence %(defence)d: each side scores its points (R6.2).")
    elif score.outcome is Outcome.LITIGE:
        reason = _("Both sides have %(defence)d: nobody has won the deal (R6.5).")
    elif takers == defence:
        reason = _("Both sides have %(defence)d, which fails at this table: the defence scores 162 (R6.5).")
    elif score.capot is not None:
        reason = _("The takers have %(takers)d and the defence %(defence)d: the contract fails (R6.4).")
    else:
        reason = _("The takers have %(takers)d and the defence %(defence)d: the defence scores 162 (R6.3).")
    return reason % {"takers": takers, "defence": defence}


def _litige_reason(reader: Reader, score: DealScore) -> str:
    if reader.rules.litige is Litige.HELD_ALL:
        # Translators: points that are held after a tie; unconfirmed in Estonian.
        reason = _("The %(points)d trick points of both sides are held for the next winner (R6.5).")
    else:
        # Translators: points that are held after a tie; unconfirmed in Estonian.
        reason = _("The defence scores its points; the takers' %(points)d are held for the next winner (R6.5).")
    return reason % {"points": score.held_out - score.held_in}


def _belote_reason(reader: Reader, score: DealScore, words: int) -> Iterator[str]:
    if score.belote_team is None:
        if words == 1:
            yield _("Only one of the words belote and rebelote was said, so the 20 points are lost (R5.2).")
    elif score.belote_team is score.taker_team:
        if score.outcome is Outcome.MADE:
            yield _("Belote gives the takers 20 points (R5.1).")
        else:
            yield _("The takers keep the 20 points of their belote (R5.4).")
    elif score.capot is score.taker_team or (
        score.outcome is Outcome.LITIGE and reader.rules.litige is Litige.HELD_ALL
    ):
        yield _("The defence keeps the 20 points of its belote (R5.4).")
    else:
        yield _("Belote gives the defence 20 points (R5.1).")


def sheet_parts(frame: Frame) -> Parts:
    """Return what the score sheet is made from."""
    return frame.view.results, frame.view.totals, broken_off(frame.view)


def sheet(reader: Reader, results: tuple[DealResult, ...], totals: ByTeam[int], is_broken_off: bool) -> Context:
    """Return ``sheet`` for games/table/score_sheet.html."""
    us_label, them_label = sides(reader.viewer)
    us, them = reader.both(totals)
    return {
        "us_label": us_label,
        "them_label": them_label,
        "rows": [_line(reader, result, is_broken_off and result is results[-1]) for result in results],
        "us": us,
        "them": them,
        "chart": _chart(reader, results) if any(result.score for result in results) else None,
    }


def _line(reader: Reader, result: DealResult, is_broken_off: bool) -> Context:
    us, them = (0, 0) if result.score is None else reader.both(result.score.scores)
    total_us, total_them = reader.both(result.totals)
    return {
        "number": result.number,
        "us": us,
        "them": them,
        "total_us": total_us,
        "total_them": total_them,
        "suit": "" if result.trump is None else SUIT_CLASSES[result.trump],
        "suit_name": "" if result.trump is None else suit_name(result.trump),
        "taker": "" if result.taker is None else reader.name_alone(result.taker),
        "note": pgettext("between the items of a list", ", ").join(_notes(result.score, is_broken_off)),
    }


def _notes(score: DealScore | None, is_broken_off: bool) -> Iterator[str]:
    if is_broken_off:
        yield pgettext("score sheet", "broken off")
        return
    if score is None:
        yield pgettext("score sheet", "all passed")
        return
    if score.outcome is Outcome.FAILED:
        yield pgettext("score sheet", "failed")
    if score.outcome is Outcome.LITIGE:
        # Translators: points that are held after a tie; unconfirmed in Estonian.
        yield pgettext("score sheet", "held: %(points)d") % {"points": score.held_out}
    if score.capot is not None:
        yield pgettext("score sheet", "capot")
    if score.belote_team is not None:
        yield pgettext("score sheet", "belote")
    if score.held_paid_to is not None:
        # Translators: points that were held after a tie are paid out; unconfirmed in Estonian.
        yield pgettext("score sheet", "with %(points)d held") % {"points": score.held_in}


def _chart(reader: Reader, results: tuple[DealResult, ...]) -> dict[str, str]:
    """Return the running totals as lines in a box of `CHART_WIDTH` by `CHART_HEIGHT`, y downwards."""
    top = max(reader.rules.target, *(max(result.totals) for result in results))

    def height(total: int) -> str:
        return f"{CHART_HEIGHT - CHART_HEIGHT * total / top:.1f}"

    places = [f"{CHART_WIDTH * step / len(results):.1f}" for step in range(len(results) + 1)]
    lines = [[height(0), *(height(reader.both(result.totals)[side]) for result in results)] for side in (0, 1)]
    us_label, them_label = sides(reader.viewer)
    us, them = reader.both(results[-1].totals)
    label = ngettext(
        "Totals after %(count)d deal: %(us_label)s %(us)d, %(them_label)s %(them)d",
        "Totals after %(count)d deals: %(us_label)s %(us)d, %(them_label)s %(them)d",
        len(results),
    )
    return {
        "us_points": " ".join(f"{x},{y}" for x, y in zip(places, lines[0], strict=True)),
        "them_points": " ".join(f"{x},{y}" for x, y in zip(places, lines[1], strict=True)),
        "us_x": places[-1],
        "us_y": lines[0][-1],
        "them_x": places[-1],
        "them_y": lines[1][-1],
        "target_y": height(reader.rules.target),
        "label": label
        % {"count": len(results), "us_label": us_label, "us": us, "them_label": them_label, "them": them},
    }
