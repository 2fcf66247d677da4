"""The quick phrases: everybody may say them, and everybody reads them in their own language.

None of them could pass anything about the running hand: no suit, no card, no bid, no plan, no wish that a partner could
answer with a card. Whatever is added here has to keep to that.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy


class Group(NamedTuple):
    """Phrases that belong together: what the group is called, and its codes in the order of their buttons."""

    name: str | Promise
    codes: tuple[str, ...]


PHRASES: dict[str, str | Promise] = {
    "hello": pgettext_lazy("said at the table", "Hello!"),
    "good-luck": pgettext_lazy("said at the table", "Good luck!"),
    "good-game": pgettext_lazy("said at the table", "Have a good game!"),
    "ready": pgettext_lazy("said at the table", "I am ready."),
    "well-played": pgettext_lazy("said at the table", "Well played!"),
    "bravo": pgettext_lazy("said at the table", "Bravo!"),
    "close": pgettext_lazy("said at the table", "That was close."),
    "bad-luck": pgettext_lazy("said at the table", "Bad luck."),
    "thank-you": pgettext_lazy("said at the table", "Thank you!"),
    "you-are-welcome": pgettext_lazy("said at the table", "You are welcome."),
    "sorry": pgettext_lazy("said at the table", "Sorry!"),
    "no-problem": pgettext_lazy("said at the table", "No problem."),
    "one-moment": pgettext_lazy("said at the table", "One moment, please."),
    "back": pgettext_lazy("said at the table", "I am back."),
    "good-match": pgettext_lazy("said at the table", "That was a good match."),
    "another": pgettext_lazy("said at the table", "Another match?"),
    "goodbye": pgettext_lazy("said at the table", "Goodbye!"),
}

GROUPS = (
    Group(gettext_lazy("Greetings"), ("hello", "good-luck", "good-game", "ready", "goodbye")),
    Group(gettext_lazy("Praise and comfort"), ("well-played", "bravo", "close", "bad-luck", "good-match")),
    Group(
        gettext_lazy("Manners"),
        ("thank-you", "you-are-welcome", "sorry", "no-problem", "one-moment", "back", "another"),
    ),
)
