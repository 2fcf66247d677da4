"""The site's addresses."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from belote_site import pages

# Staff come in by the door of everybody, with its limits.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("account/", include("accounts.entrance_urls")),
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
handler429 = "belote_site.errors.asked_too_often"
