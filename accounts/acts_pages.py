"""The page on which staff read what staff did: by whom, when, to what, why. Nothing of it can be changed.

Nobody reads there what was done about themselves (`accounts.acts`); what they are to know of it, the notice of a
sanction tells them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts.acts import acts_visible_to, ids_of, people_by_id
from accounts.audit import MODEL_OF
from accounts.models import Sanction, StaffAct, User
from accounts.staff_links import in_its_direction
from accounts.staff_pages import StaffPages

_SERVER = "server"
_NAMES_FOUND = 100
"""How many people a search by name may mean."""

_SEATS = (
    pgettext_lazy("seat", "North"),
    pgettext_lazy("seat", "East"),
    pgettext_lazy("seat", "South"),
    pgettext_lazy("seat", "West"),
)
"""By the number that `StaffAct.detail` has."""

_WORDS: Final[dict[str, Promise]] = {
    "kind": gettext_lazy("kind"),
    "scope": gettext_lazy("what is barred"),
    "ground": gettext_lazy("reason"),
    "until": gettext_lazy("until"),
    "report": gettext_lazy("report"),
    "resolution": gettext_lazy("what came of it"),
    "seat": gettext_lazy("seat"),
    "taken_from": gettext_lazy("taken from"),
}
"""What the parts of `StaffAct.detail` are called."""


class _Acts(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = _with_people(self.result_list)


class _Who(admin.SimpleListFilter):
    """The members of staff who did something, and the server."""

    title = gettext_lazy("who")
    parameter_name = "staff"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        ids = set(model_admin.get_queryset(request).order_by().values_list("staff", flat=True).distinct())
        people = people_by_id(ids - {None})
        offered = [(str(one), _name(people.get(one))) for one in ids - {None}]
        server = [(_SERVER, gettext("The server"))] if None in ids else []
        return sorted(offered, key=lambda one: one[1].casefold()) + server

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        asked = self.value()
        if asked is None:
            return queryset
        if asked == _SERVER:
            return queryset.filter(staff=None)
        staff = _uuid(asked)
        return queryset.none() if staff is None else queryset.filter(staff=staff)


class _Whom(admin.SimpleListFilter):
    """Whom acts concerned, by any id that the person has or had: named in an address, and then shown."""

    title = gettext_lazy("whom it concerned")
    parameter_name = "person"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        asked = self.value()
        person = None if asked is None else _uuid(asked)
        return [] if person is None else [(str(asked), _name(people_by_id([person]).get(person)))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        asked = self.value()
        if asked is None:
            return queryset
        person = _uuid(asked)
        return queryset.none() if person is None else queryset.filter(person__in=ids_of([person]))


class _Kind(admin.ChoicesFieldListFilter):
    """The kinds of things that something was done to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = gettext_lazy("kind")


