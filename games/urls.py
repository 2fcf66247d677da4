"""The addresses of the pages of play."""

from django.urls import path

from games import profile_views, views

app_name = "games"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play_now"),
    path("table/<uuid:match_id>/", views.table, name="table"),
    path("table/<uuid:match_id>/again/", views.play_again, name="play_again"),
    path("table/<uuid:match_id>/leave/", views.leave, name="leave"),
    path("rules/", views.rules, name="rules"),
    path("people/me/", profile_views.own_profile, name="own_profile"),
    path("people/<uuid:public_id>/", profile_views.profile, name="profile"),
    path("health/", views.health, name="health"),
]
