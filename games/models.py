"""Rooms, who sits in them, their matches, the event log of each match, and what is said at the tables.

`services` is the only writer. An event row, once written, is never changed or deleted. All in one file, though it is a
long one: Django looks for an app's models here, and each of them is read alone.
"""

from __future__ import annotations

import secrets
import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.engine.rules import TARGETS, BeloteCall, Litige, RuleSet, Undertrump
from games.engine.seats import Occupant, Seat


class Level(models.TextChoices):
    """The computer players that can be given a seat."""

    EASY = Occupant.EASY.value, gettext_lazy("Easy")
    NORMAL = Occupant.NORMAL.value, gettext_lazy("Normal")
    HARD = Occupant.HARD.value, gettext_lazy("Hard")


class Clock(models.IntegerChoices):
    """Seconds for a turn."""

    FAST = 15, gettext_lazy("15 seconds a turn")
    USUAL = 30, gettext_lazy("30 seconds a turn")
    SLOW = 60, gettext_lazy("60 seconds a turn")


def new_invite() -> str:
    """Return the secret part of an invite link."""
    return secrets.token_urlsafe(12)


class Room(models.Model):
    """A table and the options that its matches are played with.

    Whoever knows ``invite`` may come in. ``clock`` is None where turns have no clock: in rooms by link, or with one
    person. Matches of a room that ``is_rated`` are rated when four accounts sit at their start. A room that is closed
    lets nobody in any more.
    """

    class Visibility(models.TextChoices):
        """Who finds a room."""

        PUBLIC = "public", gettext_lazy("Everybody: the lobby lists it")
        LINK = "link", gettext_lazy("Only people with the link")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40, blank=True)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="hosted_rooms"
    )
    target = models.PositiveSmallIntegerField(default=1000, choices=[(target, str(target)) for target in TARGETS])
    undertrump = models.CharField(max_length=8, default=Undertrump.MUST, choices=[(o, o) for o in Undertrump])
    belote = models.CharField(max_length=8, default=BeloteCall.AUTO, choices=[(o, o) for o in BeloteCall])
    litige = models.CharField(max_length=8, default=Litige.HELD, choices=[(o, o) for o in Litige])
    clock = models.PositiveSmallIntegerField(null=True, blank=True, choices=Clock.choices)
    visibility = models.CharField(max_length=6, default=Visibility.LINK, choices=Visibility.choices)
    has_spectators = models.BooleanField(default=True)
    starts_when_full = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=False, db_default=False)
    invite = models.CharField(max_length=16, unique=True, default=new_invite, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = gettext_lazy("room")
        verbose_name_plural = gettext_lazy("rooms")
        permissions: ClassVar = [("moderate_tables", "Can close, end, annul, rename and delete at tables")]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="a_public_room_has_a_clock",
                condition=models.Q(visibility="link") | models.Q(clock__isnull=False),
            ),
            models.CheckConstraint(
                name="a_rated_room_is_public", condition=models.Q(is_rated=False) | models.Q(visibility="public")
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_public(self) -> bool:
        """Whether the lobby lists it."""
        return self.visibility == self.Visibility.PUBLIC

    @property
    def rules(self) -> RuleSet:
        """The rule set that a match started now is bound to."""
        return RuleSet(self.target, Undertrump(self.undertrump), BeloteCall(self.belote), Litige(self.litige))


_SEATS = [(int(seat), seat.name.title()) for seat in Seat]


class Seating(models.Model):
    """A person or a computer player in a seat of a room. A person has one seat on the whole site.

    ``absent_since`` is since when a person has had no open page of the room. ``is_ready``: wants another match.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seatings")
    seat = models.PositiveSmallIntegerField(choices=_SEATS)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="seating"
    )
    level = models.CharField(max_length=8, blank=True, choices=Level.choices)
    is_ready = models.BooleanField(default=False)
    absent_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "seat"], name="one_seating_per_seat"),
            models.CheckConstraint(
                name="a_seating_is_of_a_person_or_a_computer",
                condition=models.Q(user__isnull=False, level="") | (models.Q(user__isnull=True) & ~models.Q(level="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{Seat(self.seat).name} of {self.room_id}"

    @property
    def occupant(self) -> Occupant:
        """What the engine is told of who sits here."""
        return Occupant(self.level) if self.level else Occupant.PERSON


class Admission(models.Model):
    """Somebody who has come into a room by its link, or was invited: it is no longer hidden from them."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="admissions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="admissions")
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations_sent"
    )
    is_answered = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "user"], name="one_admission_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.room_id}"


RESERVE_SECONDS = 60


def full_reserves() -> list[float]:
    """Return what every seat has at the start of a match."""
    return [RESERVE_SECONDS] * len(Seat)


