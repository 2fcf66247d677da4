"""Staff pages about people, sanctions, and what staff did."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from accounts import rights, rights_pages
from accounts.acts_pages import StaffActAdmin
from accounts.history import history_of
from accounts.models import Sanction, StaffAct, User
from accounts.sanction_acts import ON_PEOPLE, ON_SANCTIONS
from accounts.staff_links import in_its_direction, list_address, moment, to_list, to_person
from accounts.staff_pages import QueueLine, StaffPages

GUEST_DIGITS = 4


@admin.register(User)
class UserAdmin(StaffPages):
    acts = (*ON_PEOPLE, *rights_pages.ACTS)
    change_form_template = "admin/accounts/user.html"
    list_display = ("name", "guest", "of_the_staff", "decisions", "joined", "last_seen")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "guest_number__exact", "public_id__exact")
    search_help_text = gettext_lazy("Name or number of a person")
    date_hierarchy = "date_joined"
    ordering = ("-date_joined",)
    fields = (
        "name",
        "identifier",
        "guest",
        "reads",
        "usable",
        "role",
        "joined",
        "last_seen",
        "decisions",
        "acts_about",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).annotate(decision_count=Count("sanctions"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        # A guest is called by the word of each reader's language: its number tells which it is.
        word, _, number = search_term.strip().rpartition(" ")
        if word and number.isascii() and number.isdecimal() and len(number) == GUEST_DIGITS:
            return queryset.filter(is_guest=True, guest_number=int(number)), False
        return super().get_search_results(request, queryset, search_term)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        person = self.get_object(request, object_id)
        history = [] if person is None else history_of(person, request.user)
        return super().change_view(request, object_id, form_url, {"history": history, **(extra_context or {})})

    @admin.display(description=gettext_lazy("name"), ordering="username")
    def name(self, person: User) -> str:
        return format_html("<bdi>{}</bdi>", person.display_name)

    @admin.display(description=gettext_lazy("number"))
    def identifier(self, person: User) -> str:
        return str(person.public_id)

    @admin.display(description=gettext_lazy("guest"), boolean=True)
    def guest(self, person: User) -> bool:
        return person.is_guest

    @admin.display(description=gettext_lazy("language"))
    def reads(self, person: User) -> str:
        return person.get_language_display() or gettext("as the browser asks")

    @admin.display(description=gettext_lazy("rights"))
    def role(self, person: User) -> str:
        if not person.is_staff:
            return gettext("none")
        return gettext("Administrator") if rights.is_administrator(person) else gettext("Moderator")

    @admin.display(description=gettext_lazy("can be used"), boolean=True)
    def usable(self, person: User) -> bool:
        return person.is_active

    @admin.display(description=gettext_lazy("of the staff"), boolean=True)
    def of_the_staff(self, person: User) -> bool:
        return person.is_staff

    @admin.display(description=gettext_lazy("joined"), ordering="date_joined")
    def joined(self, person: User) -> str:
        return moment(person.date_joined)

    @admin.display(description=gettext_lazy("last logged in"), ordering="last_login")
    def last_seen(self, person: User) -> str:
        return moment(person.last_login)

    @admin.display(description=gettext_lazy("sanctions"), ordering="decision_count")
    def decisions(self, person: User) -> str:
        return to_list(person.decision_count, Sanction, user=person.pk)

    @admin.display(description=gettext_lazy("what staff did"))
    def acts_about(self, person: User) -> str:
        return to_list(gettext("About this person"), StaffAct, person=person.public_id)


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
    list_display = ("number", "whose", "kind", "scope", "ground", "starts_at", "until", "lifted_at")
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
        "told",
        "starts_at",
        "until",
        "seen_at",
        "lifted_at",
        "acts_on_it",
    )

    def label_of(self, subject: Sanction) -> str:
        whose = str(subject.person) if subject.user is None else subject.user.display_name
        return f"{subject.get_kind_display()} · {whose}"

    @admin.display(description=gettext_lazy("number"), ordering="pk")
    def number(self, sanction: Sanction) -> int:
        return sanction.pk

    def queue(self, request: HttpRequest) -> QueueLine:
        held = Sanction.objects.in_force().count()
        return QueueLine(gettext_lazy("Sanctions in force"), held, list_address(Sanction, in_force="yes"))

    @admin.display(description=Sanction._meta.get_field("text").verbose_name)
    def told(self, sanction: Sanction) -> str | None:
        return in_its_direction(sanction.text)

    @admin.display(description=gettext_lazy("person"))
    def whose(self, sanction: Sanction) -> str:
        return str(sanction.person) if sanction.user is None else to_person(sanction.user)

    @admin.display(description=gettext_lazy("what staff did"))
    def acts_on_it(self, sanction: Sanction) -> str:
        return to_list(
            gettext("About this sanction"), StaffAct, subject=StaffAct.Subject.SANCTION, subject_id=sanction.pk
        )


admin.site.register(StaffAct, StaffActAdmin)
