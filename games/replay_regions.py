"""The regions of a replay: a moment of a match that is over with all hands open, the moves of its deal, the deals.

They are made from what `view.open_view` returns, names, and how the reader likes the cards; on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games import analysis_region, play_log, regions, score_sheet, seat_region
from games.analyses import Analysis
from games.analysis_region import Mark
from games.engine.cards import Card, Mask, Suit
from games.engine.play import Duty
from games.engine.rules import Phase
from games.engine.scoring import DealResult
from games.engine.seats import BySeat, Seat
from games.engine.view import OpenView, TableView
from games.frame import SUIT_CLASSES, Context, Frame, Position, Reader, Reading, Sitter, card_faces, in_hand_order
from games.moments import Course, Moment
from games.wording import match_result, sides


class Scene(NamedTuple):
    """All that a moment of a replay is rendered from.

    ``now`` is the moment, ``deal`` the end of the same deal, ``end`` the end of the last deal. ``analysis`` is that of
    the deal, which this reader ``may_ask`` for.
    """

    now: OpenView
    deal: OpenView
    end: TableView
    course: Course
    moment: Moment
    names: BySeat[str]
    reading: Reading
    analysis: Analysis | None = None
    may_ask: bool = False


def frame_of(view: TableView, names: BySeat[str], reading: Reading) -> Frame:
    """Return what the regions of the table are made from; who is asked for the next deal is no longer of interest."""
    sitters = BySeat(*[Sitter(name, connected=True) for name in names])
    return Frame(view._replace(next_said=frozenset(Seat)), sitters, reading)


def moment(scene: Scene) -> Context:
    """Return everything that games/replay/moment.html names."""
    frame = frame_of(scene.now.table, scene.names, scene.reading)
    reader, view = frame.reader, frame.view
    is_end = scene.moment.step == sum(scene.course.lengths[scene.moment.deal])
    moves = list(_moves(scene))
    shown = moves[scene.moment.step]
    asks = view.phase in (Phase.AUCTION, Phase.PLAY)
    return {
        "name": scene.course.name(scene.moment),
        "address": _address(scene.moment),
        "deal": scene.moment.deal,
        "topbar": regions.topbar(reader, *regions.topbar_parts(frame)),
        "felt": regions.felt(reader, *regions.felt_parts(frame)),
        "seats": {reader.position(seat): _seat(scene, frame, seat) for seat in Seat},
        "told": shown,
        "next_text": regions.status(reader, *regions.status_parts(frame))["text"] if asks else "",
        "next_legal": _legal(scene, scene.now.legal, view.trump, scene.now.duty),
        "summary": score_sheet.summary(reader, *score_sheet.summary_parts(frame)) if is_end else None,
        "ways": _ways(scene.course, scene.moment),
        "moves": moves,
        "analysis": analysis(scene),
        "deals": [_deal(reader, scene, result) for result in scene.end.results],
    }


def match(end: TableView, names: BySeat[str], reading: Reading) -> Context:
    """Return what games/replay/replay.html says of the whole match."""
    frame = frame_of(end, names, reading)
    reader = frame.reader
    labels = sides(None)
    return {
        "sides": [
            {"label": label, "names": [names[seat] for seat in Seat if seat.team is team], "total": end.totals[team]}
            for label, team in zip(labels, (reader.us, reader.us.other), strict=True)
        ],
        "result": match_result(None, end.winner),
        "sheet": score_sheet.sheet(reader, *score_sheet.sheet_parts(frame)),
        "made": [
            {
                "number": result.number,
                "commitment": result.commitment.hex(),
                "numbers": ",".join("" if bits is None else bits.hex() for bits in result.contributions),
            }
            for result in end.results
        ],
    }


def analysis(scene: Scene, refusal: str = "") -> Context | None:
    """Return ``analysis`` for games/replay/analysis.html; None for a deal that was not played out."""
    if not is_played_out(scene.deal.table):
        return None
    asked = analysis_region.analysis(scene.analysis, scene.names)
    return {**asked, "deal": scene.moment.deal, "may_ask": scene.may_ask, "refusal": refusal}


def is_played_out(end: TableView) -> bool:
    """Tell whether all cards of a deal were played, from its end."""
    return bool(end.results) and end.results[-1].number == end.deal_number and end.results[-1].score is not None


def _address(moment: Moment) -> str:
    return "?" + urlencode({"deal": moment.deal, "step": moment.step})


# The table


def _seat(scene: Scene, frame: Frame, seat: Seat) -> Context:
    position: Position = frame.reader.position(seat)
    now, view = scene.now, frame.view
    is_on_turn = view.turn is seat and view.trump is not None
    faces = frame.reader.faces()
    cards = in_hand_order(now.hands[seat], view.trump, weakest_first=scene.reading.weakest_first)
    marks = _marks(scene) if is_on_turn else {}
    return {
        **seat_region.seat(frame.reader, *seat_region.seat_parts(frame, position)),
        "is_choosing": is_on_turn,
        "cards": [
            {"card": faces[card], "is_legal": is_on_turn and bool(now.legal >> card & 1), "mark": marks.get(card)}
            for card in cards
        ],
    }


def _marks(scene: Scene) -> dict[Card, Mark]:
    """Return what an analysis says of the cards that may be played now."""
    played = len(scene.now.plays)
    if scene.analysis is None or played >= len(scene.analysis.moves):
        return {}
    return analysis_region.marks(scene.analysis.moves[played])


def _ways(course: Course, moment: Moment) -> list[Context]:
    """Return the buttons of the steps, in the order shown; one that leads nowhere leads to where one is."""
    ways = (
        ("card-back", course.card_back(moment), pgettext("step", "Card"), _("Previous card or bid")),
        ("card-on", course.card_on(moment), pgettext("step", "Card"), _("Next card or bid")),
        ("first", course.first, pgettext("step", "Start"), _("Start of the match")),
        ("deal-back", course.deal_back(moment), pgettext("step", "Deal"), _("Previous deal, or its start")),
        ("trick-back", course.trick_back(moment), pgettext("step", "Trick"), _("Previous trick")),
        ("trick-on", course.trick_on(moment), pgettext("step", "Trick"), _("Next trick")),
        ("deal-on", course.deal_on(moment), pgettext("step", "Deal"), pgettext("step", "Next deal")),
        ("last", course.last, pgettext("step", "End"), _("End of the match")),
    )
    return [
        {"id": name, "address": _address(to), "word": word, "label": label, "is_off": to == moment}
        for name, to, word, label in ways
    ]


# The moves


def _moves(scene: Scene) -> Iterator[Context]:
    """Yield each step of the deal, the lines of the play log that belong to it, and what was legal then."""
    frame = frame_of(scene.deal.table, scene.names, scene.reading)
    deal, bids = scene.moment.deal, scene.course.lengths[scene.moment.deal].bids
    for step, lines in enumerate(_by_step(frame)):
        context: Context = {
            "step": step,
            "address": _address(Moment(deal, step)),
            "is_current": step == scene.moment.step,
            "lines": lines,
            "legal": None,
            "remark": None,
        }
        if step > bids:
            place = step - bids - 1
            play = scene.deal.plays[place]
            context["legal"] = _legal(scene, play.legal, scene.deal.table.trump, play.duty, played=play.card)
            if scene.analysis is not None and scene.analysis.moves:
                small = small_cards(scene.reading.letters)
                context["remark"] = analysis_region.remark(scene.analysis.moves[place], small)
        yield context


def _by_step(frame: Frame) -> list[list[Context]]:
    """Return the lines of the play log by step: what came before a bid or card belongs to it."""
    steps: list[list[Context]] = [[]]
    before: list[Context] = []
    for line in play_log.play_log(frame.reader, *play_log.play_log_parts(frame))["entries"]:
        if line["kind"] in ("bid", "card"):
            steps.append([*before, line])
            before = []
        elif line["kind"] == "incident":
            before.append(line)
        else:
            steps[-1].append(line)
    steps[-1] += before
    return steps


def _legal(
    scene: Scene, legal: Mask, trump: Suit | None, duty: Duty | None, played: Card | None = None
) -> Context | None:
    """Return the cards that a seat might play, and the rule that says so; None when it has none to play."""
    if duty is None:
        return None
    small = small_cards(scene.reading.letters)
    cards = in_hand_order(legal, trump, weakest_first=scene.reading.weakest_first)
    return {
        "rule": duty.rule,
        "cards": [{"html": small[card], "is_played": card == played} for card in cards],
    }


def small_cards(letters: str) -> tuple[str, ...]:
    """Return the 32 cards as they stand in a line of text, rendered, indexed by card."""
    return _small_cards(get_language(), letters)


@lru_cache(maxsize=64)
def _small_cards(language: str | None, letters: str) -> tuple[str, ...]:
    # The language is the active one; it is an argument because the cache has to know.
    return tuple(render_to_string("games/replay/small_card.html", {"card": face}) for face in card_faces(letters))


# The deals


def _deal(reader: Reader, scene: Scene, result: DealResult) -> Context:
    is_last = result is scene.end.results[-1]
    verdict = score_sheet.verdict(reader, result, is_broken_off=is_last and score_sheet.broken_off(scene.end))
    return {
        "number": result.number,
        "label": _("Deal %(number)d") % {"number": result.number},
        "address": _address(Moment(result.number, 0)),
        "is_current": result.number == scene.moment.deal,
        "suit": "" if result.trump is None else SUIT_CLASSES[result.trump],
        "verdict": verdict,
        "scores": None if result.score is None else reader.both(result.score.scores),
    }
