"""Staff pages about people, sanctions, and what staff did."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from accounts import rights_pages
from accounts.acts_pages import StaffActAdmin
from accounts.history import history_of
from accounts.models import Sanction, StaffAct, User
from accounts.sanction_acts import ON_PEOPLE, ON_SANCTIONS
from accounts.staff_pages import Act, StaffPages


def listing(model: str, words: str, **narrowed: object) -> str:
    """Return a link to the rows of a list that have these values; its pages have to name the fields as ``linked``."""
    return format_html(
        '<a href="{}?{}">{}</a>', reverse(f"admin:accounts_{model}_changelist"), urlencode(narrowed), words
    )


@admin.register(User)
class UserAdmin(StaffPages):
    acts = (*ON_PEOPLE, *rights_pages.ACTS)
    change_form_template = "admin/accounts/user.html"
    list_display = ("display_name", "is_guest", "is_active", "is_staff", "decisions", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "public_id")
    ordering = ("-date_joined",)
    fields = (
        "public_id",
        "username",
        "email",
        "is_guest",
        "guest_number",
        "is_active",
        "is_staff",
        "date_joined",
        "last_login",
        "decisions",
        "acts_about",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).annotate(decision_count=Count("sanctions"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        person = self.get_object(request, object_id)
        history = [] if person is None else history_of(person, request.user)
        return super().change_view(request, object_id, form_url, {"history": history, **(extra_context or {})})

    def after(self, subject: Model, act: Act, cleaned: dict[str, Any]) -> str:
        """Back to the report that led to it, if one did."""
        if cleaned.get("report"):
            return reverse("admin:games_report_change", args=[cleaned["report"]])
        return super().after(subject, act, cleaned)

    @admin.display(description=gettext_lazy("sanctions"), ordering="decision_count")
    def decisions(self, person: User) -> str:
        if not person.decision_count:
            return "0"
        return listing("sanction", str(person.decision_count), user=person.pk)

    @admin.display(description=gettext_lazy("what staff did"))
    def acts_about(self, person: User) -> str:
        return listing("staffact", gettext("About this person"), person=person.public_id)


class InForce(admin.SimpleListFilter):
    """Narrows sanctions to those that hold now, or to all others."""

    title = gettext_lazy("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", gettext("Yes")), ("no", gettext("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Sanction]) -> QuerySet[Sanction]:
        held = Sanction.objects.in_force().values("pk")
        match self.value():
            case "yes":
                return queryset.filter(pk__in=held)
            case "no":
                return queryset.exclude(pk__in=held)
        return queryset


@admin.register(Sanction)
class SanctionAdmin(StaffPages):
    acts = ON_SANCTIONS
    list_display = ("__str__", "whose", "kind", "scope", "ground", "starts_at", "until", "lifted_at")
    list_filter = (InForce, "kind", "ground")
    list_select_related = ("user",)
    linked = ("user", "person")
    search_fields = ("user__username", "person")
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    fields = (
        "whose",
        "kind",
        "scope",
        "ground",
        "text",
        "starts_at",
        "until",
        "seen_at",
        "lifted_at",
        "acts_on_it",
    )

    @admin.display(description=gettext_lazy("person"))
    def whose(self, sanction: Sanction) -> str:
        if sanction.user is None:
            return str(sanction.person)
        address = reverse("admin:accounts_user_change", args=[sanction.user.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', address, sanction.user.display_name)

    @admin.display(description=gettext_lazy("what staff did"))
    def acts_on_it(self, sanction: Sanction) -> str:
        return listing("staffact", gettext("About this sanction"), subject="sanction", subject_id=sanction.pk)


admin.site.register(StaffAct, StaffActAdmin)
