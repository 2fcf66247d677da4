"""What a person is told of decisions about them: notices on every page, a page of their own, and the page that the
banned see in the place of all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.acts import ids_of
from accounts.barriers import Barred
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import Banned, Ground, Kind, Scope, barred
from belote_site.redirects import local_address
from belote_site.retention import SANCTION

OPEN_TO_THE_BANNED = frozenset(
    {
        "accounts:switch_language",
        "accounts:own_data",
        "accounts:delete",
        "account_logout",
        "privacy",
        "retention",
        "terms",
        "contact",
    }
)
"""The names of the addresses at which somebody who is banned gets what stands there."""

SHOWN_AT_ONCE = 3

_MEANINGS = {
    Scope.NOTHING: gettext_lazy("Nothing is barred to you. If it happens again, something will be."),
    Scope.TEXT: gettext_lazy("You cannot write lines of your own. The offered phrases stay."),
    Scope.TALK: gettext_lazy("You cannot say anything, neither in rooms nor at tables."),
    Scope.RATED: gettext_lazy("You cannot play rated matches. All others stay open to you."),
    Scope.SITE: gettext_lazy("You cannot use this site."),
}


_DEEDS = {
    StaffAct.Act.REPLACE_SEAT: gettext_lazy(
        "A moderator gave your seat to the computer. The match counts as lost for you."
    ),
    StaffAct.Act.DELETE_LINE: gettext_lazy("A moderator deleted a line of yours."),
    StaffAct.Act.CLOSE_ROOM: gettext_lazy("A moderator closed your room."),
    StaffAct.Act.RENAME_ROOM: gettext_lazy("A moderator gave your room another name."),
}
"""What somebody is told of acts that are no sanction."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a moderator did at a table of the reader, in the active language."""

    at: datetime
    sentence: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A sanction for templates/accounts/decision.html, in the active language.

    ``number`` is its key. ``until`` is None for good and of a warning, ``is_in_force`` False of a warning. ``new_name``
    is the person's name when moderators have taken the one before, else ''.
    """

    number: int
    kind: str
    scope: str
    meaning: str
    ground: str
    text: str
    new_name: str
    starts_at: datetime
    until: datetime | None
    lifted_at: datetime | None
    is_warning: bool
    is_in_force: bool
    is_unread: bool


@dataclass(frozen=True, slots=True)
class Unread:
    """What somebody has not read yet: the oldest decisions, and how many more there are."""

    shown: list[Decision]
    more: int


def end_in_words(sanction: Sanction) -> str:
    """Return when a sanction ends, as it stands in a sentence about it, in the active language; '' for good."""
    if sanction.until is None:
        return ""
    end = sanction.until.astimezone(UTC)
    return gettext("%(day)s, %(time)s UTC") % {"day": date_format(end), "time": date_format(end, "H:i")}


def unread(user: User) -> Unread:
    """Return what a person has not said yet to have read. A ban has a page of its own."""
    rows = Sanction.objects.filter(user=user, seen_at=None, lifted_at=None).exclude(kind=Kind.BAN)
    shown = [_decision(row) for row in rows.order_by("pk")[:SHOWN_AT_ONCE]]
    more = rows.count() - len(shown) if len(shown) == SHOWN_AT_ONCE else 0
    return Unread(shown, more)


def deeds(user: User) -> list[Deed]:
    """Return what moderators did at a person's tables that concerned them, in the last year, the newest first."""
    since = timezone.now() - SANCTION
    acts = StaffAct.objects.filter(person__in=ids_of([user.public_id]), act__in=_DEEDS, at__gte=since).order_by(
        "-at", "-pk"
    )
    return [Deed(act.at, str(_DEEDS[StaffAct.Act(act.act)])) for act in acts]


def line_html(user: User) -> str:
    """Return the message that shows on an open page what its person has not read yet."""
    return render_to_string("accounts/decisions_line.html", {"decisions": unread(user), "oob": True})


def context(request: HttpRequest) -> dict[str, object]:
    """Context processor: what a person has not read yet, looked up when a template asks, and whom to write to."""

    def find() -> Unread:
        user = getattr(request, "user", None)
        return unread(user) if isinstance(user, User) else Unread([], 0)

    return {"decisions": SimpleLazyObject(find), "appeal_to": settings.CONTACT}


@require_http_methods(["GET", "HEAD", "POST"])
def decisions(request: HttpRequest) -> HttpResponse:
    """All decisions about oneself, the newest first; a POST says that one, named in `decision`, has been read."""
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    mine = Sanction.objects.filter(user=request.user)
    if request.method == "POST":
        number = request.POST.get("decision", "")
        if number.isdecimal() and len(number) < 19:
            mine.filter(pk=number, seen_at=None).update(seen_at=timezone.now())
        return redirect(local_address(request, request.POST.get("next", ""), reverse("accounts:decisions")))
    made = [_decision(row) for row in mine.order_by("-pk")]
    return render(request, "accounts/decisions.html", {"made": made, "deeds": deeds(request.user)})


def refused_guest(request: HttpRequest) -> HttpResponse:
    """Why nobody can play as a guest from somewhere."""
    return render(request, "accounts/no_guests.html", status=403)


def banned_page(request: HttpRequest, ban: Sanction) -> HttpResponse:
    """What somebody who is banned sees, and whoever gives the right password of their account."""
    has_session = isinstance(request.user, User) and request.user.pk == ban.user_id
    return render(request, "accounts/banned.html", {"decision": _decision(ban), "has_session": has_session}, status=403)


class DecisionsMiddleware:
    """Shows the banned why they are, on every page but `OPEN_TO_THE_BANNED`, and visitors why they become no guest."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponseBase | None:
        found = request.resolver_match
        if not isinstance(request.user, User) or (found is not None and found.view_name in OPEN_TO_THE_BANNED):
            return None
        ban = barred(request.user.pk, Scope.SITE)
        return None if ban is None else banned_page(request, ban)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Banned):
            # They were banned while the request was on its way.
            return banned_page(request, exception.sanction)
        if not isinstance(exception, Barred):
            return None
        if request.headers.get("HX-Request") == "true":
            return HttpResponseClientRedirect(reverse("accounts:no_guests"))
        return refused_guest(request)


def _new_name(row: Sanction) -> str:
    if row.ground != Ground.NAME or row.user is None or not row.user.taken_names.filter(is_former=True).exists():
        return ""
    return row.user.username


def _decision(row: Sanction) -> Decision:
    is_warning = row.kind == Kind.WARNING
    is_running = row.until is None or row.until > timezone.now()
    return Decision(
        number=row.pk,
        kind=row.get_kind_display(),
        scope=row.get_scope_display(),
        meaning=str(_MEANINGS[Scope(row.scope)]),
        ground=row.get_ground_display(),
        text=row.text,
        new_name=_new_name(row),
        starts_at=row.starts_at,
        until=row.until,
        lifted_at=row.lifted_at,
        is_warning=is_warning,
        is_in_force=not is_warning and is_running and row.lifted_at is None,
        is_unread=row.seen_at is None and row.lifted_at is None and row.kind != Kind.BAN,
    )