class Match(models.Model):
    """A match: the head of its event log, and what is due.

    ``version`` is the sequence number of its last event. ``due_at`` is when the server acts: a computer player moves,
    a person's time is up, or the next deal starts; None when only a person can go on. A job is only a prompt: this
    column is what counts. ``turn_since`` is when the seat on turn was asked; ``clock`` are the seconds of a turn and
    ``reserves`` the seconds that each seat has left for the whole match, North first. ``last_seen_at`` is when a
    person last moved, came or went. ``is_rated`` is fixed at the start. ``is_booked``: it is over and its results are
    written. One that was annulled (``annulled_at``) counts nowhere. ``record_head`` is the head of its record, empty
    while it runs. One that ``is_imported`` was brought as a record, has no people, and counts nowhere either.
    """

    class Status(models.TextChoices):
        """Whether a match is still played."""

        RUNNING = "running", gettext_lazy("Running")
        WON = "won", gettext_lazy("Finished")
        VOID = "void", gettext_lazy("Void")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="matches")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.RUNNING)
    version = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    clock = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_since = models.DateTimeField(null=True, blank=True)
    reserves = models.JSONField(default=full_reserves)
    started_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    is_rated = models.BooleanField(default=False, db_default=False)
    is_booked = models.BooleanField(default=False, db_default=False)
    annulled_at = models.DateTimeField(null=True, blank=True)
    record_head = models.CharField(max_length=64, blank=True, db_default="", editable=False)
    is_imported = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["room"], condition=models.Q(status="running"), name="one_running_match_per_room"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ended_at"],
                condition=models.Q(is_booked=False, ended_at__isnull=False),
                name="matches_to_be_booked",
            )
        ]
        verbose_name = gettext_lazy("match")
        verbose_name_plural = gettext_lazy("matches")

    def __str__(self) -> str:
        return str(self.id)


class MatchSeat(models.Model):
    """Who played a seat of one match, and what became of it for them.

    ``is_playing`` binds a person to the match until it ends or they leave it on purpose. ``absent_since``: since when
    the person has had no open table. ``newest_tab`` counts the tabs that the seat was opened in; the last one plays.
    ``outcome`` is empty for computers and while the match runs. ``person`` says who it was, also without the account.
    """

    class Outcome(models.TextChoices):
        """What a match was for a person."""

        WON = "won", gettext_lazy("Won")
        LOST = "lost", gettext_lazy("Lost")
        LEFT = "left", gettext_lazy("Left, counts as lost")
        VOID = "void", gettext_lazy("Void")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField(choices=_SEATS)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="match_seats"
    )
    person = models.UUIDField(null=True, blank=True, editable=False)
    level = models.CharField(max_length=8, blank=True, choices=Level.choices)
    is_playing = models.BooleanField(default=False)
    absent_since = models.DateTimeField(null=True, blank=True)
    newest_tab = models.PositiveIntegerField(default=0)
    outcome = models.CharField(max_length=4, blank=True, choices=Outcome.choices)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_match_seat_per_seat"),
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(is_playing=True), name="one_running_match_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{Seat(self.seat).name} of {self.match_id}"


class Result(models.Model):
    """What one match was for one of its people, written in the transaction that ends it; never from a running match.

    ``person`` is the one of the seat and stays when the account goes. ``ours`` and ``theirs`` are the final scores,
    None when no side has won. The numbers from ``deals`` to ``late`` are those of `games.tallies.SeatTally`; ``late``
    is 0 in what was booked before it was counted.
    ``mu`` and ``sigma`` are the rating after this match (`games.ratings`), None until it is rated.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="results")
    seat = models.PositiveSmallIntegerField(choices=_SEATS)
    person = models.UUIDField()
    partner = models.ForeignKey(MatchSeat, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField()
    outcome = models.CharField(max_length=4, choices=MatchSeat.Outcome.choices)
    ours = models.PositiveSmallIntegerField(null=True)
    theirs = models.PositiveSmallIntegerField(null=True)
    deals = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField()
    taken = models.PositiveSmallIntegerField()
    made = models.PositiveSmallIntegerField()
    failed = models.PositiveSmallIntegerField()
    capots_made = models.PositiveSmallIntegerField()
    capots_suffered = models.PositiveSmallIntegerField()
    belotes = models.PositiveSmallIntegerField()
    late = models.PositiveSmallIntegerField(default=0, db_default=0)
    is_rated = models.BooleanField(default=False)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_result_per_seat"),
            models.CheckConstraint(
                name="a_rating_is_whole",
                condition=models.Q(mu__isnull=True, sigma__isnull=True)
                | models.Q(mu__isnull=False, sigma__isnull=False, is_rated=True),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["person", "ended_at"], name="results_of_a_person"),
            models.Index(
                fields=["ended_at", "match"],
                condition=models.Q(is_rated=True, mu__isnull=False),
                name="results_rated_in_order",
            ),
            models.Index(
                fields=["ended_at", "match"],
                condition=models.Q(is_rated=True, mu__isnull=True),
                name="results_to_be_rated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} for {self.person}"


class Standing(models.Model):
    """The rating that an account has now, worked out from its newest rated result: what the leaderboard reads.

    ``points`` and ``is_provisional`` are those of `games.ratings.Rating`.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="standing")
    mu = models.FloatField()
    sigma = models.FloatField()
    points = models.IntegerField()
    is_provisional = models.BooleanField()
    matches = models.PositiveIntegerField()
    won = models.PositiveIntegerField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-points", "user"], condition=models.Q(is_provisional=False), name="leaderboard")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.points}"


