"""Forms about oneself."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from accounts.models import Theme, User

_LANGUAGES = [("", gettext_lazy("Like my browser")), *settings.LANGUAGES]


class PreferencesForm(forms.ModelForm):
    """How a signed-in user or guest likes the site."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False, choices=_LANGUAGES)

    class Meta:
        model = User
        fields = (
            "language",
            "index_letters",
            "deck_colours",
            "card_size",
            "card_order",
            "theme",
            "animation",
            "sounds",
            "confirm_play",
            "shortcuts",
        )


class VisitorForm(forms.Form):
    """What someone without a row can choose; it is kept in cookies."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False, choices=_LANGUAGES)
    theme = forms.ChoiceField(label=gettext_lazy("Theme"), choices=Theme.choices)
