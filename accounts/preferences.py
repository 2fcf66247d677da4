"""What templates may know of how a visitor likes the site."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import translation

from accounts.models import CardOrder, CardSize, DeckColours, IndexLetters, Theme, User

THEME_COOKIE = "belote_theme"


@dataclass(frozen=True, slots=True)
class Preferences:
    """A visitor's choices with every blank filled in: `index_letters` is always four letters, jack to ace."""

    language: str
    index_letters: str
    deck_colours: str = DeckColours.TWO.value
    card_size: str = CardSize.NORMAL.value
    card_order: str = CardOrder.STRONGEST_FIRST.value
    theme: str = Theme.AUTO.value
    animation: bool = True
    sounds: bool = False
    confirm_play: bool = False
    shortcuts: bool = True


def index_letters(chosen: str, language: str) -> str:
    """The letters someone chose, else the language's own: V D R A in French, J Q K A elsewhere."""
    return chosen or (IndexLetters.FRENCH if language == "fr" else IndexLetters.ENGLISH).value


def preferences_of(user: User | AnonymousUser, language: str, theme_cookie: str = "") -> Preferences:
    """The preferences of a user who reads `language`; a visitor without a row has the cookie's theme and defaults."""
    if not isinstance(user, User):
        theme = theme_cookie if theme_cookie in Theme.values else Theme.AUTO.value
        return Preferences(language=language, index_letters=index_letters("", language), theme=theme)
    return Preferences(
        language=language,
        index_letters=index_letters(user.index_letters, language),
        deck_colours=user.deck_colours,
        card_size=user.card_size,
        card_order=user.card_order,
        theme=user.theme,
        animation=user.animation,
        sounds=user.sounds,
        confirm_play=user.confirm_play,
        shortcuts=user.shortcuts,
    )


def context(request: HttpRequest) -> dict[str, object]:
    """Template variable `preferences`, on pages made before anyone can be signed in as well."""
    user = getattr(request, "user", None) or AnonymousUser()
    language = translation.get_language() or settings.LANGUAGE_CODE
    return {"preferences": preferences_of(user, language, request.COOKIES.get(THEME_COOKIE, ""))}
