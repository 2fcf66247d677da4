"""What a user name may look like, when two spellings are one name, and when two names look alike.

Spelling follows the PRECIS profile UsernameCasePreserved (RFC 8265) after NFKC; looking alike follows the skeletons of
UTS #39. Nothing here reads the database: `models.TakenName` knows which names are taken.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby

from confusable_homoglyphs.categories import alias as script_of
from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy
from precis_i18n import get_profile

SHORTEST, LONGEST = 2, 20
# A Thai consonant carries a vowel and a tone; a third mark on one letter is a heap meant to spill over other lines.
_MARKS_ON_A_LETTER = 2
_SEPARATORS = "._-"
_NO_SCRIPT = {"COMMON", "INHERITED"}
# UTS #39 writes these marks into its data to show right-to-left characters in a left-to-right file.
_MARK_IN_THE_DATA = "\u200e"

RESERVED = (
    "admin",
    "administrator",
    "moderator",
    "mod",
    "staff",
    "support",
    "system",
    "root",
    "belote",
    "official",
    "security",
    "webmaster",
    "guest",
    "administrateur",
    "modérateur",
    "modératrice",
    "équipe",
    "invité",
    "administraator",
    "moderaator",
    "haldur",
    "külaline",
    "แอดมิน",
    "ผู้ดูแล",
    "ผู้ดูแลระบบ",
)


def tidy(text: str) -> str:
    """The one way in which a name is stored and shown, whatever way it was typed in: NFKC, no space around it."""
    name = unicodedata.normalize("NFKC", text).strip()
    # NFKC takes SARA AM (Thai, Lao) apart, and fonts do not put it together again around a tone mark.
    return name.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")


def fold(text: str) -> str:
    """Equal for two spellings exactly when they are one name: case, width and composition do not count."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).strip().casefold())


def letters_alone(text: str) -> str:
    """The name without case, width, accents and separators: what variants of one name share when tries are counted."""
    plain = unicodedata.normalize("NFKD", fold(text))
    return "".join(sign for sign in plain if not unicodedata.combining(sign) and sign not in _SEPARATORS)


def skeletons(text: str) -> frozenset[str]:
    """What the name looks like, as it is written and in small and in capital letters. Two names are told apart as long
    as they share none: `Iimes` shares one with `limes`, `0tto` one with `otto`, and one name all with itself."""
    name = unicodedata.normalize("NFKC", text).strip()
    return frozenset(_skeleton(spelling) for spelling in (name, fold(name), name.upper()))


def check_spelling(text: str) -> None:
    """Raises ValidationError, with what to do about it, for a name that cannot be read or typed by others."""
    name = unicodedata.normalize("NFKC", text).strip()
    length = sum(not unicodedata.category(sign).startswith("M") for sign in name)
    if not SHORTEST <= length <= LONGEST:
        raise ValidationError(
            gettext_lazy("Choose a name of %(shortest)s to %(longest)s letters."),
            code="name_length",
            params={"shortest": SHORTEST, "longest": LONGEST},
        )
    if not all(_may_stand_in_a_name(sign) for sign in name) or not _passes_precis(name):
        raise ValidationError(
            gettext_lazy("Use letters and digits, with a dot, a hyphen or an underscore between them."),
            code="name_signs",
        )
    if name[0] in _SEPARATORS or name[-1] in _SEPARATORS or unicodedata.category(name[0]).startswith("M"):
        raise ValidationError(gettext_lazy("Begin and end the name with a letter or a digit."), code="name_ends")
    if not any(unicodedata.category(sign).startswith("L") for sign in name):
        raise ValidationError(gettext_lazy("Use at least one letter."), code="name_letters")
    if len({script_of(sign) for sign in name} - _NO_SCRIPT) > 1:
        raise ValidationError(
            gettext_lazy("Write the name in one script: it mixes letters of several alphabets."), code="name_scripts"
        )
    if _has_a_heap_of_marks(name):
        raise ValidationError(gettext_lazy("Use fewer accents on one letter."), code="name_marks")


def check_reserved(text: str) -> None:
    """Raises ValidationError for a name that would be taken for the site's own, however it is dressed up."""
    core = "".join(sign for sign in tidy(text) if sign not in _SEPARATORS).rstrip("0123456789")
    if _looks_of(core) & _reserved_looks() or letters_alone(text).startswith("guest"):
        raise ValidationError(gettext_lazy("This name is reserved. Choose another one."), code="name_reserved")


def _may_stand_in_a_name(sign: str) -> bool:
    # Signs of phonetics, which look like capitals and which no confusables data knows.
    if "SMALL CAPITAL" in unicodedata.name(sign, ""):
        return False
    return sign in _SEPARATORS or unicodedata.category(sign)[0] in "LM" or unicodedata.category(sign) == "Nd"


def _passes_precis(name: str) -> bool:
    try:
        get_profile("UsernameCasePreserved").enforce(name)
    except UnicodeEncodeError:
        return False
    return True


def _has_a_heap_of_marks(name: str) -> bool:
    marks = (unicodedata.category(sign) == "Mn" for sign in unicodedata.normalize("NFD", name))
    return any(mark and len(list(run)) > _MARKS_ON_A_LETTER for mark, run in groupby(marks))


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    for _ in range(len(text) + 1):
        looks = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
        if looks == text:
            break
        text = looks
    return text


def _looks_of(word: str) -> frozenset[str]:
    """What a word looks like with its accents and without: nobody takes an accent for a difference in a title."""
    return skeletons(word) | skeletons(letters_alone(word))


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset().union(*(_looks_of(word) for word in RESERVED))


@cache
def _prototypes() -> dict[str, str]:
    """Each confusable character and what stands for all that look like it.

    The library has lost which of a family of look-alikes is the prototype, so that any choice will do that all members
    agree on; only a sequence (m looks like rn) has to be one, since it is no single character that could be replaced.
    """
    prototypes: dict[str, str] = {}
    for first in confusables_data:
        if first in prototypes:
            continue
        family, waiting = set(), [first]
        while waiting:
            member = waiting.pop()
            if member not in family:
                family.add(member)
                waiting += [look["c"] for look in confusables_data.get(member, [])]
        prototype = min(family, key=lambda member: (len(_plain(member)) == 1, len(member), member))
        prototypes |= dict.fromkeys(family, _plain(prototype))
    return {_plain(member): prototype for member, prototype in prototypes.items() if len(_plain(member)) == 1}


def _plain(member: str) -> str:
    return member.replace(_MARK_IN_THE_DATA, "")
