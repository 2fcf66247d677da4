from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = gettext_lazy("People and staff")

    def ready(self) -> None:
        from accounts import acts, networks, relations, sanctions, sessions  # noqa: F401 (importing connects their receivers)
