"""The pages about other people: whom one knows, what one does about them, and reports."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import relations
from accounts.models import User
from belote_site import rates
from belote_site.redirects import local_address
from games import lobby, reports, selectors, talk
from games import people as known
from games.models import Report, Seating
from games.people_forms import ActForm, AnswerForm, ContextForm, ReportForm
from games.services import reports as handling
from games.services import seating
from games.services import talk as saying

INVITATIONS = "30/10 minute"

RELATIONS: dict[str, Callable[[User, User], None]] = {
    "follow": relations.follow,
    "unfollow": relations.unfollow,
    "mute": relations.mute,
    "unmute": relations.unmute,
    "block": relations.block,
    "unblock": relations.unblock,
}


@never_cache
@login_required
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Whom one knows; a guest knows people as well."""
    user = request.user
    return render(
        request,
        "games/people/people.html",
        {
            "invitations": lobby.invitations(user.pk),
            "followed": known.followed(user),
            "played_with": known.played_with(user),
            "avoided": known.avoided(user),
            "reports": reports.own_reports(user),
        },
    )


@login_required
@require_POST
def act_on_person(request: HttpRequest) -> HttpResponse:
    """Follow, mute, block, invite, or take one of these back. Goes back to ``next``.

    From the menu of a talk, by htmx, the answer is its list of lines as the person reads it from now on.
    """
    form = ActForm(request.POST)
    if not form.is_valid():
        raise Http404
    person = _other(request, form.cleaned_data["person"])
    act, room_id = form.cleaned_data["act"], form.cleaned_data["room"]
    try:
        if act == "invite":
            rates.count("invitation", request.user.pk, INVITATIONS)
            _invite(request.user, person)
        elif act in RELATIONS:
            RELATIONS[act](request.user, person)
        else:
            raise Http404
        done, level = _done(act, person.display_name), messages.SUCCESS
    except relations.TooMany:
        done, level = gettext("That is as many people as a list can hold. Take somebody off it first."), messages.ERROR
    if request.headers.get("HX-Request") and room_id is not None:
        if not talk.may_read(room_id, request.user):
            raise Http404
        return HttpResponse(talk.lines_html(room_id, request.user, oob=False) + talk.notice_html(done))
    messages.add_message(request, level, done)
    return redirect(local_address(request, form.cleaned_data["next"], reverse("games:people")))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The form of a report, with the lines that go with it."""
    person = _other(request, public_id)
    context = ContextForm(request.GET)
    if not context.is_valid():
        raise Http404
    room_id, match_id = context.cleaned_data["room"], context.cleaned_data["match"]
    form = ReportForm(request.POST or None)
    try:
        _, lines = talk.lines_to_attach(request.user, room_id, match_id)
        if request.method == "POST" and form.is_valid():
            saying.report(
                request.user, person, form.cleaned_data["ground"], form.cleaned_data["text"], room_id, match_id
            )
            messages.success(request, gettext("Thank you. A moderator will look at your report."))
            return redirect("games:people")
    except (selectors.RoomNotFound, saying.MayNotSpeak) as error:
        raise Http404 from error
    return render(
        request,
        "games/people/report.html",
        {"person": person, "form": form, "lines": talk.as_read(lines, request.user)},
        status=422 if form.errors else 200,
    )


@login_required
@require_POST
def read_answer(request: HttpRequest) -> HttpResponse:
    """Closes what somebody was told of a report of theirs. Goes back to ``next``."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Http404
    try:
        handling.read_answer(request.user, form.cleaned_data["report"])
    except Report.DoesNotExist as error:
        raise Http404 from error
    return redirect(local_address(request, form.cleaned_data["next"], reverse("games:people")))


def report_answers(request: HttpRequest) -> dict[str, object]:
    """Context processor: what became of somebody's reports, looked up when a template asks."""

    def find() -> list[reports.Answer]:
        user = getattr(request, "user", None)
        return reports.answers_for(user) if isinstance(user, User) else []

    return {"report_answers": SimpleLazyObject(find)}


def _other(request: HttpRequest, public_id: UUID) -> User:
    person = get_object_or_404(User, public_id=public_id, is_active=True)
    if person.pk == request.user.pk:
        raise Http404
    return person


def _invite(user: User, person: User) -> None:
    room_id = Seating.objects.values_list("room_id", flat=True).filter(user=user).first()
    if room_id is None:
        raise Http404
    seating.invite(user, person, room_id)


def _done(act: str, name: str) -> str:
    """Return what has become of it, in the active language."""
    sentences = {
        "follow": gettext("You follow %(name)s and see when they are at a table."),
        "unfollow": gettext("You do not follow %(name)s any more."),
        "mute": gettext("You do not read %(name)s any more. You can take that back under People."),
        "unmute": gettext("You read %(name)s again."),
        "block": gettext("You have blocked %(name)s. You can take that back under People."),
        "unblock": gettext("%(name)s is not blocked any more."),
        "invite": gettext("%(name)s is invited."),
    }
    return sentences[act] % {"name": name}
