"""Addresses of the pages about oneself."""

from django.urls import path

from accounts import own_data, views

app_name = "accounts"

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.switch_language, name="switch_language"),
    path("data/", own_data.download, name="own_data"),
    path("delete/", own_data.delete, name="delete"),
]
