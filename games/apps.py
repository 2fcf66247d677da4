"""The app of the game. Its receivers of `matches.match_changed` are connected here."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = gettext_lazy("Tables")

    def ready(self) -> None:
        # Importing them connects their receivers.
        from games import announcer, history, own_data, tasks  # noqa: F401
        from games.services import belongings, moderation, reports  # noqa: F401
