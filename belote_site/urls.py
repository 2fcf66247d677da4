"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

from belote_site import pages

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("privacy/", pages.privacy, name="privacy"),
    path("retention/", pages.retention, name="retention"),
    path("terms/", pages.terms, name="terms"),
    path("contact/", pages.contact, name="contact"),
    path("", include("games.urls")),
]

handler400 = "belote_site.errors.bad_request"
handler403 = "belote_site.errors.forbidden"
handler404 = "belote_site.errors.not_found"
handler500 = "belote_site.errors.server_error"
