"""The secret key that signs sessions and tokens."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_SHORTEST = 50
_FEWEST_DIFFERENT = 10


def checked(key: str) -> str:
    """The key itself when it is fit for production, else ImproperlyConfigured saying how to make one."""
    if len(key) < _SHORTEST or len(set(key)) < _FEWEST_DIFFERENT or key.startswith("django-insecure-"):
        raise ImproperlyConfigured(
            f"Set BELOTE_SECRET_KEY to at least {_SHORTEST} random characters. "
            'One way to make them: python3 -c "import secrets; print(secrets.token_urlsafe(64))"'
        )
    return key


def local(path: Path) -> str:
    """The key in a file that only its owner can read, made at the first call: sessions outlive a restart."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode=0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(64))
        # Of several processes that start at once, the first link wins and all of them read the same key.
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
