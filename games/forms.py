"""What the pages' forms may send."""

from __future__ import annotations

from django import forms

from games.engine.rules import TARGETS
from games.models import Level


class PlayNowForm(forms.Form):
    """The computers' level and the target (R7.3); what is left out is normal and 1000."""

    level = forms.ChoiceField(choices=Level.choices, required=False)
    target = forms.TypedChoiceField(
        choices=[(t, str(t)) for t in TARGETS], coerce=int, required=False, empty_value=1000
    )

    def clean_level(self) -> str:
        return self.cleaned_data["level"] or Level.NORMAL.value