class Ladder(models.Model):
    """One row, which whoever works out ratings locks: two matches that end at once are rated one after the other."""

    def __str__(self) -> str:
        return "the ladder"


class GameEvent(models.Model):
    """One event of a match, as `codec` writes it.

    ``seat`` and ``action_id`` name the action that the event came from, on its first event only.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="events")
    sequence = models.PositiveIntegerField()
    schema = models.PositiveSmallIntegerField()
    payload = models.JSONField()
    seat = models.PositiveSmallIntegerField(null=True)
    action_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = gettext_lazy("event")
        verbose_name_plural = gettext_lazy("events")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "sequence"], name="one_event_per_sequence"),
            models.UniqueConstraint(fields=["match", "seat", "action_id"], name="one_event_per_action"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.sequence}"


class DealSeed(models.Model):
    """The secret seed of a deal, written with its commitment. Read by the server alone until the log reveals it."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seeds")
    deal = models.PositiveIntegerField()
    seed = models.BinaryField(max_length=32)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "deal"], name="one_seed_per_deal")]

    def __str__(self) -> str:
        return f"{self.match_id} deal {self.deal}"


class DealAnalysis(models.Model):
    """What each card of a deal cost, which is known when a process has worked it out. Of matches that are over only.

    ``moves`` are empty until then. Whoever works on it holds it until ``held_until``, as attempt number ``attempts``; a
    killed process holds nothing for long. One that ``is_sample`` was drawn by the site, and nobody waits for it.
    """

    class Status(models.TextChoices):
        """How far it is."""

        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="analyses")
    deal = models.PositiveIntegerField()
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    held_until = models.DateTimeField(null=True)
    moves_done = models.PositiveSmallIntegerField(default=0)
    moves = models.JSONField(default=list)
    requested_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    is_sample = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "deal"], name="one_analysis_per_deal")]
        verbose_name_plural = "deal analyses"

    def __str__(self) -> str:
        return f"{self.match_id} deal {self.deal}"


