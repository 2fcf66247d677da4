"""The pages about the site itself: privacy, how long things are kept, terms, contact."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from belote_site.models import Maintenance
from belote_site.retention import RULES


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/privacy.html", _operator())


@require_safe
def retention(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/retention.html", {"rules": RULES})


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/terms.html", _operator() | {"minimum_age": settings.MINIMUM_AGE})


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/contact.html", _operator())


def maintenance(request: HttpRequest) -> dict[str, object]:
    """Context processor: the maintenance that pages announce, looked up when a template asks."""
    return {"maintenance": SimpleLazyObject(Maintenance.announced)}


def _operator() -> dict[str, object]:
    return {"operator": settings.OPERATOR, "contact": settings.CONTACT}
