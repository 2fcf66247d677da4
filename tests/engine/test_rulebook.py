"""The rules are written down twice, for developers and for players, and cited by number: the numbers agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from games.rulebook import SECTIONS

ROOT = Path(__file__).parents[2]
RULES_PAGE = (ROOT / "docs" / "rules.md").read_text()
ENGINE_FILES = sorted((ROOT / "games" / "engine").glob("*.py"))


def test_given_both_texts_of_the_rules_when_compared_then_same_sections_and_numbers_in_order() -> None:
    sections = re.findall(r"^## (R\d) ", RULES_PAGE, re.MULTILINE)
    rules = re.findall(r"^- \*\*(R\d\.\d)\*\* ", RULES_PAGE, re.MULTILINE)

    assert [section.number for section in SECTIONS] == sections
    assert [rule.number for section in SECTIONS for rule in section.rules] == rules
    assert len(set(rules)) == len(rules)
    assert all(rule.number.startswith(section.number + ".") for section in SECTIONS for rule in section.rules)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in ENGINE_FILES])
def test_given_an_engine_file_when_it_cites_a_rule_then_the_rule_exists(path: Path) -> None:
    known = {rule.number for section in SECTIONS for rule in section.rules} | {s.number for s in SECTIONS}

    assert set(re.findall(r"\bR\d(?:\.\d+)?\b", path.read_text())) <= known


def test_given_a_rule_text_when_it_points_to_another_rule_then_that_rule_exists() -> None:
    known = {rule.number for section in SECTIONS for rule in section.rules}

    with override("en"):
        texts = [str(rule.text) for section in SECTIONS for rule in section.rules]

    assert all(text.endswith(".") for text in texts)
    assert set(re.findall(r"R\d\.\d+", " ".join(texts))) <= known
