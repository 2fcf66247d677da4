"""English, French, Estonian and Thai are complete: no sentence is missing, doubtful, stale or without its values."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format

from tests.conftest import require
from tests.site_process import ROOT

TRANSLATIONS = [code for code, _ in settings.LANGUAGES if code != "en"]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def catalogue(root: Path, language: str) -> Catalog:
    with (root / "belote_site" / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def sentences(language: str) -> list[Message]:
    return [message for message in catalogue(ROOT, language) if message.id]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_sentence_is_translated(language: str) -> None:
    unfinished = [m.id for m in sentences(language) if m.fuzzy or not all(forms(m.string))]
    assert unfinished == []
    assert not catalogue(ROOT, language).obsolete
    assert not catalogue(ROOT, language).fuzzy


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_translation_holds_the_values_of_its_sentence(language: str) -> None:
    for message in sentences(language):
        expected = {frozenset(PLACEHOLDER.findall(form)) for form in forms(message.id)}
        for form in forms(message.string):
            assert frozenset(PLACEHOLDER.findall(form)) in expected, message.id


def test_the_catalogues_hold_what_the_sources_say_today(tmp_path: Path) -> None:
    require(shutil.which("xgettext"), "there is no xgettext (Debian package gettext)")
    # given a copy of the sources and of the catalogues
    for part in ("accounts", "belote_site", "games", "templates"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    # when
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--no-obsolete"]
        + [argument for language in TRANSLATIONS for argument in ("--locale", language)],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    # then
    for language in TRANSLATIONS:
        stored = {(m.context, str(m.id)) for m in sentences(language)}
        wanted = {(m.context, str(m.id)) for m in catalogue(tmp_path, language) if m.id}
        assert stored == wanted, f"run `make messages` and translate: {language}"


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_times_are_written_by_24_hours(language: str) -> None:
    evening = datetime(2026, 11, 30, 21, 5, tzinfo=UTC)
    with translation.override(language):
        for form in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT", "TIME_FORMAT"):
            assert "21:05" in date_format(evening, form)
