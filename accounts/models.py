"""People: accounts and guests, each with how they like to see and play the game; what staff decide about them and do.

All in one file, though it is a long one: Django looks for an app's models here, and each of them is read alone.
"""

import secrets
import uuid
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import names
from belote_site.retention import RESERVED_NAME


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

    def get_by_natural_key(self, username: str | None) -> "User":
        """The account of that name, in whatever spelling it is typed, or the one from which moderators have taken such
        a name: its person may not know the new one yet. Raises DoesNotExist."""
        alike = self.filter(is_guest=False, taken_names__skeleton__in=names.skeletons(username or "")).distinct()
        for account in alike:
            if names.fold(account.username) == names.fold(username or ""):
                return account
        return TakenName.objects.former_owner(username or "")


class User(AbstractUser):
    """Someone who plays: an account, or a guest that may become one and keeps its row then.

    `public_id` is the only identifier that leaves the server. Blank `language` and `index_letters` follow the browser
    and the language.
    """

    username = models.CharField(
        gettext_lazy("user name"), max_length=150, unique=True, validators=[names.check_spelling]
    )
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_guest = models.BooleanField(gettext_lazy("guest"), default=False, editable=False)
    guest_number = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    sessions_ended = models.PositiveIntegerField(default=0, db_default=0, editable=False)

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
        permissions = [("manage_staff", "Can give and take the rights of staff")]
        constraints = [
            models.CheckConstraint(
                name="guest_has_a_number",
                condition=models.Q(is_guest=False) | models.Q(guest_number__isnull=False),
            )
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """As any row; an account takes its name with it, and raises NameTaken when somebody has one that looks alike.

        Names are taken here, and not by the pages, so that no way to make or rename an account goes around it.
        """
        update_fields: Iterable[str] | None = kwargs.get("update_fields")
        with transaction.atomic(using=kwargs.get("using")):
            super().save(*args, **kwargs)
            if not self.is_guest and (update_fields is None or "username" in update_fields):
                TakenName.objects.take(self)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """As any row; the name of an account stays out of use for a while."""
        with transaction.atomic(using=kwargs.get("using")):
            TakenName.objects.keep_for_a_while(self)
            return super().delete(*args, **kwargs)

    def get_session_auth_hash(self) -> str:
        """As Django's, which a new password changes, and `accounts.sessions.end_all` as well."""
        return self._counted(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """As Django's, and counted like the newest."""
        return map(self._counted, super().get_session_auth_fallback_hash())

    def _counted(self, session_hash: str) -> str:
        return f"{self.sessions_ended}:{session_hash}" if self.sessions_ended else session_hash

    @property
    def display_name(self) -> str:
        """The name that others see, in the language that is active."""
        if self.is_guest:
            return gettext("Guest %(number)s") % {"number": self.guest_number}
        return self.username


class FormerId(models.Model):
    """The public id of a guest who has logged in to this account, as records that are never changed still name it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_ids")
    public_id = models.UUIDField(unique=True)

    def __str__(self) -> str:
        return str(self.public_id)


FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of what has none, where there has to be one."""


class NameTaken(Exception):
    """Somebody has, or lately had, a name that looks like this one."""


class TakenNameManager(models.Manager["TakenName"]):
    def is_free(self, name: str, user: User | None = None) -> bool:
        """Tell whether `user`, or somebody new, may take a name; only `take` makes sure of it."""
        skeletons = names.skeletons(name)
        taken = self.filter(skeleton__in=skeletons).exclude(user=user) if user else self.filter(skeleton__in=skeletons)
        return not taken.exists() and not self._kept(skeletons).exists()

    def take(self, user: User) -> None:
        """Take the user's name for the user, and let go of the one before. Raises NameTaken."""
        skeletons = names.skeletons(user.username)
        mine = set(self.filter(user=user, is_former=False).values_list("skeleton", flat=True))
        if mine == skeletons:
            return
        self.filter(until__lte=timezone.now()).delete()
        if self._kept(skeletons).exists():
            raise NameTaken(user.username)
        self._keep(mine - skeletons, timezone.now() + RESERVED_NAME)
        try:
            with transaction.atomic():
                self.bulk_create([TakenName(skeleton=one, user=user) for one in sorted(skeletons - mine)])
        except IntegrityError as error:
            raise NameTaken(user.username) from error

    def take_away(self, user: User) -> None:
        """Another name of the user's is to be taken now; this one stays out of use as long as the account is there."""
        self.filter(user=user).update(is_former=True)

    def former_owner(self, name: str) -> User:
        """The only account from which a name of that look was taken away. Raises User.DoesNotExist."""
        former = User.objects.filter(taken_names__skeleton__in=names.skeletons(name), taken_names__is_former=True)
        owners = list(former.distinct()[:2])
        if len(owners) != 1:
            raise User.DoesNotExist
        return owners[0]

    def keep_for_a_while(self, user: User) -> None:
        """The user goes: nobody shall appear under the same name soon, and the name itself is forgotten.

        A ban outlives the account, and so does the name of whoever is banned.
        """
        usual = timezone.now() + RESERVED_NAME
        bans = Sanction.objects.in_force().filter(user=user, kind=Sanction.Kind.BAN).values_list("until", flat=True)
        until = max([usual, *(FOR_GOOD if end is None else end for end in bans)])
        self._keep(set(self.filter(user=user).values_list("skeleton", flat=True)), until)

    def _keep(self, skeletons: set[str], until: datetime) -> None:
        for one in sorted(skeletons):
            self.update_or_create(skeleton=_sealed(one), defaults={"until": until})
        self.filter(skeleton__in=skeletons).delete()

    def _kept(self, skeletons: Iterable[str]) -> models.QuerySet["TakenName"]:
        return self.filter(skeleton__in=[_sealed(one) for one in skeletons], until__gt=timezone.now())


class TakenName(models.Model):
    """A look of a name that nobody else may have: of an account, or of one that is gone (`names.skeletons`).

    The key makes two sign-ups at once differ. Of an account that is gone a keyed hash stays until `until`. A look that
    ``is_former`` is of a name that moderators have taken away from its account, which has another one now.
    """

    skeleton = models.TextField(unique=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="taken_names")
    until = models.DateTimeField(null=True, db_index=True)
    is_former = models.BooleanField(default=False, db_default=False)

    objects: ClassVar[TakenNameManager] = TakenNameManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="taken_by_somebody_or_for_a_while",
                condition=models.Q(user__isnull=False, until__isnull=True)
                | models.Q(user__isnull=True, until__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.skeleton


def _sealed(skeleton: str) -> str:
    return "sealed:" + salted_hmac("accounts.models.TakenName", skeleton, algorithm="sha256").hexdigest()


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


class SanctionQuerySet(models.QuerySet["Sanction"]):
    def in_force(self) -> "SanctionQuerySet":
        """Those that hold now: neither lifted nor over. A warning holds nobody back, and is never among them."""
        running = models.Q(until=None) | models.Q(until__gt=timezone.now())
        return self.filter(running, lifted_at=None).exclude(kind=Sanction.Kind.WARNING)


class Sanction(models.Model):
    """What a moderator has decided about a person for a while, or for good when ``until`` is None.

    ``person`` says whose it was, also without the account, and ``issued_by`` whose decision: public ids; None for a
    command on the server. ``text`` is what the person is told besides the ground, ``seen_at`` when they said that they
    have read it.
    """

    class Kind(models.TextChoices):
        """What it is."""

        WARNING = "warning", gettext_lazy("Warning")
        MUTE = "mute", pgettext_lazy("sanction", "Mute")
        SUSPENSION = "suspend", gettext_lazy("Suspension")
        BAN = "ban", gettext_lazy("Ban")

    class Scope(models.TextChoices):
        """What the person may not do."""

        NOTHING = "nothing", gettext_lazy("Nothing is barred")
        TEXT = "text", gettext_lazy("Writing own lines; the offered phrases stay")
        TALK = "talk", gettext_lazy("Talking at all")
        RATED = "rated", gettext_lazy("Playing rated matches")
        SITE = "site", gettext_lazy("Using the site")

    class Ground(models.TextChoices):
        """Why."""

        INSULTS = "insults", gettext_lazy("Insults or hate")
        CHEATING = "cheating", gettext_lazy("Cheating or playing together in secret")
        STALLING = "stalling", gettext_lazy("Stalling or leaving")
        SPAM = "spam", gettext_lazy("Advertising or spam")
        NAME = "name", gettext_lazy("An offensive or misleading name")
        EVASION = "evasion", gettext_lazy("Getting around an earlier decision")
        OTHER = "other", gettext_lazy("Something else")

    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="sanctions")
    person = models.UUIDField(db_index=True)
    kind = models.CharField(gettext_lazy("kind"), max_length=7, choices=Kind.choices)
    scope = models.CharField(gettext_lazy("scope"), max_length=7, choices=Scope.choices)
    ground = models.CharField(gettext_lazy("reason"), max_length=8, choices=Ground.choices)
    text = models.CharField(gettext_lazy("what the person is told"), max_length=1000, blank=True)
    issued_by = models.UUIDField(null=True)
    starts_at = models.DateTimeField(gettext_lazy("from"), default=timezone.now)
    until = models.DateTimeField(gettext_lazy("until"), null=True)
    seen_at = models.DateTimeField(gettext_lazy("read at"), null=True)
    lifted_at = models.DateTimeField(gettext_lazy("lifted at"), null=True)

    objects = SanctionQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("sanction")
        verbose_name_plural = gettext_lazy("sanctions")
        permissions = [("impose_sanction", "Can impose and lift sanctions")]
        constraints = [
            models.CheckConstraint(
                name="the_scope_is_one_of_its_kind",
                condition=models.Q(kind="warning", scope="nothing", until=None)
                | models.Q(kind="mute", scope__in=["text", "talk"])
                | models.Q(kind="suspend", scope="rated")
                | models.Q(kind="ban", scope="site"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Barrier(models.Model):
    """What a ban keeps out besides the account: a network from which no new guest comes, an e-mail address that
    no other account can confirm. Only a keyed hash is stored; None in ``until`` is for good."""

    class Kind(models.TextChoices):
        """What ``mark`` is a keyed hash of."""

        NETWORK = "network", gettext_lazy("Network")
        EMAIL = "email", gettext_lazy("E-mail address")

    sanction = models.ForeignKey(Sanction, on_delete=models.CASCADE, related_name="barriers")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    mark = models.CharField(max_length=64)
    until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sanction", "kind", "mark"], name="one_barrier_of_a_kind"),
        ]
        indexes = [models.Index(fields=["kind", "mark"], name="barriers_by_mark")]

    def __str__(self) -> str:
        return f"barrier {self.pk}"


class SeenNetwork(models.Model):
    """That a person was seen from a network on a day: a keyed hash that can only be compared, never an address."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="networks")
    mark = models.CharField(max_length=64)
    day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "mark", "day"], name="one_network_a_day")]
        indexes = [models.Index(fields=["day"], name="networks_by_day")]

    def __str__(self) -> str:
        return f"network of {self.user_id}"


class AppendOnly(Exception):
    """Somebody tries to change or delete what is kept as it was written."""


class StaffActQuerySet(models.QuerySet["StaffAct"]):
    def update(self, **kwargs: Any) -> int:
        raise AppendOnly

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnly

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise AppendOnly

    def bulk_create(
        self,
        objs: Iterable["StaffAct"],
        batch_size: int | None = None,
        ignore_conflicts: bool = False,
        update_conflicts: bool = False,
        update_fields: Collection[str] | None = None,
        unique_fields: Collection[str] | None = None,
    ) -> list["StaffAct"]:
        if update_conflicts:
            raise AppendOnly
        return super().bulk_create(objs, batch_size, ignore_conflicts)

    def _update(self, values: Any, *args: Any, **kwargs: Any) -> int:
        """What saving a row comes down to."""
        raise AppendOnly

    def _raw_delete(self, using: str | None) -> int:
        """What deleting rows that are no longer asked for comes down to."""
        raise AppendOnly


def act_number() -> int:
    """Return a key for an act: at random, so that none tells that there are others which its reader may not know of."""
    return 10**14 + secrets.randbelow(9 * 10**14)


class StaffAct(models.Model):
    """One thing that staff did: who, when, what, to what, why. Written once by `accounts.audit`, never changed.

    ``staff`` and ``person`` are public ids, which lead nowhere once an account is deleted; ``person`` is whom it
    concerned, if anybody. ``detail`` holds codes, numbers and times of the act, and no names.
    """

    class Act(models.TextChoices):
        """What was done."""

        WARN = "warn", gettext_lazy("Warned a person")
        MUTE = "mute", gettext_lazy("Muted a person")
        SUSPEND = "suspend", gettext_lazy("Suspended a person from rated play")
        BAN = "ban", gettext_lazy("Banned a person")
        LIFT = "lift", gettext_lazy("Lifted a sanction")
        RENAME_PERSON = "rename-person", gettext_lazy("Took a person’s name away")
        CLOSE_ROOM = "close-room", gettext_lazy("Closed a room")
        RENAME_ROOM = "rename-room", gettext_lazy("Renamed a room")
        END_MATCH = "end-match", gettext_lazy("Ended a match")
        ANNUL_MATCH = "annul-match", gettext_lazy("Annulled a match")
        REPLACE_SEAT = "replace-seat", gettext_lazy("Gave a seat to the computer")
        DELETE_LINE = "delete-line", gettext_lazy("Deleted a line")
        LOOK = "look", gettext_lazy("Opened the page of a running match")
        TAKE_REPORT = "take-report", gettext_lazy("Took a report on")
        RETURN_REPORT = "return-report", gettext_lazy("Gave a report back to the queue")
        RESOLVE_REPORT = "resolve-report", gettext_lazy("Resolved a report")
        MAKE_MODERATOR = "make-moderator", gettext_lazy("Made somebody a moderator")
        MAKE_ADMINISTRATOR = "make-administrator", gettext_lazy("Made somebody an administrator")
        END_RIGHTS = "end-rights", gettext_lazy("Took somebody’s rights of staff")
        RESET_SECOND_FACTOR = "reset-second-factor", gettext_lazy("Removed somebody’s second factor")

    class Subject(models.TextChoices):
        """What it was done to."""

        PERSON = "person", gettext_lazy("Person")
        SANCTION = "sanction", gettext_lazy("Sanction")
        ROOM = "room", gettext_lazy("Room")
        MATCH = "match", gettext_lazy("Match")
        LINE = "line", gettext_lazy("Line")
        REPORT = "report", pgettext_lazy("of a person", "Report")

    id = models.BigIntegerField(primary_key=True, default=act_number, editable=False)
    at = models.DateTimeField(gettext_lazy("when"), auto_now_add=True, db_index=True)
    staff = models.UUIDField(gettext_lazy("who"), null=True, db_index=True)
    act = models.CharField(gettext_lazy("what"), max_length=20, choices=Act.choices)
    subject = models.CharField(gettext_lazy("to what"), max_length=8, choices=Subject.choices)
    subject_id = models.CharField(max_length=36)
    person = models.UUIDField(gettext_lazy("whom it concerned"), null=True, db_index=True)
    why = models.CharField(gettext_lazy("why"), max_length=1000, blank=True)
    detail = models.JSONField(default=dict)

    objects: ClassVar[models.Manager["StaffAct"]] = StaffActQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("act of staff")
        verbose_name_plural = gettext_lazy("acts of staff")
        base_manager_name = "objects"
        indexes = [models.Index(fields=["subject", "subject_id"], name="acts_by_subject")]

    def __str__(self) -> str:
        return self.get_act_display()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """As a new row; raises AppendOnly for one that is there already, IntegrityError for the key of another."""
        if not self._state.adding:
            raise AppendOnly
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnly
