"""The two groups of staff and what each may do. A migration creates them; nobody edits them on a page."""

from __future__ import annotations

from typing import Any, Final

MODERATOR: Final = "moderator"
ADMINISTRATOR: Final = "administrator"

_LOOK_AT = (
    ("accounts", "user"),
    ("accounts", "sanction"),
    ("accounts", "staffact"),
    ("games", "room"),
    ("games", "match"),
    ("games", "gameevent"),
    ("games", "chatline"),
    ("games", "report"),
    ("games", "hint"),
)

PERMISSIONS: Final = {
    MODERATOR: (
        *((app, model, f"view_{model}") for app, model in _LOOK_AT),
        ("accounts", "sanction", "impose_sanction"),
        ("games", "report", "handle_report"),
        ("games", "room", "moderate_tables"),
    ),
}
PERMISSIONS[ADMINISTRATOR] = (*PERMISSIONS[MODERATOR], ("accounts", "user", "manage_staff"))
"""By group: application, model and codename of each permission."""


def set_up_groups(apps: Any) -> None:
    """Create the groups with exactly these permissions; ``apps`` are those of a migration, or django.apps.apps."""
    group_of = apps.get_model("auth", "Group").objects
    content_types = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    known = {(row.content_type.app_label, row.codename): row for row in permissions.select_related("content_type")}
    for name, wanted in PERMISSIONS.items():
        for app, model, codename in wanted:
            if (app, codename) not in known:
                # In a migration: Django makes these rows when all migrations have run.
                content_type, _ = content_types.get_or_create(app_label=app, model=model)
                named = codename.replace("_", " ")
                known[app, codename] = permissions.create(content_type=content_type, codename=codename, name=named)
        group, _ = group_of.get_or_create(name=name)
        group.permissions.set([known[app, codename] for app, _, codename in wanted])
