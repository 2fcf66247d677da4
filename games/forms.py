"""What the pages' forms may send."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from games import options
from games.engine.rules import TARGETS
from games.models import Level, Room
from games.services import rooms


class PlayNowForm(forms.Form):
    """The computers' level and the target (R7.3); what is left out is normal and 1000."""

    level = forms.ChoiceField(choices=Level.choices, required=False)
    target = forms.TypedChoiceField(
        choices=[(t, str(t)) for t in TARGETS], coerce=int, required=False, empty_value=1000
    )

    def clean_level(self) -> str:
        return self.cleaned_data["level"] or Level.NORMAL.value


class RoomForm(forms.ModelForm):  # type: ignore[type-arg]
    """All the options of a room; they may change until a match starts."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=40, required=False)
    target = forms.TypedChoiceField(
        label=gettext_lazy("Play to"),
        choices=[(t, str(t)) for t in TARGETS],
        coerce=int,
        widget=forms.RadioSelect,
        initial=1000,
    )
    clock = forms.TypedChoiceField(
        label=gettext_lazy("Time for a turn"),
        choices=[*options.CLOCK_IN_SHORT, ("", options.NO_CLOCK)],
        coerce=int,
        required=False,
        empty_value=None,
        widget=forms.RadioSelect,
        initial=30,
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who finds the room"),
        choices=Room.Visibility.choices,
        widget=forms.RadioSelect,
        initial=Room.Visibility.LINK,
    )
    has_spectators = forms.BooleanField(label=gettext_lazy("Others may watch"), required=False, initial=True)
    is_rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False)
    undertrump = forms.ChoiceField(
        label=gettext_lazy("Who must trump and holds only lower trumps"), choices=options.UNDERTRUMP
    )
    belote = forms.ChoiceField(label=gettext_lazy("Belote and rebelote"), choices=options.BELOTE)
    litige = forms.ChoiceField(label=gettext_lazy("Both sides have equal points"), choices=options.LITIGE)

    class Meta:
        model = Room
        fields = (
            "name",
            "target",
            "clock",
            "visibility",
            "has_spectators",
            "is_rated",
            "undertrump",
            "belote",
            "litige",
        )

    def clean_name(self) -> str:
        return rooms.tidy_name(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        """A room that everybody finds has a clock: strangers must not wait for ever. Only such a room can be rated."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("visibility") == Room.Visibility.PUBLIC and "clock" in cleaned and cleaned["clock"] is None:
            self.add_error(
                "clock", gettext("Only a room by link can do without a clock. Choose a clock, or admit by link only.")
            )
        if cleaned.get("is_rated") and cleaned.get("visibility") == Room.Visibility.LINK:
            self.add_error(
                "is_rated",
                gettext("Only a room that everybody finds can be rated. List it in the lobby, or play unrated."),
            )
        return cleaned

    @property
    def choices_in_sight(self) -> list[forms.BoundField]:
        """What most people choose: the rest is folded away."""
        return [self["target"], self["clock"], self["visibility"]]

    @property
    def rules(self) -> list[forms.BoundField]:
        """The options that belong to the rules."""
        return [self["undertrump"], self["belote"], self["litige"]]

    @property
    def has_unusual_rules(self) -> bool:
        """Whether the rules need to be looked at: they are not the usual ones, or were not understood."""
        usual = Room()
        return any(field.errors or field.value() not in (None, getattr(usual, field.name)) for field in self.rules)


class SeatForm(forms.Form):
    """A seat, by its number clockwise from North; any free one when it is left out."""

    seat = forms.TypedChoiceField(
        choices=[(str(n), str(n)) for n in range(4)], coerce=int, required=False, empty_value=None
    )


class StartForm(forms.Form):
    """The start of a match; with a level, computers take the free seats first."""

    level = forms.ChoiceField(choices=Level.choices, required=False)
