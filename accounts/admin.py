"""Staff pages about people, sanctions, and what staff did."""

from __future__ import annotations

from django.contrib import admin

from accounts import rights_pages
from accounts.models import Sanction, StaffAct, User
from accounts.staff_pages import StaffPages


@admin.register(User)
class UserAdmin(StaffPages):
    acts = (*rights_pages.ACTS,)
    list_display = ("display_name", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "public_id")
    ordering = ("-date_joined",)
    fields = (
        "public_id",
        "username",
        "email",
        "is_guest",
        "guest_number",
        "is_active",
        "is_staff",
        "date_joined",
        "last_login",
    )


@admin.register(Sanction)
class SanctionAdmin(StaffPages):
    list_display = ("user", "kind", "scope", "ground", "starts_at", "until", "lifted_at")
    list_filter = ("kind", "ground")
    linked = ("user",)
    search_fields = ("user__username", "person")
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    fields = ("user", "kind", "scope", "ground", "text", "starts_at", "until", "seen_at", "lifted_at")


@admin.register(StaffAct)
class StaffActAdmin(StaffPages):
    list_display = ("at", "staff", "act", "subject", "subject_id", "person", "why")
    list_filter = ("act", "subject")
    search_fields = ("staff", "subject_id", "person", "why")
    date_hierarchy = "at"
    ordering = ("-at", "-pk")
    fields = ("at", "staff", "act", "subject", "subject_id", "person", "why")
