"""The record of what staff did: written in the transaction of the act itself, and never changed afterwards."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.utils.functional import Promise

from accounts.models import StaffAct, User

MODEL_OF: Final = {
    StaffAct.Subject.PERSON: "accounts.User",
    StaffAct.Subject.SANCTION: "accounts.Sanction",
    StaffAct.Subject.ROOM: "games.Room",
    StaffAct.Subject.MATCH: "games.Match",
    StaffAct.Subject.LINE: "games.ChatLine",
    StaffAct.Subject.REPORT: "games.Report",
}
"""Whose rows the subjects of acts are, by the label of the model."""


class Refused(Exception):
    """An act of staff is not to be done; ``sentence`` tells them why, in the active language when it is shown."""

    def __init__(self, sentence: str | Promise) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


def record(
    staff: User | None,
    act: StaffAct.Act,
    subject: StaffAct.Subject,
    subject_id: object,
    *,
    why: str,
    person: UUID | None = None,
    **detail: str | int | None,
) -> StaffAct:
    """Write down what staff did, inside the transaction in which it is done.

    ``staff`` is None for a command on the server. ``subject_id`` is the public id of a person, else the key of the row.
    ``detail`` holds codes, numbers and times: neither names nor what anybody said, which go with their account.
    """
    return StaffAct.objects.create(
        staff=None if staff is None else staff.public_id,
        act=act,
        subject=subject,
        subject_id=str(subject_id),
        person=person,
        why=why,
        detail=detail,
    )