class StaffActAdmin(StaffPages):
    list_display = ("when", "who", "what", "to_what", "whom", "reason")
    list_display_links = ("when",)
    list_filter = (_Who, _Whom, "act", ("subject", _Kind), "at")
    search_fields = ("why",)
    linked = ("subject_id",)
    search_help_text = gettext_lazy("A name, the number or id of what it was done to, or words of the reason")
    date_hierarchy = "at"
    ordering = ("-at", "-pk")
    fields = readonly_fields = ("at", "who", "what", "to_what", "whom", "reason", "in_detail")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return acts_visible_to(request.user).order_by(*self.ordering)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _Acts

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> StaffAct | None:
        act = super().get_object(request, object_id, from_field)
        return None if act is None else _with_people([act])[0]

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        named = User.objects.filter(username__icontains=term).values_list("public_id", flat=True)[:_NAMES_FOUND]
        ids = ids_of([*named, *filter(None, [_uuid(term)])])
        found = Q(why__icontains=term) | Q(subject_id=term) | Q(staff__in=ids) | Q(person__in=ids)
        return queryset.filter(found), False

    def acts_on(self, subject: StaffAct) -> dict[str, str]:
        """An act has no history; what it was done to has one."""
        return {"subject": subject.subject, "subject_id": subject.subject_id}

    @admin.display(description=gettext_lazy("when"), ordering="at")
    def when(self, act: StaffAct) -> datetime:
        return act.at

    @admin.display(description=gettext_lazy("who"))
    def who(self, act: StaffAct) -> str | SafeString:
        return gettext("The server") if act.staff is None else _linked(act, act.staff)

    @admin.display(description=gettext_lazy("what"), ordering="act")
    def what(self, act: StaffAct) -> str:
        return act.get_act_display()

    @admin.display(description=gettext_lazy("to what"), ordering="subject")
    def to_what(self, act: StaffAct) -> str | SafeString:
        label = act.get_subject_display()
        if act.subject == StaffAct.Subject.PERSON:
            return label
        words = f"{label} {act.subject_id}" if act.subject_id.isdigit() else label
        return _row(act.subject, act.subject_id, words)

    @admin.display(description=gettext_lazy("whom it concerned"))
    def whom(self, act: StaffAct) -> str | SafeString | None:
        return None if act.person is None else _linked(act, act.person)

    @admin.display(description=StaffAct._meta.get_field("why").verbose_name, ordering="why")
    def reason(self, act: StaffAct) -> SafeString | None:
        return in_its_direction(act.why)

    @admin.display(description=gettext_lazy("in detail"))
    def in_detail(self, act: StaffAct) -> SafeString | None:
        parts = [(_WORDS.get(key, key), _said(act, key)) for key in act.detail]
        return format_html_join(", ", "{}: {}", [part for part in parts if part[1] is not None]) or None


def _with_people(acts: Iterable[StaffAct]) -> list[StaffAct]:
    """Tell each act the people whom it names, with one query for all of them."""
    rows = list(acts)
    ids = {one for act in rows for one in (act.staff, act.person, _uuid(act.detail.get("taken_from", "")))}
    people = people_by_id(ids - {None})
    for act in rows:
        act.people = people
    return rows


def _name(person: User | None) -> str:
    return gettext("Deleted account") if person is None else person.display_name


def _linked(act: StaffAct, public_id: UUID) -> str | SafeString:
    """Return a person's name, with a link to their page; `_with_people` has looked them up."""
    person = act.people.get(public_id)
    if person is None:
        return _name(None)
    address = reverse("admin:accounts_user_change", args=[person.pk])
    return format_html('<a href="{}"><bdi>{}</bdi></a>', address, _name(person))


def _row(subject: str, key: str | int, words: str) -> str | SafeString:
    """Return the words for a row, with a link to its page if rows of its kind have any."""
    model: type[Model] = apps.get_model(MODEL_OF[StaffAct.Subject(subject)])
    if not admin.site.is_registered(model):
        return words
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[key])
    return format_html('<a href="{}">{}</a>', address, words)


def _said(act: StaffAct, key: str) -> object:
    """Return a part of the detail in the words of the active language; None when there is nothing to say of it."""
    value = act.detail[key]
    if key == "until":
        return _end(act, value)
    if value is None:
        return None
    match key:
        case "kind":
            return Sanction.Kind(value).label
        case "scope":
            return Sanction.Scope(value).label
        case "ground":
            return Sanction.Ground(value).label
        case "resolution":
            field = apps.get_model(MODEL_OF[StaffAct.Subject.REPORT])._meta.get_field("resolution")
            return dict(field.flatchoices)[value]
        case "seat":
            return _SEATS[value]
        case "report":
            return _row(StaffAct.Subject.REPORT, value, str(value))
        case "taken_from":
            return _linked(act, UUID(value))
    return value


def _end(act: StaffAct, until: str | None) -> str | None:
    if act.act == StaffAct.Act.WARN:
        return None
    return gettext("for good") if until is None else date_format(datetime.fromisoformat(until), "DATETIME_FORMAT")


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
