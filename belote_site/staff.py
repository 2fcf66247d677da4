"""The admin site of staff: who comes in, and what is not there at all."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from belote_site.redirects import local_address

_NOT_SHOWN = ("account", "auth", "dj_queue", "mfa")
"""Applications without pages for staff: addresses for mail and groups are not edited here, second factors are nobody's
to see, and the queue's own pages show the text of stored exceptions, which may quote a hand."""


class StaffSite(admin.AdminSite):
    """Django's admin in the words of this site."""

    site_title = site_header = gettext_lazy("Belote staff")
    index_title = gettext_lazy("Moderation")
    enable_nav_sidebar = False
    empty_value_display = "–"

    def has_permission(self, request: HttpRequest) -> bool:
        # Django loads this module before there are models.
        from accounts import second_factor

        if not super().has_permission(request):
            return False
        return not settings.STAFF_NEED_SECOND_FACTOR or second_factor.was_given(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send staff on to where they were going, by the page of the second factor if that is still to be given.

        There is no form here: `belote_site.urls` sends everybody else to the door of all accounts first.
        """
        from accounts.second_factor_pages import address_of_next_step

        wanted = local_address(request, request.GET.get("next", ""), reverse("admin:index"))
        if not self.has_permission(request):
            wanted = address_of_next_step(request, wanted)
        return HttpResponseRedirect(wanted)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The first page: what waits for staff or goes on, and the lists that they may see."""
        models = [model["model"] for app in self.get_app_list(request) for model in app["models"]]
        lines = [self.get_model_admin(model).queue(request) for model in models]
        # What waits for somebody comes before what only goes on, in whatever order the languages put their lists.
        queue = sorted((line for line in lines if line), key=lambda line: not line.waits)
        return super().index(request, {"queue": queue, **(extra_context or {})})

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send staff to the page on which everybody changes their password: it counts wrong ones."""
        return HttpResponseRedirect(reverse("account_change_password"))


class SiteAdminConfig(AdminConfig):
    """Django's admin with the pages that this site shows and no others."""

    default_site = "belote_site.staff.StaffSite"

    def ready(self) -> None:
        super().ready()
        for label in _NOT_SHOWN:
            for model in apps.get_app_config(label).get_models():
                if admin.site.is_registered(model):
                    admin.site.unregister(model)
