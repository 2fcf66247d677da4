"""A part of a view whose every use fails with an error that quotes it; it can be loaded without Django."""

from __future__ import annotations


class Telltale:
    """Stands for the running trick."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    @property
    def cards(self) -> object:
        raise ValueError(f"the hand is {self.secret}")
