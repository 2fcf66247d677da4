"""People: accounts and guests, each with how they like to see and play the game."""

import secrets
import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext, gettext_lazy


class IndexLetters(models.TextChoices):
    """The letters in the corners of jack, queen, king and ace."""

    OF_THE_LANGUAGE = "", gettext_lazy("As in my language")
    ENGLISH = "JQKA", "J Q K A"
    FRENCH = "VDRA", "V D R A"
    ESTONIAN = "SEKÄ", "S E K Ä"


class DeckColours(models.TextChoices):
    TWO = "two", gettext_lazy("Two colours")
    FOUR = "four", gettext_lazy("Four colours")


class CardSize(models.TextChoices):
    NORMAL = "normal", gettext_lazy("Normal cards")
    LARGE = "large", gettext_lazy("Large cards")


class CardOrder(models.TextChoices):
    """How each suit of the hand is sorted, from left to right."""

    STRONGEST_FIRST = "strongest", gettext_lazy("Strongest first")
    WEAKEST_FIRST = "weakest", gettext_lazy("Weakest first")


class Theme(models.TextChoices):
    AUTO = "auto", gettext_lazy("Like my device")
    LIGHT = "light", gettext_lazy("Light")
    DARK = "dark", gettext_lazy("Dark")


class SiteUserManager(UserManager["User"]):
    def create_guest(self) -> "User":
        """A new guest: nobody can log in to it, and only the session that it is given to knows it."""
        guest = self.model(is_guest=True, guest_number=1000 + secrets.randbelow(9000))
        guest.username = f"guest-{guest.public_id}"
        guest.set_unusable_password()
        guest.save(using=self._db)
        return guest


class User(AbstractUser):
    """Someone who plays: an account, or a guest that may become one and keeps its row then.

    `public_id` is the only identifier that leaves the server. Blank `language` and `index_letters` follow the browser
    and the language.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_guest = models.BooleanField(gettext_lazy("guest"), default=False, editable=False)
    guest_number = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)

    language = models.CharField(gettext_lazy("Language"), max_length=10, blank=True, choices=settings.LANGUAGES)
    index_letters = models.CharField(
        gettext_lazy("Letters on the cards"), max_length=4, blank=True, choices=IndexLetters.choices
    )
    deck_colours = models.CharField(
        gettext_lazy("Suit colours"), max_length=4, choices=DeckColours.choices, default=DeckColours.TWO
    )
    card_size = models.CharField(
        gettext_lazy("Card size"), max_length=6, choices=CardSize.choices, default=CardSize.NORMAL
    )
    card_order = models.CharField(
        gettext_lazy("Order of the cards"), max_length=9, choices=CardOrder.choices, default=CardOrder.STRONGEST_FIRST
    )
    theme = models.CharField(gettext_lazy("Theme"), max_length=5, choices=Theme.choices, default=Theme.AUTO)
    animation = models.BooleanField(gettext_lazy("Move the cards"), default=True)
    sounds = models.BooleanField(gettext_lazy("Play sounds"), default=False)
    confirm_play = models.BooleanField(gettext_lazy("Ask for a second tap before a card is played"), default=False)
    shortcuts = models.BooleanField(gettext_lazy("Use keyboard shortcuts"), default=True)

    objects: ClassVar[SiteUserManager] = SiteUserManager()

    class Meta:
        verbose_name = gettext_lazy("user")
        verbose_name_plural = gettext_lazy("users")
        constraints = [
            models.CheckConstraint(
                name="guest_has_a_number",
                condition=models.Q(is_guest=False) | models.Q(guest_number__isnull=False),
            )
        ]

    @property
    def display_name(self) -> str:
        """The name that others see, in the language that is active."""
        if self.is_guest:
            return gettext("Guest %(number)s") % {"number": self.guest_number}
        return self.username


class Relation(models.Model):
    """What one person has decided about another: to follow, to mute or to block. Nobody else is told."""

    class Kind(models.TextChoices):
        """Follow: see when they are at a table. Mute: read nothing of theirs. Block: never meet."""

        FOLLOW = "follow", gettext_lazy("Follow")
        MUTE = "mute", gettext_lazy("Mute")
        BLOCK = "block", gettext_lazy("Block")

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="relations")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="related_by")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "other", "kind"], name="one_relation_of_a_kind"),
            models.CheckConstraint(name="not_to_oneself", condition=~models.Q(owner=models.F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} {self.kind} {self.other_id}"
