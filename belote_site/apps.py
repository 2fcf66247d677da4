"""The app of the site itself."""

from django.apps import AppConfig


class BeloteSiteConfig(AppConfig):
    name = "belote_site"

    def ready(self) -> None:
        from belote_site import checks  # noqa: F401 (importing it registers the checks)
