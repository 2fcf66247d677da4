"""What games hold about a person, for that person: field by field, as in `accounts.export`.

Of a match the numbers, the rules and the result; never its log, which while it runs is secret and afterwards belongs to
four people: the ids of the matches lead to it.
"""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.export import Fields, followed, rows
from accounts.models import User
from accounts.signals import data_requested
from games.models import Match, Result
from games.results import final_scores

FOLLOWED = frozenset(
    {
        "hosted_rooms",
        "seating",
        "admissions",
        "invitations_sent",
        "match_seats",
        "presences",
        "lines",
        "reports_filed",
        "standing",
        "matches_viewed",
        "hint",
    }
)

EXPORTED: Fields = {
    "games.Room": {
        name: name
        for name in (
            "id",
            "name",
            "target",
            "undertrump",
            "belote",
            "litige",
            "clock",
            "visibility",
            "has_spectators",
            "starts_when_full",
            "is_rated",
            "invite",
            "created_at",
            "closed_at",
        )
    },
    "games.Seating": {"room": "room_id", "seat": "seat", "is_ready": "is_ready", "absent_since": "absent_since"},
    "games.Admission": {
        "room": "room_id",
        "user": "user__public_id",
        "inviter": "inviter__public_id",
        "is_answered": "is_answered",
        "created_at": "created_at",
    },
    "games.MatchSeat": {
        "match": "match_id",
        "seat": "seat",
        "is_playing": "is_playing",
        "absent_since": "absent_since",
        "outcome": "outcome",
    },
    "games.Match": {
        "id": "id",
        "room": "room_id",
        "target": "room__target",
        "undertrump": "room__undertrump",
        "belote": "room__belote",
        "litige": "room__litige",
        "clock": "clock",
        "status": "status",
        "started_at": "started_at",
        "ended_at": "ended_at",
        "is_rated": "is_rated",
        "annulled_at": "annulled_at",
    },
    "games.Result": {"match": "match_id"}
    | {
        name: name
        for name in (
            "seat",
            "ended_at",
            "outcome",
            "ours",
            "theirs",
            "deals",
            "points",
            "taken",
            "made",
            "failed",
            "capots_made",
            "capots_suffered",
            "belotes",
            "late",
            "is_rated",
            "mu",
            "sigma",
        )
    },
    "games.Standing": {name: name for name in ("mu", "sigma", "points", "is_provisional", "matches", "won")},
    "games.Hint": {
        name: name
        for name in (
            "computed_at",
            "matches",
            "rated",
            "partnered",
            "closest",
            "left",
            "last_left_at",
            "late",
            "deals",
            "cards",
            "cost",
            "hards_cost",
            "best",
            "better",
            "worse",
            "distance",
            "is_foreseeing",
            "is_leaving",
            "is_stalling",
        )
    },
    "games.Presence": {"room": "room_id", "match": "match_id", "seat": "seat", "seen_until": "seen_until"},
    "games.ChatLine": {
        "room": "room_id",
        "match": "match_id",
        "phrase": "phrase",
        "text": "text",
        "created_at": "created_at",
        "deleted_at": "deleted_at",
    },
    "games.StaffView": {"match": "match_id", "at": "at"},
    "games.Report": {
        "reported": "reported__public_id",
        "ground": "ground",
        "text": "text",
        "room": "room_id",
        "room_name": "room_name",
        "match": "match_id",
        "created_at": "created_at",
        "status": "status",
        "resolution": "resolution",
        "resolved_at": "resolved_at",
        "told_at": "told_at",
    },
}

_NUMBER = "a number of the database that means nothing outside it"
_SELF = "the person who asks"

_PARTNERS = "would tell of partners whether they come from the same network, which is theirs to tell"
_REPORTERS = "who reported a person, and of what, has to stay between the reporter and staff"

WITHHELD = {
    "accounts.User.reports_about": _REPORTERS,
    "accounts.User.reports_assigned": "what a moderator works on is about others",
    "games.Room.host": _SELF,
    "games.Seating.id": _NUMBER,
    "games.Seating.user": _SELF,
    "games.Seating.level": "says of computers how well they play",
    "games.Admission.id": _NUMBER,
    "games.MatchSeat.id": _NUMBER,
    "games.MatchSeat.user": _SELF,
    "games.MatchSeat.person": "the public id of the person who asks",
    "games.MatchSeat.level": "says of computers how well they play",
    "games.MatchSeat.newest_tab": "which of several open tabs plays",
    "games.Match.version": "how far the log is, which is about all four",
    "games.Match.due_at": "when the server acts next",
    "games.Match.turn_since": "about whoever is on turn",
    "games.Match.reserves": "about all four",
    "games.Match.last_seen_at": "about all four",
    "games.Match.record_head": "a checksum of the log",
    "games.Match.is_imported": "such a match has no people",
    "games.Match.is_booked": "whether the results have been written",
    "games.Result.id": _NUMBER,
    "games.Result.person": "the public id of the person who asks",
    "games.Result.partner": "another person's seat; the match tells which",
    "games.Standing.id": _NUMBER,
    "games.Standing.user": _SELF,
    "games.Ladder": "says nothing: a row to be locked",
    "games.GameEvent": "the log: the hands of all four while a match runs, and of all four afterwards",
    "games.DealSeed": "the secret of the deals",
    "games.DealAnalysis": "worked out from the log, about the cards of all four",
    "games.Hint.id": _NUMBER,
    "games.Hint.user": _SELF,
    "games.Hint.compared": _PARTNERS,
    "games.Hint.near": _PARTNERS,
    "games.Hint.near_partners": _PARTNERS,
    "games.Hint.is_near": _PARTNERS,
    "games.Hint.reporters": _REPORTERS,
    "games.Hint.is_reported": _REPORTERS,
    "games.Hint.striking": "would tell by subtraction whether people have reported the person who asks",
    "games.Presence.id": _NUMBER,
    "games.Presence.user": _SELF,
    "games.Presence.channel": "the inner name of a connection",
    "games.ChatLine.id": _NUMBER,
    "games.ChatLine.author": _SELF,
    "games.ChatLine.deleted_by": "which moderator has deleted a line stays among staff",
    "games.StaffView.id": _NUMBER,
    "games.StaffView.user": _SELF,
    "games.Report.id": _NUMBER,
    "games.Report.reporter": _SELF,
    "games.Report.assignee": "which of the staff looks at it",
    "games.Report.lines": "a copy of what others said",
    "games.Report.reported_name": "another person's name",
}


@receiver(data_requested)
def games_section(*, user: User, **_: object) -> tuple[str, dict[str, Any]]:
    """Return the section ``games``: the followed relations, ``results``, and ``matches``, whose ``score`` is [North and
    South, East and West] and None until a match is won."""
    matches = rows(Match.objects.filter(seats__user=user).distinct(), EXPORTED)
    scores = final_scores([match["id"] for match in matches if match["status"] == Match.Status.WON])
    return "games", {
        **followed(user, FOLLOWED, EXPORTED),
        "results": rows(Result.objects.filter(person=user.public_id), EXPORTED),
        "matches": [match | {"score": scores.get(match["id"])} for match in matches],
    }
