"""The HTML of a first page and of the messages that keep it up to date."""

from __future__ import annotations

import random
import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games import rendering
from games.engine.cards import Suit
from games.engine.errors import Reason, ReasonCode
from games.engine.rules import BeloteCall, RuleSet, Undertrump
from games.engine.seats import BySeat, Seat
from games.engine.view import table_view
from games.rendering import Frame, Reading, Sitter
from games.wire import Fault
from tests.engine.given import Driven, E, N, S, W, at_play
from tests.properties.random_matches import random_match
from tests.web.fragments import elements, regions, text
from tests.web.shown import ENGLISH, ended, frame_of, sitters

REGION_TEMPLATES = {
    "table-topbar": "topbar",
    "felt": "felt",
    "summary": "summary",
    "status": "status",
    "actions": "actions",
    "hand": "hand",
    "score-sheet": "score_sheet",
    "last-trick": "last_trick",
    "play-log": "play_log",
    "watchers": "watchers",
    "fair-deal": "fair_deal",
}


def page_regions(frame: Frame) -> dict[str, str]:
    """Return every region of a first page."""
    context = rendering.page_context(frame)
    html = {
        name: render_to_string(f"games/table/{template}.html", context)
        for name, template in REGION_TEMPLATES.items()
        if frame.view.viewer is not None or template != "hand"
    }
    for position, seat in context["seats"].items():
        html[f"seat-{position}"] = render_to_string("games/table/seat.html", {"seat": seat})
    return {name: region.strip() for name, region in html.items()}


def without_swap(message: str) -> dict[str, str]:
    return {name: html.replace(' hx-swap-oob="morph"', "") for name, html in regions(message).items()}


def test_given_a_first_message_when_made_then_it_holds_the_whole_page_behind_its_version() -> None:
    frame = frame_of(Driven().deal())

    shown = without_swap(rendering.update(frame, None))

    version = shown.pop("table-version")
    assert f'data-version="{frame.view.version}"' in version
    assert 'data-my-turn="no"' in version
    assert shown == page_regions(frame)
    assert next(iter(regions(rendering.update(frame, None)))) == "table-version"


def test_given_one_card_when_played_then_only_what_it_changes_is_sent() -> None:
    driven = at_play(BySeat("", "AC 7D", "9C AS", "KD"), "H", "N: 7C")
    before = frame_of(driven)

    driven.play("AC")
    changed = list(regions(rendering.update(frame_of(driven), before)))

    assert set(changed) == {"table-version", "felt", "status", "hand", "seat-me", "seat-right", "play-log"}
    assert changed[0] == "table-version"


def test_given_a_lost_connection_when_told_then_that_seat_alone_is_sent() -> None:
    before = frame_of(Driven().deal())
    after = before._replace(sitters=before.sitters.put(N, Sitter("Mari", connected=False)))

    assert list(regions(rendering.update(after, before))) == ["table-version", "seat-top"]


@pytest.mark.parametrize("viewer", [N, E, S, W, None], ids=str)
@pytest.mark.parametrize("belote", list(BeloteCall))
def test_given_random_matches_when_only_changes_are_sent_then_the_page_is_as_new(
    viewer: Seat | None, belote: BeloteCall
) -> None:
    rng = random.Random(f"{viewer} {belote}")
    shown: dict[str, str] = {}
    before: Frame | None = None

    for _, state in random_match(rng, RuleSet(belote=belote, undertrump=Undertrump.MAY), deals=3, take=0.2):
        frame = Frame(table_view(state, viewer), sitters(), ENGLISH)
        message = rendering.update(frame, before)
        shown |= without_swap(message)
        del shown["table-version"]
        assert shown == page_regions(frame)
        before = frame


def test_given_other_index_letters_when_told_then_everything_is_sent() -> None:
    before = frame_of(Driven().deal())
    after = before._replace(reading=Reading("VDRA", weakest_first=False))

    assert len(regions(rendering.update(after, before))) == len(regions(rendering.update(after, None)))


def test_given_equal_positions_when_rendered_then_the_bytes_are_equal() -> None:
    rng, twin_rng = random.Random(8), random.Random(8)

    for (_, state), (_, twin) in zip(
        random_match(rng, RuleSet(), deals=2), random_match(twin_rng, RuleSet(), deals=2), strict=True
    ):
        twin = twin._replace(next_said=frozenset(reversed(list(twin.next_said))))
        one, other = (Frame(table_view(each, S), sitters(), ENGLISH) for each in (state, twin))
        assert rendering.update(one, None) == rendering.update(other, None)


