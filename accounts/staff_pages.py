"""What all pages of staff have in common: rows are looked at and never edited, and whatever is done is an act.

An act has a page of its own that says what it does and asks why. It calls a service, which checks again, does it and
writes it down (`accounts.audit`), all in one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import models
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from accounts.audit import MODEL_OF, Refused
from accounts.models import User

_HARMLESS_SUFFIXES = frozenset(
    {"", "exact", "isnull", "isempty", "gte", "gt", "lte", "lt", "in", "id__exact", "year", "month", "day"}
)

_NAMED_IN_AN_ADDRESS = frozenset({"ground", "report", "scope", "seat"})
"""What an address may fill in of the form of an act: the words and the length are for whoever sends it."""

_LONGEST_ASKED = 100
_YEAR_DIGITS = 4
_UNSTORABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|\d(_?\d){18}")
"""What databases have no place for: control characters in a text, and a number of more than eighteen digits."""


class ActForm(forms.Form):
    """What every act asks. A form that asks more derives from this one; ``subject`` is the row.

    ``report`` is the number of the report that led to it, from the address, if one did.
    """

    why = forms.CharField(
        label=gettext_lazy("Why"),
        help_text=gettext_lazy("For the record of what staff did. Other staff read it, the person does not."),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    report = forms.IntegerField(
        required=False, min_value=1, max_value=models.BigIntegerField.MAX_BIGINT, widget=forms.HiddenInput
    )

    def __init__(self, subject: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject


@dataclass(frozen=True, slots=True)
class Act:
    """Something that staff may do to a row.

    ``name`` is its part of the address, ``label`` the button, ``effect`` says what it does. ``do`` gets the member of
    staff, the row and the cleaned form, calls a service and returns the sentence to show; it may raise `Refused`.
    ``is_open`` tells whether it makes sense for a row now; the service decides.
    """

    name: str
    label: Promise
    effect: Promise
    permission: str
    do: Callable[[User, Any, dict[str, Any]], str]
    form: type[ActForm] = ActForm
    is_open: Callable[[User, Any], bool] = lambda staff, subject: True


class QueueLine(NamedTuple):
    """What waits for staff, or goes on: a line of the first page, and the list that it leads to."""

    label: Promise
    count: int
    address: str
    waits: bool = False


class StaffPages(admin.ModelAdmin):
    """The list and the page of each row of a model, for staff with the permission to view it.

    ``acts`` are what may be done to a row. ``linked`` names more fields that a list may be narrowed by in an address,
    besides its filters; every other lookup is refused, since it would tell what the pages do not show.
    """

    acts: ClassVar[Sequence[Act]] = ()
    linked: ClassVar[Sequence[str]] = ()
    actions = None
    change_form_template = "admin/staff/row.html"
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        named = [*self.linked, *([self.date_hierarchy] if self.date_hierarchy else [])]
        for one in self.get_list_filter(request):
            named.append(getattr(one, "parameter_name", None) or (one[0] if isinstance(one, tuple) else one))
        return any(
            lookup == name or (lookup.startswith(name + "__") and lookup[len(name) + 2 :] in _HARMLESS_SUFFIXES)
            for name in named
        )

    def queue(self, request: HttpRequest) -> QueueLine | None:
        """Return what the first page of staff says of these rows; None leaves them out."""
        return None

    def get_urls(self) -> list[URLPattern]:
        address = path(
            "<path:object_id>/act/<slug:act>/",
            self.admin_site.admin_view(self.act_view),
            name=f"{self.opts.app_label}_{self.opts.model_name}_act",
        )
        return [address, *super().get_urls()]

    def open_acts(self, request: HttpRequest, subject: Model) -> list[dict[str, object]]:
        """Return the acts that this member of staff may do to a row now, with their addresses."""
        return [
            {"name": act.name, "label": act.label, "address": self.act_address(subject, act.name)}
            for act in self.acts
            if request.user.has_perm(act.permission) and act.is_open(request.user, subject)
        ]

    def act_address(self, subject: Model, name: str) -> str:
        """Return the address of an act's page."""
        view = f"admin:{self.opts.app_label}_{self.opts.model_name}_act"
        return reverse(view, args=[subject.pk, name])

    def row_address(self, subject: Model) -> str:
        """Return the address of a row's page."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[subject.pk])

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            # There is nothing to do to many rows at once.
            raise PermissionDenied
        if any(
            len(asked) > (_YEAR_DIGITS if name.endswith("__year") else _LONGEST_ASKED) or _UNSTORABLE.search(asked)
            for name, asked in request.GET.items()
        ):
            raise SuspiciousOperation("A list is narrowed by short words and numbers that a database can hold.")
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            # A row is not edited, whatever is posted.
            raise PermissionDenied
        subject = self.get_object(request, object_id)
        about = (
            {} if subject is None else {"acts": self.open_acts(request, subject), "subtitle": self.label_of(subject)}
        )
        return super().change_view(request, object_id, form_url, {**about, **(extra_context or {})})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What staff did to a row is in the record of acts; Django's own log stays empty, since nothing is edited."""
        subject = self.get_object(request, object_id)
        if subject is None:
            raise Http404
        if not self.has_view_permission(request, subject):
            raise PermissionDenied
        acts = urlencode(self.acts_on(subject))
        return HttpResponseRedirect(f"{reverse('admin:accounts_staffact_changelist')}?{acts}")

    def acts_on(self, subject: Any) -> dict[str, str]:
        """Return how the list of acts is narrowed to those that a row has to do with."""
        if isinstance(subject, User):
            return {"person": str(subject.public_id)}
        kind = next((kind.value for kind, model in MODEL_OF.items() if model == self.opts.label), "")
        return {"subject": kind, "subject_id": str(subject.pk)}

    def label_of(self, subject: Any) -> str:
        """Return what a row is called on its pages, in the active language."""
        return str(subject.display_name if isinstance(subject, User) else subject)

    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """The page of an act: what it does, a form, and doing it."""
        subject = self.get_object(request, object_id)
        asked = next((one for one in self.acts if one.name == act), None)
        if subject is None or asked is None:
            raise Http404
        if not self.has_view_permission(request, subject) or not request.user.has_perm(asked.permission):
            raise PermissionDenied
        named = {name: request.GET[name] for name in _NAMED_IN_AN_ADDRESS & request.GET.keys()}
        form = asked.form(subject, request.POST if request.method == "POST" else None, initial=named)
        if request.method == "POST" and form.is_valid():
            try:
                done = asked.do(request.user, subject, form.cleaned_data)
            except Refused as refusal:
                form.add_error(None, str(refusal.sentence))
            else:
                messages.success(request, done)
                return HttpResponseRedirect(self.after(subject, asked, form.cleaned_data))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": asked.label,
            "subject": subject,
            "subject_name": self.label_of(subject),
            "row_address": add_preserved_filters({"opts": self.opts}, self.row_address(subject)),
            "way_back": self._way_back(subject, form["report"].value()),
            "act": asked,
            "form": form,
        }
        return TemplateResponse(request, "admin/staff/act.html", context, status=422 if form.errors else 200)

    def after(self, subject: Model, act: Act, cleaned: dict[str, Any]) -> str:
        """Return where to go on when an act is done."""
        return self._way_back(subject, cleaned["report"])

    def _way_back(self, subject: Model, report: object) -> str:
        """Return the address of the report that led to an act, if one did, else that of its row."""
        number = str(report or "")
        if number.isascii() and number.isdecimal():
            return reverse("admin:games_report_change", args=[number])
        return self.row_address(subject)
