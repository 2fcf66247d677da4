"""Rooms, who sits in them, their matches, and the event log of each match.

`services` is the only writer. An event row, once written, is never changed or deleted.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from games.engine.rules import TARGETS, BeloteCall, Litige, RuleSet, Undertrump
from games.engine.seats import Occupant, Seat


class Level(models.TextChoices):
    """The computer players that can be given a seat."""

    EASY = Occupant.EASY.value, gettext_lazy("Easy")
    NORMAL = Occupant.NORMAL.value, gettext_lazy("Normal")


class Room(models.Model):
    """A table and the options that its matches are played with."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="hosted_rooms"
    )
    target = models.PositiveSmallIntegerField(default=1000, choices=[(target, str(target)) for target in TARGETS])
    undertrump = models.CharField(max_length=8, default=Undertrump.MUST, choices=[(o, o) for o in Undertrump])
    belote = models.CharField(max_length=8, default=BeloteCall.AUTO, choices=[(o, o) for o in BeloteCall])
    litige = models.CharField(max_length=8, default=Litige.HELD, choices=[(o, o) for o in Litige])
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.id)

    @property
    def rules(self) -> RuleSet:
        """The rule set that a match started now is bound to."""
        return RuleSet(self.target, Undertrump(self.undertrump), BeloteCall(self.belote), Litige(self.litige))


class Seating(models.Model):
    """A person or a computer player in a seat of a room."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seatings")
    seat = models.PositiveSmallIntegerField(choices=[(int(seat), seat.name.title()) for seat in Seat])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="seatings"
    )
    level = models.CharField(max_length=8, blank=True, choices=Level.choices)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "seat"], name="one_seating_per_seat"),
            models.UniqueConstraint(fields=["room", "user"], name="one_seat_per_user"),
            models.CheckConstraint(
                name="a_computer_has_a_level", condition=models.Q(user__isnull=True) | models.Q(level="")
            ),
        ]

    def __str__(self) -> str:
        return f"{Seat(self.seat).name} of {self.room_id}"

    @property
    def occupant(self) -> Occupant:
        """What the engine is told of who sits here."""
        return Occupant(self.level) if self.level else Occupant.PERSON


class Match(models.Model):
    """A match: the head of its event log, and what is due.

    ``version`` is the sequence number of its last event. ``due_at`` is when a computer player moves or the next deal
    starts; None when only a person can go on. A job is only a prompt: this column is what counts. ``last_seen_at`` is
    when a person last moved, came or went.
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
    started_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["room"], condition=models.Q(status="running"), name="one_running_match_per_room"
            )
        ]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return str(self.id)


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


class Presence(models.Model):
    """An open socket of a seated person. It counts until ``seen_until``, so that a killed server leaves no ghosts."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="presences")
    seat = models.PositiveSmallIntegerField()
    channel = models.CharField(max_length=200, unique=True)
    seen_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{Seat(self.seat).name} of {self.match_id}"
