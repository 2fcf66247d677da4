"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("", include("games.urls")),
]

handler400 = "belote_site.errors.bad_request"
handler403 = "belote_site.errors.forbidden"
handler404 = "belote_site.errors.not_found"
handler500 = "belote_site.errors.server_error"
