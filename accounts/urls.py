"""Addresses of the pages about oneself."""

from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.switch_language, name="switch_language"),
]
