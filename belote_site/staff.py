"""The admin site of staff: who comes in, and what is not there at all."""

from __future__ import annotations

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy

_NOT_SHOWN = ("account", "auth", "dj_queue")
"""Applications without pages for staff: addresses for mail and groups are not edited here, and the queue's own pages
show the text of stored exceptions, which may quote a hand."""


class StaffSite(admin.AdminSite):
    """Django's admin in the words of this site."""

    site_title = site_header = gettext_lazy("Belote staff")
    index_title = gettext_lazy("Moderation")
    enable_nav_sidebar = False
    empty_value_display = "–"


class SiteAdminConfig(AdminConfig):
    """Django's admin with the pages that this site shows and no others."""

    default_site = "belote_site.staff.StaffSite"

    def ready(self) -> None:
        super().ready()
        for label in _NOT_SHOWN:
            for model in apps.get_app_config(label).get_models():
                if admin.site.is_registered(model):
                    admin.site.unregister(model)
