"""Settings as they come from the environment: text turned into values, or a clear ImproperlyConfigured."""

import os
import re
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import limits
from django.core.exceptions import ImproperlyConfigured

_ORIGIN = re.compile(r"https?://([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?")
_YES = {"1", "true", "yes", "on"}
_NO = {"", "0", "false", "no", "off"}
_SMTP_PORTS = {"starttls": 587, "ssl": 465, "off": 25}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def flag(name: str, *, default: bool) -> bool:
    word = os.environ.get(name, "1" if default else "0").strip().lower()
    if word not in _YES | _NO:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {word!r}.")
    return word in _YES


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def fraction(name: str, default: float) -> float:
    value = text(name, str(default))
    try:
        parsed = float(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number such as 0.5, not {value!r}.") from error
    if not 0 <= parsed <= 10:
        raise ImproperlyConfigured(f"{name} must lie between 0 and 10, not {value!r}.")
    return parsed


def rate(name: str, default: str) -> str:
    """A rate as the `limits` library writes it, such as 20/hour."""
    value = text(name, default)
    try:
        limits.parse(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must look like 20/hour, not {value!r}.") from error
    return value


def origins(name: str) -> list[str]:
    """Comma-separated origins exactly as browsers send them: https://belote.example, with a port only if unusual."""
    found = [word.strip() for word in text(name).split(",") if word.strip()]
    for origin in found:
        if not _ORIGIN.fullmatch(origin.lower()):
            raise ImproperlyConfigured(f"{name} must look like https://belote.example, not {origin!r}.")
    return [origin.lower() for origin in found]


def postgres(name: str) -> dict[str, Any] | None:
    """Django's connection settings for postgresql://user:password@host:port/database?sslmode=require.

    None when the variable is not set. The host may be a socket directory given as ?host=/run/postgresql.
    """
    value = text(name)
    if not value:
        return None
    address = urlsplit(value)
    database = unquote(address.path.lstrip("/"))
    if address.scheme not in {"postgres", "postgresql"} or not database:
        raise ImproperlyConfigured(f"{name} must look like postgresql://user:password@host:5432/database.")
    options = dict(parse_qsl(address.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(address.username or ""),
        "PASSWORD": unquote(address.password or ""),
        "HOST": options.pop("host", unquote(address.hostname or "")),
        "PORT": options.pop("port", str(address.port or "")),
        "OPTIONS": options,
    }


def mailer(name: str) -> dict[str, Any] | None:
    """Django's mailer for smtp://user:password@host:587?tls=starttls. None when the variable is not set.

    tls is starttls, as without it, or ssl or off.
    """
    value = text(name)
    if not value:
        return None
    fault = f"{name} must look like smtp://user:password@host:587?tls=starttls, where tls is starttls, ssl or off."
    address = urlsplit(value)
    options = dict(parse_qsl(address.query))
    tls = options.pop("tls", "starttls")
    if address.scheme != "smtp" or not address.hostname or tls not in _SMTP_PORTS or options:
        raise ImproperlyConfigured(fault)
    try:
        port = address.port or _SMTP_PORTS[tls]
    except ValueError as error:
        raise ImproperlyConfigured(fault) from error
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": address.hostname,
            "port": port,
            "username": unquote(address.username or ""),
            "password": unquote(address.password or ""),
            "use_tls": tls == "starttls",
            "use_ssl": tls == "ssl",
            "timeout": 10,
        },
    }
