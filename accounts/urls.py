"""Addresses of the pages about oneself."""

from django.urls import path
from django.views.decorators.http import require_safe

from accounts import decisions, own_data, views

app_name = "accounts"

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.switch_language, name="switch_language"),
    path("decisions/", decisions.decisions, name="decisions"),
    path("no-guests/", require_safe(decisions.refused_guest), name="no_guests"),
    path("data/", own_data.download, name="own_data"),
    path("delete/", own_data.delete, name="delete"),
]