def test_given_a_hostile_name_when_rendered_then_it_is_text() -> None:
    hostile = '<img src=x onerror="alert(1)"> %(name)s {{ 7 }} \'&'
    names = BySeat(*[hostile] * 4)
    positions = [
        Driven().deal(),
        Driven().deal().bid("- - D").play("AD 9C JD 9D"),
        at_play(BySeat("KH QH 7S", "7C 8S", "9H 9S", "8C TS"), "H", "N:").play("KH 7C"),
        ended((90, 62)),
        ended((90, 62), totals=(950, 900)),
    ]

    for driven in positions:
        for viewer in (S, None):
            view = table_view(driven.now, viewer)
            html = rendering.update(Frame(view, sitters(names), ENGLISH), None)
            assert not [element for element in elements(html) if element.tag == "img"]
            assert not [name for element in elements(html) for name in element.attributes if name.startswith("on")]
            assert "{{ 7 }}" in text(html)
            for region in ("seat-me", "play-log"):
                assert hostile in text(regions(html)[region])


def test_given_every_message_when_made_then_nothing_but_the_swap_is_for_htmx() -> None:
    whole = rendering.update(frame_of(ended((90, 62))), None)
    html = whole + rendering.notice("x", "info") + rendering.heartbeat(7, 1, 3)

    for element in elements(html):
        for name, value in element.attributes.items():
            if name.startswith(("hx-", "ws-", "data-hx")):
                assert (name, value) == ("hx-swap-oob", "morph")


def test_given_a_notice_and_a_heartbeat_when_made_then_each_stands_alone() -> None:
    notice, heartbeat = rendering.notice("<b>No</b>", "refusal"), rendering.heartbeat(12345, 6, 2)

    assert list(regions(notice)) == ["notice"]
    assert text(notice) == "<b>No</b>"
    assert "notice-refusal" in notice
    assert list(regions(heartbeat)) == ["heartbeat"]
    assert 'data-version="12345"' in heartbeat
    assert 'data-tab="2"' in heartbeat


def test_given_people_who_look_on_when_shown_then_their_number_and_names_are_told() -> None:
    frame = frame_of(Driven().deal())
    watched = frame._replace(watchers=("Mari", "<b>Jaan</b>"), visitors=2)

    shown = regions(rendering.update(watched, frame))

    assert set(shown) == {"table-version", "watchers"}
    assert text(shown["watchers"]) == "4 people watch: Mari, <b>Jaan</b>, 2 visitors"
    assert "<b>" not in shown["watchers"]


def test_given_a_next_match_when_it_has_started_then_the_page_is_led_there() -> None:
    assert 'data-href="/table/x/"' in regions(rendering.next_table("/table/x/"))["next-table"]


# Words

RULED = {
    Reason(ReasonCode.MATCH_OVER, "R7.1"),
    Reason(ReasonCode.NOT_YOUR_TURN, "R2.1"),
    Reason(ReasonCode.ONLY_TURNED_SUIT, "R3.1", Suit.CLUBS),
    Reason(ReasonCode.NOT_TURNED_SUIT, "R3.2", Suit.CLUBS),
    Reason(ReasonCode.NO_BELOTE, "R5.5"),
    *(Reason(ReasonCode.MUST_FOLLOW, "R4.2", suit) for suit in Suit),
    Reason(ReasonCode.MUST_BEAT_TRUMP, "R4.3", Suit.CLUBS),
    Reason(ReasonCode.MUST_FOLLOW_TRUMP, "R4.3", Suit.CLUBS),
    Reason(ReasonCode.MUST_RUFF, "R4.5", Suit.CLUBS),
    Reason(ReasonCode.MUST_OVERRUFF, "R4.5", Suit.CLUBS),
    Reason(ReasonCode.MUST_UNDERTRUMP, "R4.6", Suit.CLUBS),
}
LANGUAGES = ["en", "fr", "et", "th"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_given_a_reason_when_told_then_it_is_a_sentence_that_cites_its_rule(language: str) -> None:
    with translation.override(language):
        for reason in RULED:
            assert f"({reason.rule})" in rendering.refusal_text(reason), reason
        for code in ReasonCode:
            assert rendering.refusal_text(Reason(code, suit=Suit.HEARTS))
        assert len({rendering.refusal_text(reason) for reason in RULED}) == len(RULED)


def test_given_a_fault_when_told_then_it_is_a_sentence() -> None:
    for fault in Fault:
        assert re.fullmatch(r"[A-Z][^<>]+[.]", rendering.fault_text(fault))
    assert rendering.stale_text() == "That came too late: the table has moved on."


@pytest.mark.parametrize("language", LANGUAGES)
def test_given_a_language_when_a_whole_match_is_shown_then_every_placeholder_is_filled(language: str) -> None:
    rng = random.Random(language)

    with translation.override(language):
        for _, state in random_match(rng, RuleSet(), deals=2, take=0.4):
            html = rendering.update(Frame(table_view(state, S), sitters(), ENGLISH), None)
            assert "%(" not in html
            assert regions(html)


def test_given_two_languages_when_shown_then_the_cards_are_not_mixed_up() -> None:
    frame = frame_of(Driven().deal())

    for language, king in [("en", "king of hearts"), ("fr", "roi de cœur"), ("en", "king of hearts")]:
        with translation.override(language):
            assert king in text(rendering.update(frame, None))