class Presence(models.Model):
    """An open page of a room or of one of its tables. It counts until ``seen_until``: a killed server leaves no ghosts.

    ``match`` is None on the room's own page, ``seat`` None for a spectator, ``user`` None for a visitor.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="presences")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="presences")
    seat = models.PositiveSmallIntegerField(null=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="presences")
    channel = models.CharField(max_length=200, unique=True)
    seen_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} in {self.room_id}"


class ChatLine(models.Model):
    """A line said in a room: one of the quick phrases, which every reader reads in their language, or free text.

    One that a moderator has deleted is empty; ``deleted_by`` is the public id of that moderator.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="lines")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="lines")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lines")
    phrase = models.CharField(max_length=20, blank=True)
    text = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.UUIDField(null=True)

    class Meta:
        verbose_name = gettext_lazy("line")
        verbose_name_plural = gettext_lazy("lines")
        constraints: ClassVar = [
            models.CheckConstraint(
                name="a_line_is_a_phrase_or_text",
                condition=(models.Q(phrase="") & ~models.Q(text="") & models.Q(deleted_at=None))
                | (~models.Q(phrase="") & models.Q(text="") & models.Q(deleted_at=None))
                | models.Q(phrase="", text="", deleted_at__isnull=False, deleted_by__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"line {self.pk} in {self.room_id}"


def report_number() -> int:
    """Return a key for a report: at random, so that none tells how many there are which its reader may not know of."""
    return 10**8 + secrets.randbelow(9 * 10**8)


class Report(models.Model):
    """A complaint about a person, with the lines and the match that it speaks of.

    ``lines`` is a copy of what was said around it: a list of ``{"at", "author", "phrase", "text"}``, the author as a
    public id; ``room_name`` and ``reported_name`` are the names of room and person as they were then, '' of a guest.
    ``told_at`` is when the reporter said that they have read what became of it.
    """

    class Status(models.TextChoices):
        """How far it is."""

        OPEN = "open", gettext_lazy("Open")
        ASSIGNED = "assigned", gettext_lazy("Assigned")
        RESOLVED = "resolved", gettext_lazy("Resolved")

    class Resolution(models.TextChoices):
        """What came of it."""

        ACTED = "acted", gettext_lazy("Something was done")
        NOTHING = "nothing", gettext_lazy("No rule was broken")

    class Ground(models.TextChoices):
        """What somebody complains of."""

        INSULTS = "insults", gettext_lazy("Insults or hate")
        CHEATING = "cheating", gettext_lazy("Cheating or playing together in secret")
        STALLING = "stalling", gettext_lazy("Stalling or leaving")
        SPAM = "spam", gettext_lazy("Advertising or spam")
        NAME = "name", gettext_lazy("An offensive or misleading name")
        OTHER = "other", gettext_lazy("Something else")

    id = models.BigIntegerField(primary_key=True, default=report_number, editable=False)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports_filed"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports_about"
    )
    ground = models.CharField(gettext_lazy("reason"), max_length=10, choices=Ground.choices)
    text = models.CharField(max_length=1000, blank=True)
    room = models.ForeignKey(Room, on_delete=models.SET_NULL, null=True, related_name="reports")
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, related_name="reports")
    lines = models.JSONField(default=list)
    room_name = models.CharField(max_length=40, blank=True, db_default="")
    reported_name = models.CharField(max_length=150, blank=True, db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN, db_default=Status.OPEN)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports_assigned"
    )
    resolution = models.CharField(max_length=7, choices=Resolution.choices, blank=True, db_default="")
    resolved_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = gettext_lazy("report")
        verbose_name_plural = gettext_lazy("reports")
        permissions: ClassVar = [("handle_report", "Can handle reports")]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="a_resolved_report_has_a_resolution",
                condition=(models.Q(status="resolved") & ~models.Q(resolution="") & models.Q(resolved_at__isnull=False))
                | (~models.Q(status="resolved") & models.Q(resolution="", resolved_at=None)),
            ),
            models.CheckConstraint(
                name="an_assigned_report_is_somebodys",
                condition=models.Q(status="open", assignee=None)
                | models.Q(status="assigned", assignee__isnull=False)
                | models.Q(status="resolved"),
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"


class StaffView(models.Model):
    """That a member of staff has opened the admin page of a match while it ran: they may not take a seat in it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="staff_views")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="matches_viewed")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="one_view_per_match")]

    def __str__(self) -> str:
        return f"{self.user_id} has seen {self.match_id}"


class Hint(models.Model):
    """What is striking about how somebody has played lately, for moderators to look into: measured, and no proof.

    The numbers are those of `games.hints`: of matches, of analysed deals, of ``reporters``. ``last_left_at`` is when
    they last left a match for good. ``distance`` is how far the share of better cards lies from what people have, None
    without enough of them. ``is_near`` and so on tell which signals are above their threshold, ``striking`` how many.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hint")
    computed_at = models.DateTimeField(gettext_lazy("measured at"), db_index=True)
    matches = models.PositiveSmallIntegerField(gettext_lazy("matches"))
    rated = models.PositiveSmallIntegerField()
    partnered = models.PositiveSmallIntegerField()
    closest = models.PositiveSmallIntegerField()
    compared = models.PositiveSmallIntegerField()
    near = models.PositiveSmallIntegerField()
    near_partners = models.PositiveSmallIntegerField()
    left = models.PositiveSmallIntegerField()
    last_left_at = models.DateTimeField(null=True)
    late = models.PositiveIntegerField()
    deals = models.PositiveSmallIntegerField()
    cards = models.PositiveIntegerField()
    cost = models.PositiveIntegerField()
    hards_cost = models.PositiveIntegerField()
    best = models.PositiveIntegerField()
    better = models.PositiveIntegerField()
    worse = models.PositiveIntegerField()
    distance = models.FloatField(null=True)
    reporters = models.PositiveSmallIntegerField()
    is_near = models.BooleanField()
    is_foreseeing = models.BooleanField()
    is_leaving = models.BooleanField()
    is_reported = models.BooleanField()
    is_stalling = models.BooleanField()
    striking = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = gettext_lazy("hint")
        verbose_name_plural = gettext_lazy("hints")
        indexes: ClassVar = [models.Index(fields=["-striking", "-computed_at"], name="most_striking_hints")]

    def __str__(self) -> str:
        return f"hint {self.pk}"
