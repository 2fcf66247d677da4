"""All that the site stores about one person, as JSON for that person.

Each app says field by field what it hands out of its models, and why it keeps the rest back; a test compares the two
lists with the models, so that a new field or model cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.signals import data_requested

FORMAT = "belote-own-data"
VERSION = 1

type Fields = dict[str, dict[str, str]]
"""By label of the model: the name of each value that is handed out, and its lookup."""

FOLLOWED = frozenset({"relations", "emailaddress_set", "authenticator_set", "sanctions", "networks", "former_ids"})
"""The relations to a person whose rows are handed out, by the name that they have on `User`."""

EXPORTED: Fields = {
    "accounts.User": {
        name: name
        for name in (
            "public_id",
            "username",
            "first_name",
            "last_name",
            "email",
            "is_guest",
            "guest_number",
            "is_active",
            "is_staff",
            "is_superuser",
            "date_joined",
            "last_login",
            "language",
            "index_letters",
            "deck_colours",
            "card_size",
            "card_order",
            "theme",
            "animation",
            "sounds",
            "confirm_play",
            "shortcuts",
        )
    },
    "account.EmailAddress": {"email": "email", "verified": "verified", "primary": "primary"},
    "accounts.Sanction": {
        name: name for name in ("kind", "scope", "ground", "text", "starts_at", "until", "seen_at", "lifted_at")
    },
    "accounts.SeenNetwork": {"day": "day"},
    "accounts.FormerId": {"public_id": "public_id"},
    "mfa.Authenticator": {"type": "type", "created_at": "created_at", "last_used_at": "last_used_at"},
    "accounts.Relation": {"other": "other__public_id", "kind": "kind", "created_at": "created_at"},
}

WITHHELD = {
    "accounts.User.id": "a number of the database that means nothing outside it",
    "accounts.User.password": "a hash that helps nobody but who wants to guess the password",
    "accounts.User.sessions_ended": "a count with which the site tells sessions that have ended",
    "accounts.User.groups": "rights of staff, given by the operator",
    "accounts.User.user_permissions": "rights of staff, given by the operator",
    "accounts.User.taken_names": "what the user name looks like, worked out from it",
    "accounts.TakenName": "what the user name looks like, worked out from it",
    "account.EmailAddress.id": "a number of the database that means nothing outside it",
    "account.EmailAddress.user": "the person who asks",
    "mfa.Authenticator.id": "a number of the database that means nothing outside it",
    "mfa.Authenticator.user": "the person who asks",
    "mfa.Authenticator.data": "the secrets of the second factor: whoever finds the file could log in with them",
    "account.EmailConfirmation": "the same as the address; links are signed, and none is stored",
    "accounts.User.related_by": "what others have decided about a person, which nobody is told",
    "accounts.User.logentry_set": "the site's record of what staff did, which is about others",
    "admin.LogEntry": "the site's record of what staff did, which is about others",
    "accounts.Sanction.id": "a number of the database that means nothing outside it",
    "accounts.Sanction.user": "the person who asks",
    "accounts.Sanction.person": "the public id of the person who asks",
    "accounts.Sanction.issued_by": "whose decision it was, which is about a member of staff",
    "accounts.Barrier": "worked out from the networks and addresses of somebody who is banned, to keep others out",
    "accounts.SeenNetwork.id": "a number of the database that means nothing outside it",
    "accounts.SeenNetwork.user": "the person who asks",
    "accounts.SeenNetwork.mark": "a keyed hash, which means nothing outside the site",
    "accounts.FormerId.id": "a number of the database that means nothing outside it",
    "accounts.FormerId.user": "the person who asks",
    "accounts.Relation.id": "a number of the database that means nothing outside it",
    "accounts.Relation.owner": "the person who asks",
}
"""By label of a field or relation, or of a whole model that nothing followed leads to: why it is not handed out."""


def own_data(user: User) -> dict[str, Any]:
    """Return ``{"format", "version", "made_at", "account", "relations", ...}``: one more section for each receiver of
    `data_requested`. Times are in UTC, other people appear by their public id."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_at": timezone.now(),
        "account": rows(User.objects.filter(pk=user.pk), EXPORTED)[0],
        **followed(user, FOLLOWED, EXPORTED),
        **dict(section for _, section in data_requested.send(User, user=user)),
    }


def followed(user: User, relations: Collection[str], fields: Fields) -> dict[str, list[dict[str, Any]]]:
    """Return, for each of these relations to a person, the exported fields of its rows."""
    return {
        name: rows(relation.related_model._default_manager.filter(**{relation.field.name: user}), fields)
        for relation in User._meta.related_objects
        if (name := relation.get_accessor_name()) in relations
    }


def rows(found: QuerySet, fields: Fields) -> list[dict[str, Any]]:
    """Return the exported fields of each row, oldest first."""
    lookups = fields[found.model._meta.label]
    values = found.order_by("pk").values_list(*lookups.values())
    return [dict(zip(lookups, row, strict=True)) for row in values]
