"""Links between the pages of staff: from a row to the people and rows that it has to do with, and to lists of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from accounts.models import User

NONE = "–"


def in_its_direction(text: str) -> SafeString | None:
    """Return what people wrote, so that it turns no words around it; None when there is nothing."""
    return format_html("<bdi>{}</bdi>", text) if text else None


def to_row(row: Model, text: object) -> SafeString:
    """Return a link to the page of a row."""
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}"><bdi>{}</bdi></a>', address, text)


def to_person(user: User | None) -> SafeString | str:
    """Return a link to the page of a person, by the name that others see."""
    return NONE if user is None else to_row(user, user.display_name)


def moment(when: datetime | None) -> str:
    """Return a time as the pages show it, in the language of the reader."""
    return NONE if when is None else date_format(localtime(when), "DATETIME_FORMAT")


def list_address(model: type[Model], **narrowed: Any) -> str:
    """Return the address of the list of a model's rows, narrowed by lookups."""
    return f"{reverse(f'admin:{model._meta.app_label}_{model._meta.model_name}_changelist')}?{urlencode(narrowed)}"


def to_list(words: int | str, model: type[Model], **narrowed: Any) -> SafeString | str:
    """Return how many rows there are, or other words, as a link to their list; without one when there are none."""
    return format_html('<a href="{}">{}</a>', list_address(model, **narrowed), words) if words else "0"


def count_of(rows: QuerySet[Any], key: str) -> Coalesce:
    """Return how many of ``rows`` belong to the row of a query by their field ``key``, for `annotate`."""
    of_one = rows.filter(**{key: OuterRef("pk")}).order_by().values(key)
    return Coalesce(Subquery(of_one.annotate(count=Count("pk")).values("count")), 0)
