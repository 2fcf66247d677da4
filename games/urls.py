"""The addresses of the pages of play."""

from django.urls import path

from games import fair_views, lobby_views, people_views, profile_views, record_views, replay_views, room_views, views

app_name = "games"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play_now"),
    path("table/<uuid:match_id>/", views.table, name="table"),
    path("table/<uuid:match_id>/again/", views.rematch, name="rematch"),
    path("table/<uuid:match_id>/leave/", views.leave, name="leave"),
    path("table/<uuid:match_id>/deal/<int:deal>/", fair_views.verify_deal, name="verify_deal"),
    path("fair-deals/", fair_views.fair_deals, name="fair_deals"),
    path("fair-deals/verify_deal.py", fair_views.script, name="verify_script"),
    path("replay/<uuid:match_id>/", replay_views.replay, name="replay"),
    path("replay/<uuid:match_id>/moment/", replay_views.moment, name="replay_moment"),
    path("replay/<uuid:match_id>/analysis/", replay_views.analysis, name="replay_analysis"),
    path("replay/<uuid:match_id>/record/", record_views.download, name="record"),
    path("rules/", views.rules, name="rules"),
    path("lobby/", lobby_views.lobby, name="lobby"),
    path("lobby/quick/", lobby_views.quick_match, name="quick_match"),
    path("join/<str:invite>/", room_views.join, name="join"),
    path("rooms/new/", room_views.new_room, name="new_room"),
    path("room/<uuid:room_id>/", room_views.room, name="room"),
    path("room/<uuid:room_id>/options/", room_views.room_options, name="room_options"),
    path("room/<uuid:room_id>/sit/", room_views.sit, name="sit"),
    path("room/<uuid:room_id>/computers/<slug:level>/", room_views.fill, name="fill"),
    path("room/<uuid:room_id>/clear/", room_views.clear, name="clear"),
    path("room/<uuid:room_id>/start/", room_views.start, name="start"),
    path("room/<uuid:room_id>/ready/", room_views.ready, name="ready"),
    path("room/<uuid:room_id>/leave/", room_views.get_up, name="get_up"),
    path("room/<uuid:room_id>/invitation/", room_views.invitation, name="invitation"),
    path("people/", people_views.people, name="people"),
    path("people/act/", people_views.act_on_person, name="act_on_person"),
    path("people/answers/", people_views.read_answer, name="read_answer"),
    path("people/<uuid:public_id>/report/", people_views.report, name="report"),
    path("people/me/", profile_views.own_profile, name="own_profile"),
    path("people/<uuid:public_id>/", profile_views.profile, name="profile"),
    path("leaderboard/", profile_views.ranking, name="leaderboard"),
    path("health/", views.health, name="health"),
]
