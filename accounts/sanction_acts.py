"""What staff may decide about people, as acts on their pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from accounts import sanctions
from accounts.audit import Refused
from accounts.models import Sanction, User
from accounts.sanctions import SCOPES, Ground, Kind
from accounts.staff_pages import Act, ActForm

PERMISSION = "accounts.impose_sanction"

LENGTHS = {
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
    "90d": timedelta(days=90),
    "365d": timedelta(days=365),
    "for-good": None,
}


def _words_for_the_person() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("What the person is told"),
        help_text=gettext_lazy("Besides the reason. Write in a language that they read."),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class WarningForm(ActForm):
    """What all of them ask: the ground, and the words for the person."""

    ground = forms.ChoiceField(label=gettext_lazy("Reason"), choices=Ground.choices)
    text = _words_for_the_person()

    field_order = ("scope", "ground", "text", "length", "why")


def _lengths() -> list[tuple[str, str]]:
    return [(name, length_in_words(length)) for name, length in LENGTHS.items()]


class NameForm(ActForm):
    """What is asked before a name is taken away."""

    text = _words_for_the_person()

    field_order = ("text", "why")


class SanctionForm(WarningForm):
    """Asks for how long besides."""

    length = forms.ChoiceField(label=gettext_lazy("For how long"), choices=_lengths, initial="1d")


class MuteForm(SanctionForm):
    """Asks what is barred besides."""

    scope = forms.ChoiceField(
        label=gettext_lazy("What is barred"), choices=[(one.value, one.label) for one in SCOPES[Kind.MUTE]]
    )


def length_in_words(length: timedelta | None) -> str:
    """Return a length of `LENGTHS` in the active language."""
    if length is None:
        return gettext("For good")
    if length < timedelta(days=1):
        hours = length // timedelta(hours=1)
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    return ngettext("%(days)d day", "%(days)d days", length.days) % {"days": length.days}


def _imposes(kind: Kind, done: Promise) -> Callable[[User, User, dict[str, Any]], str]:
    def do(staff: User, person: User, cleaned: dict[str, Any]) -> str:
        sanctions.impose(
            staff,
            person,
            kind,
            cleaned.get("scope") or SCOPES[kind][0],
            cleaned["ground"],
            cleaned["text"],
            LENGTHS[cleaned["length"]] if "length" in cleaned else None,
            cleaned["why"],
            cleaned["report"],
        )
        return str(done)

    return do


def _lift(staff: User, sanction: Sanction, cleaned: dict[str, Any]) -> str:
    sanctions.lift(staff, sanction, cleaned["why"])
    return gettext("It is lifted, and nothing of it holds any more.")


def _take_name(staff: User, person: User, cleaned: dict[str, Any]) -> str:
    sanctions.take_name(staff, person, cleaned["text"], cleaned["why"], cleaned["report"])
    return gettext("The person has a neutral name now.")


def _may_decide_about(staff: User, person: User) -> bool:
    try:
        sanctions.refuse_unless_may_act_on(staff, person)
    except Refused:
        return False
    return True


def _may_take_name(staff: User, person: User) -> bool:
    return not person.is_guest and _may_decide_about(staff, person)


def _may_lift(staff: User, sanction: Sanction) -> bool:
    is_open = Sanction.objects.in_force().filter(pk=sanction.pk).exists()
    return is_open and (sanction.user is None or _may_decide_about(staff, sanction.user))


ON_PEOPLE = (
    *(
        Act(name, label, effect, PERMISSION, _imposes(kind, done), form, _may_decide_about)
        for name, kind, form, label, effect, done in (
            (
                "warn",
                Kind.WARNING,
                WarningForm,
                gettext_lazy("Warn"),
                gettext_lazy("The person is shown the warning on every page until they say that they have read it."),
                gettext_lazy("The person is warned."),
            ),
            (
                "mute",
                Kind.MUTE,
                MuteForm,
                pgettext_lazy("sanction", "Mute"),
                gettext_lazy("The person cannot talk in rooms and at tables, and is told why."),
                gettext_lazy("The person is muted."),
            ),
            (
                "suspend",
                Kind.SUSPENSION,
                SanctionForm,
                gettext_lazy("Suspend from rated play"),
                gettext_lazy("The person cannot play rated matches, and is told why. A match that runs goes on."),
                gettext_lazy("The person is suspended from rated play."),
            ),
            (
                "ban",
                Kind.BAN,
                SanctionForm,
                gettext_lazy("Ban"),
                gettext_lazy(
                    "All pages of the person close at once and say why; a computer plays on at their table. For 30 "
                    "days no new guest comes from the networks from which they came."
                ),
                gettext_lazy("The person is banned."),
            ),
        )
    ),
    Act(
        "take-name",
        gettext_lazy("Take the name away"),
        gettext_lazy(
            "The account gets a neutral name, and its person a warning that says so. They can log in with the new name "
            "or the old one, which nobody gets."
        ),
        PERMISSION,
        _take_name,
        NameForm,
        _may_take_name,
    ),
)

ON_SANCTIONS = (
    Act(
        "lift",
        gettext_lazy("Lift"),
        gettext_lazy("It ends now, and so does what a ban keeps out besides the account."),
        PERMISSION,
        _lift,
        is_open=_may_lift,
    ),
)
