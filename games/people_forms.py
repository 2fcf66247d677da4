"""What the pages about other people are sent."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from games.models import Report


class ActForm(forms.Form):
    """Something to do about a person; ``room`` names the talk that the page shows, if it shows one."""

    person = forms.UUIDField()
    act = forms.CharField(max_length=10)
    room = forms.UUIDField(required=False)
    next = forms.CharField(max_length=500, required=False)


class ContextForm(forms.Form):
    """Where something happened that a report is about."""

    room = forms.UUIDField(required=False)
    match = forms.UUIDField(required=False)


class ReportForm(forms.Form):
    """What somebody complains of."""

    ground = forms.ChoiceField(
        label=gettext_lazy("What is it about?"), choices=Report.Ground.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=gettext_lazy("What happened?"),
        help_text=gettext_lazy("Not needed, but it helps. At most 1000 characters."),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AnswerForm(forms.Form):
    """Which answer to a report has been read."""

    report = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    next = forms.CharField(max_length=500, required=False)
