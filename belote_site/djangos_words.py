"""Sentences of Django that people meet on this site and that its own catalogue of Thai or Estonian leaves in English.

Nothing imports this file: it is read when the catalogues are made, and these then have the sentences.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

WORDS = (
    gettext_noop("Skip to main content"),
    gettext_noop("Breadcrumbs"),
    gettext_noop("Pagination %(name)s"),
    gettext_noop("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("This password is too common."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "min_length",
    ),
)
