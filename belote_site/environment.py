"""Settings as they come from the environment: text turned into values, or a clear ImproperlyConfigured."""

import os
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES = {"1", "true", "yes", "on"}
_NO = {"", "0", "false", "no", "off"}

_POSTGRES_SCHEMES = {"postgres", "postgresql"}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def number(name: str, default: int) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def words(name: str) -> list[str]:
    """A comma-separated list, without empty entries."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def postgres(name: str) -> dict[str, Any] | None:
    """The Django connection settings of postgresql://user:password@host:port/database?sslmode=require.

    None when the variable is not set. The host may be a socket directory given as ?host=/run/postgresql.
    """
    value = text(name)
    if not value:
        return None
    address = urlsplit(value)
    database = unquote(address.path.lstrip("/"))
    if address.scheme not in _POSTGRES_SCHEMES or not database:
        raise ImproperlyConfigured(f"{name} must look like postgresql://user:password@host:5432/database.")
    options = dict(parse_qsl(address.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(address.username or ""),
        "PASSWORD": unquote(address.password or ""),
        "HOST": options.pop("host", unquote(address.hostname or "")),
        "PORT": str(options.pop("port", address.port or "")),
        "OPTIONS": options,
    }
