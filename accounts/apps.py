from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import networks, relations, sanctions, sessions  # noqa: F401 (importing connects their receivers)
