"""Staff page of what is striking about how people play: numbers with their sizes, and what else may explain them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from accounts.staff_links import in_its_direction, list_address, moment, to_person
from accounts.staff_pages import QueueLine, StaffPages
from games import hints
from games.hints import Signal
from games.models import Hint, Match, Report
from games.results import percentage

NO_PROOF = gettext_lazy(
    "Hints, not proof: numbers of the last thirty days, measured every hour for whoever has played. Nothing follows "
    "from them by itself. Look at the matches before you decide anything."
)

_WORDS = {
    Signal.NEAR: gettext_lazy("Partner in the same network"),
    Signal.FORESEEING: gettext_lazy("Plays as if seeing hidden cards"),
    Signal.LEAVING: gettext_lazy("Leaves matches"),
    Signal.REPORTED: gettext_lazy("Reported by several people"),
    Signal.STALLING: gettext_lazy("Lets the time run out"),
}


class SignalFilter(admin.SimpleListFilter):
    """Which signal is above its threshold."""

    title = gettext_lazy("what is striking")
    parameter_name = "signal"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [*((str(signal), words) for signal, words in _WORDS.items()), ("any", gettext_lazy("Any of these"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Hint]) -> QuerySet[Hint]:
        if self.value() in set(Signal):
            return queryset.filter(**{f"is_{self.value()}": True})
        return queryset.filter(striking__gt=0) if self.value() == "any" else queryset


class KindFilter(admin.SimpleListFilter):
    """Whether somebody has an account."""

    title = gettext_lazy("account or guest")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [("account", gettext_lazy("Accounts")), ("guest", gettext_lazy("Guests"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Hint]) -> QuerySet[Hint]:
        known = {"account": False, "guest": True}
        return queryset.filter(user__is_guest=known[self.value()]) if self.value() in known else queryset


@admin.register(Hint)
class HintAdmin(StaffPages):
    list_display = (
        "person",
        "what_is_striking",
        "matches",
        "partner_near",
        "better_cards",
        "matches_left",
        "turns_run_out",
        "people_who_reported",
    )
    list_display_links = ("person",)
    list_filter = (SignalFilter, KindFilter)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__guest_number__exact", "user__public_id__exact")
    ordering = ("-striking", F("distance").desc(nulls_last=True), "-computed_at", "pk")
    readonly_fields = (
        "account",
        "what_is_striking",
        "measured_at",
        "matches_played",
        "partner_near",
        "different_partners",
        "most_frequent_partner",
        "analysed",
        "better_cards",
        "errors",
        "distance_from_people",
        "best_cards",
        "cost_of_a_card",
        "matches_left",
        "last_left",
        "turns_run_out",
        "turns_in_a_match",
        "people_who_reported",
    )
    change_form_template = "admin/games/hint.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hint]:
        """All but that of who asks: nobody judges themselves, nor learns that somebody has reported them. Those of
        staff are for administrators."""
        others = super().get_queryset(request).exclude(user=request.user.pk)
        return others if request.user.has_perm("accounts.manage_staff") else others.exclude(user__is_staff=True)

    def queue(self, request: HttpRequest) -> QueueLine:
        striking = self.get_queryset(request).filter(striking__gt=0)
        return QueueLine(
            gettext_lazy("People of whom something is striking"), striking.count(), list_address(Hint, signal="any")
        )

    def label_of(self, subject: Hint) -> str:
        return subject.user.display_name

    def acts_on(self, subject: Hint) -> dict[str, str]:
        return {"person": str(subject.user.public_id)}

    def get_fieldsets(self, request: HttpRequest, obj: Hint | None = None) -> list[tuple[str | None, dict[str, Any]]]:
        """Each signal with its numbers, under a sentence of what is striking and what else may explain it."""
        return [
            (None, {"fields": ("account", "what_is_striking", "measured_at", "matches_played")}),
            (
                str(_WORDS[Signal.NEAR]),
                {
                    "fields": ("partner_near", "different_partners", "most_frequent_partner"),
                    "description": gettext(
                        "Striking from %(least)s rated matches on, when they are half of those that can be compared. "
                        "Families, schools and mobile networks share a network too, and friends like to sit together: "
                        "look whether these two win more together than apart, and how their cards fit together."
                    )
                    % {"least": hints.LEAST_NEAR},
                },
            ),
            (
                str(_WORDS[Signal.FORESEEING]),
                {
                    "fields": (
                        "analysed",
                        "better_cards",
                        "errors",
                        "distance_from_people",
                        "best_cards",
                        "cost_of_a_card",
                    ),
                    "description": gettext(
                        "Analysed deals tell what each card was worth with open hands, and what the hard computer "
                        "would have played without seeing them. Where the two are worth different points, an honest "
                        "person’s card is the better one about as often as not. Striking from %(cards)s cards and "
                        "%(errors)s standard errors on, and only when it is also %(distance)s spreads above what other "
                        "people have. A very strong player may come near; few deals may mislead."
                    )
                    % {
                        "cards": hints.LEAST_CARDS,
                        "errors": number_format(hints.LEAST_ERRORS, 0),
                        "distance": number_format(hints.LEAST_DISTANCE, 0),
                    },
                },
            ),
            (
                str(_WORDS[Signal.LEAVING]),
                {
                    "fields": ("matches_left", "last_left"),
                    "description": gettext(
                        "Striking from %(least)s matches and %(share)s of all on. A bad connection is not leaving: "
                        "only who leaves on purpose, or never comes back, has left."
                    )
                    % {"least": hints.LEAST_LEFT, "share": percentage(round(100 * hints.LEFT_SHARE), 100)},
                },
            ),
            (
                str(_WORDS[Signal.STALLING]),
                {
                    "fields": ("turns_run_out", "turns_in_a_match"),
                    "description": gettext(
                        "Striking from %(least)s turns and one in each match on. A slow or broken connection looks "
                        "the same."
                    )
                    % {"least": hints.LEAST_LATE},
                },
            ),
            (
                str(_WORDS[Signal.REPORTED]),
                {
                    "fields": ("people_who_reported",),
                    "description": gettext(
                        "Striking from %(least)s different people on, and one in %(matches)s matches. Reports in "
                        "which staff found nothing do not count. Several people may have agreed to report somebody."
                    )
                    % {"least": hints.LEAST_REPORTERS, "matches": round(1 / hints.REPORTER_SHARE)},
                },
            ),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"note": NO_PROOF, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        hint = self.get_object(request, object_id)
        shown = {} if hint is None else {"note": NO_PROOF, "links": self._links(request, hint)}
        return super().change_view(request, object_id, form_url, {**shown, **(extra_context or {})})

    def _links(self, request: HttpRequest, hint: Hint) -> list[dict[str, str]]:
        found = {
            "games.view_match": (gettext("Their matches"), list_address(Match, seats__user=hint.user_id)),
            "games.view_report": (
                gettext("Reports about them"),
                list_address(Report, reported=hint.user_id, state="all"),
            ),
        }
        return [
            {"label": label, "address": address}
            for permission, (label, address) in found.items()
            if request.user.has_perm(permission)
        ]

    @admin.display(description=gettext_lazy("person"), ordering="user__username")
    def person(self, hint: Hint) -> str | None:
        return in_its_direction(hint.user.display_name)

    @admin.display(description=gettext_lazy("person"))
    def account(self, hint: Hint) -> str:
        return to_person(hint.user)

    @admin.display(description=gettext_lazy("what is striking"), ordering="striking")
    def what_is_striking(self, hint: Hint) -> str | None:
        return " · ".join(str(words) for signal, words in _WORDS.items() if getattr(hint, f"is_{signal}")) or None

    @admin.display(description=gettext_lazy("measured at"))
    def measured_at(self, hint: Hint) -> str:
        return moment(hint.computed_at)

    @admin.display(description=gettext_lazy("matches"))
    def matches_played(self, hint: Hint) -> str:
        return gettext("%(matches)s, of which rated: %(rated)s") % {"matches": hint.matches, "rated": hint.rated}

    @admin.display(description=gettext_lazy("same network"), ordering="near")
    def partner_near(self, hint: Hint) -> str | None:
        return _of(hint.near, hint.compared)

    @admin.display(description=gettext_lazy("different partners there"))
    def different_partners(self, hint: Hint) -> int:
        return hint.near_partners

    @admin.display(description=gettext_lazy("with the most frequent partner"))
    def most_frequent_partner(self, hint: Hint) -> str | None:
        return _of(hint.closest, hint.partnered)

    @admin.display(description=gettext_lazy("cards that were compared"))
    def analysed(self, hint: Hint) -> str:
        return gettext("%(cards)s, of analysed deals: %(deals)s") % {"cards": hint.cards, "deals": hint.deals}

    @admin.display(description=gettext_lazy("better cards"), ordering="better")
    def better_cards(self, hint: Hint) -> str | None:
        return _of(hint.better, hint.better + hint.worse)

    @admin.display(description=gettext_lazy("standard errors above one half"))
    def errors(self, hint: Hint) -> str | None:
        played = hints.Play(better=hint.better, worse=hint.worse)
        return number_format(played.errors, 1) if hint.cards else None

    @admin.display(description=gettext_lazy("spreads above what people have"))
    def distance_from_people(self, hint: Hint) -> str | None:
        return None if hint.distance is None else number_format(hint.distance, 1)

    @admin.display(description=gettext_lazy("best cards with open hands"))
    def best_cards(self, hint: Hint) -> str | None:
        return _of(hint.best, hint.cards)

    @admin.display(description=gettext_lazy("points a card cost"))
    def cost_of_a_card(self, hint: Hint) -> str | None:
        if not hint.cards:
            return None
        own, hards = (number_format(cost / hint.cards, 1) for cost in (hint.cost, hint.hards_cost))
        return gettext("%(own)s; the hard computer in their place: %(hards)s") % {"own": own, "hards": hards}

    @admin.display(description=gettext_lazy("left"), ordering="left")
    def matches_left(self, hint: Hint) -> str | None:
        return _of(hint.left, hint.matches)

    @admin.display(description=gettext_lazy("the last time"))
    def last_left(self, hint: Hint) -> str:
        return moment(hint.last_left_at)

    @admin.display(description=gettext_lazy("late turns"), ordering="late")
    def turns_run_out(self, hint: Hint) -> int:
        return hint.late

    @admin.display(description=gettext_lazy("late turns in a match, on average"))
    def turns_in_a_match(self, hint: Hint) -> str:
        return number_format(hint.late / max(1, hint.matches), 1)

    @admin.display(description=gettext_lazy("reported by"), ordering="reporters")
    def people_who_reported(self, hint: Hint) -> int:
        return hint.reporters


def _of(part: int, whole: int) -> str | None:
    """Return a number with its size and share; None of nothing."""
    if not whole:
        return None
    words = {"part": part, "whole": whole, "share": percentage(part, whole)}
    return gettext("%(part)s of %(whole)s (%(share)s)") % words
