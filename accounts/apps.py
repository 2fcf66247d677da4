from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import relations, sessions  # noqa: F401 (importing them connects their receivers)
