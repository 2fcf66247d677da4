"""Who may read and do what: every address of the site × every role × every kind of room, in one table.

A word is the status, or where one is sent: ``room``, ``table``, ``new`` (a room or table made just now), ``own`` (the
match that one plays elsewhere), ``itself``, ``confirm`` or ``pass`` (one's password, or a new one), ``door`` (that of
staff). ``room!``: sent there, and told that it was refused. What is for all the same stands once.
`test_roles_at_sockets` has the sockets.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.http import HttpResponse
from pytest_django import Settings

from accounts.models import SeenNetwork, User
from games import selectors
from games.models import MatchSeat, Room, Seating
from tests.web.roles import NOT_THERE, PASSWORD, PLACES, ROLES, World, address_of, comparable, routes, world_of

pytestmark = pytest.mark.django_db

ROOMS = """
#    address                                room                  anon. guest acct. host  seat. spec. block else. staff
GET  /join/<invite>/                        any           any     200   200   200   room  room  200   404   200   200
POST /join/<invite>/                        any           waiting room  room  room  room  room  room  404   room  room
POST /join/<invite>/                        public,private playing table table table table table table 404   table table
POST /join/<invite>/                        closed        playing room  room  room  table table room  404   room  room
GET  /replay/<match_id>/record/             any           waiting 200
GET  /replay/<match_id>/record/             any           playing 404
GET  /room/<room_id>/                       public,closed any     200   200   200   200   200   200   404   200   200
GET  /room/<room_id>/                       private       any     404   404   404   200   200   200   404   404   404
POST /room/<room_id>/clear/                 public,closed waiting 404   room! room! room  room! room! 404   room! room!
POST /room/<room_id>/clear/                 public,closed playing 404   room! room! room! room! room! 404   room! room!
POST /room/<room_id>/clear/                 private       waiting 404   404   404   room  room! room! 404   404   404
POST /room/<room_id>/clear/                 private       playing 404   404   404   room! room! room! 404   404   404
POST /room/<room_id>/computers/<level>/     public,closed waiting 404   room! room! room  room! room! 404   room! room!
POST /room/<room_id>/computers/<level>/     public,closed playing 404   room! room! room! room! room! 404   room! room!
POST /room/<room_id>/computers/<level>/     private       waiting 404   404   404   room  room! room! 404   404   404
POST /room/<room_id>/computers/<level>/     private       playing 404   404   404   room! room! room! 404   404   404
POST /room/<room_id>/invitation/            public,closed waiting 404   room  room  room  room  room  404   room! room
POST /room/<room_id>/invitation/            public,closed playing 404   room! room! room! room! room! 404   room! room!
POST /room/<room_id>/invitation/            private       waiting 404   404   404   room  room  room  404   404   404
POST /room/<room_id>/invitation/            private       playing 404   404   404   room! room! room! 404   404   404
POST /room/<room_id>/leave/                 public,closed waiting 404   lobby lobby lobby lobby lobby 404   lobby lobby
POST /room/<room_id>/leave/                 public,closed playing 404   lobby lobby room! room! lobby 404   lobby lobby
POST /room/<room_id>/leave/                 private       waiting 404   404   404   lobby lobby lobby 404   404   404
POST /room/<room_id>/leave/                 private       playing 404   404   404   room! room! lobby 404   404   404
GET  /room/<room_id>/options/               public,closed any     200   200   200   200   200   200   404   200   200
GET  /room/<room_id>/options/               private       any     404   404   404   200   200   200   404   404   404
POST /room/<room_id>/options/               public,closed waiting 404   room! room! room  room! room! 404   room! room!
POST /room/<room_id>/options/               public,closed playing 404   room! room! room! room! room! 404   room! room!
POST /room/<room_id>/options/               private       waiting 404   404   404   room  room! room! 404   404   404
POST /room/<room_id>/options/               private       playing 404   404   404   room! room! room! 404   404   404
POST /room/<room_id>/ready/                 any           waiting 404   404   404   room  room  404   404   404   404
POST /room/<room_id>/ready/                 any           playing 404   404   404   table table 404   404   404   404
POST /room/<room_id>/sit/                   public,closed waiting room  room  room  room  room  room  404   room! room
POST /room/<room_id>/sit/                   public,closed playing room! room! room! room! room! room! 404   room! room!
POST /room/<room_id>/sit/                   private       waiting 404   404   404   room  room  room  404   404   404
POST /room/<room_id>/sit/                   private       playing 404   404   404   room! room! room! 404   404   404
POST /room/<room_id>/start/                 public,closed waiting 404   room! room! new   room! room! 404   room! room!
POST /room/<room_id>/start/                 public,closed playing 404   room! room! room! room! room! 404   room! room!
POST /room/<room_id>/start/                 private       waiting 404   404   404   new   room! room! 404   404   404
POST /room/<room_id>/start/                 private       playing 404   404   404   room! room! room! 404   404   404
GET  /replay/<match_id>/                    any           waiting 200   200   200   200   200   200   200   200   200
GET  /replay/<match_id>/                    any           playing 404   404   404   404   404   404   404   404   404
GET  /replay/<match_id>/analysis/           any           any     404   404   404   404   404   404   404   404   404
POST /replay/<match_id>/analysis/           any           any     404   404   404   404   404   404   404   404   404
GET  /replay/<match_id>/moment/             any           waiting 200   200   200   200   200   200   200   200   200
GET  /replay/<match_id>/moment/             any           playing 404   404   404   404   404   404   404   404   404
GET  /table/<match_id>/                     public        any     200   200   200   200   200   200   404   200   200
GET  /table/<match_id>/                     closed        any     404   404   404   200   200   404   404   404   404
GET  /table/<match_id>/                     private       any     404   404   404   200   200   200   404   404   404
POST /table/<match_id>/again/               any           waiting 404   404   404   room  room  404   404   404   404
POST /table/<match_id>/again/               any           playing 404   404   404   table table 404   404   404   404
GET  /table/<match_id>/deal/<deal>/         public        playing 200   200   200   200   200   200   404   200   200
GET  /table/<match_id>/deal/<deal>/         closed        playing 404   404   404   200   200   404   404   404   404
GET  /table/<match_id>/deal/<deal>/         private       playing 404   404   404   200   200   200   404   404   404
GET  /table/<match_id>/deal/<deal>/         any           waiting 200
POST /table/<match_id>/leave/               any           any     404   404   404   home  home  404   404   404   404
"""

SITE = """
#    address                                          visitor guest   account, or each of the roles
GET  /                                                200
GET  /account/data/                                   login   200     200
POST /account/data/                                   login   405     405
GET  /account/decisions/                              login   200     200
POST /account/decisions/                              login   itself  itself
GET  /account/delete/                                 login   200     200
POST /account/delete/                                 login  home   home   home   home   home   home   home   422
GET  /account/email/                                  login   signup  200
POST /account/email/                                  login   signup  confirm
GET  /account/email/confirm/<key>/                    200
POST /account/email/confirm/<key>/                    404
GET  /account/inactive/                               200
POST /account/language/                               rules
GET  /account/login/                                  200     200     home
POST /account/login/                                  home
GET  /account/logout/                                 home    200     200
POST /account/logout/                                 home
GET  /account/no-guests/                              403
GET  /account/password/change/                        login   signup  200
POST /account/password/change/                        login   signup  pass
GET  /account/password/confirm/                       login   signup  200
POST /account/password/confirm/                       login   signup  home
GET  /account/password/reset/                         200
POST /account/password/reset/                         done
GET  /account/password/reset/done/                    200
GET  /account/password/reset/key/<uidb36>-<key>/      200
POST /account/password/reset/key/<uidb36>-<key>/      200
GET  /account/password/reset/key/done/                200
GET  /account/preferences/                            200
POST /account/preferences/                            itself
GET  /account/second-factor/                          login   signup  200
POST /account/second-factor/                          login   signup  405
GET  /account/second-factor/code/                     login   login   home
POST /account/second-factor/code/                     login   login   home
GET  /account/second-factor/recovery-codes/           login   signup  404
POST /account/second-factor/recovery-codes/           login   signup  405
GET  /account/second-factor/recovery-codes/new/       login   signup  confirm
POST /account/second-factor/recovery-codes/new/       login   signup  confirm
GET  /account/second-factor/set-up/                   login   signup  confirm
POST /account/second-factor/set-up/                   login   signup  confirm
GET  /account/second-factor/turn-off/                 login   signup  404
POST /account/second-factor/turn-off/                 login   signup  404
GET  /account/signup/                                 200     200     home
POST /account/signup/                                 home
GET  /contact/                                        200
GET  /fair-deals/                                     200
GET  /fair-deals/verify_deal.py                       200
GET  /health/                                         200
GET  /leaderboard/                                    200
GET  /lobby/                                          200
POST /lobby/quick/                                    new    new    new    lobby! lobby! new    new    lobby! new
GET  /people/                                         login   200     200
POST /people/                                         login   405     405
GET  /people/<public_id>/                             200
GET  /people/<public_id>/report/                      login   200     200
POST /people/<public_id>/report/                      login   people  people
GET  /people/answers/                                 login   405     405
POST /people/answers/                                 login   404     404
GET  /people/act/                                     login   405     405
POST /people/act/                                     login   people  people
GET  /people/me/                                      login   200     200
POST /people/me/                                      login   405     405
POST /play/                                           new    new    new    table  table  new    new    own    new
GET  /privacy/                                        200
GET  /retention/                                      200
GET  /rooms/new/                                      200
POST /rooms/new/                                      new    new    new    422    422    new    new    422    new
GET  /rules/                                          200
GET  /terms/                                          200
GET  /admin/login/                                    login  403    403    403    403    403    403    403    inside
POST /admin/login/                                    login  403    403    403    403    403    403    403    inside
GET  /admin/logout/                                   inside inside inside inside inside inside inside inside 405
POST /admin/logout/                                   inside inside inside inside inside inside inside inside home
"""

ADMIN = """
# address                                          GET     POST by staff; others are led to the door
/admin/                                            200     200
/admin/<app_label>/                                200     200
/admin/<url>                                       404     404
/admin/accounts/user/                              200     403
/admin/accounts/user/<object_id>/                  inside  inside
/admin/accounts/user/<object_id>/act/<act>/        404     404
/admin/accounts/user/<object_id>/change/           200     403
/admin/accounts/user/<object_id>/delete/           403     403
/admin/accounts/user/<object_id>/history/          inside  inside
/admin/accounts/user/add/                          403     403
/admin/autocomplete/                               403     405
/admin/games/hint/                                 200     403
/admin/games/hint/<object_id>/                     inside  inside
/admin/games/hint/<object_id>/act/<act>/           404     404
/admin/games/hint/<object_id>/change/              inside  403
/admin/games/hint/<object_id>/delete/              403     403
/admin/games/hint/<object_id>/history/             404     404
/admin/games/hint/add/                             403     403
/admin/jsi18n/                                     200     405
/admin/password_change/                            pass    pass
/admin/password_change/done/                       200     405
/admin/r/<content_type_id>/<object_id>/            404     404
"""

ROWS = """
# address of a list, or of a row that is not there   GET     POST by staff
/admin/<rows>/                                     200     403
/admin/<rows>/<object_id>/                         inside  inside
/admin/<rows>/<object_id>/act/<act>/               404     404
/admin/<rows>/<object_id>/change/                  inside  403
/admin/<rows>/<object_id>/delete/                  403     403
/admin/<rows>/<object_id>/history/                 404     404
/admin/<rows>/add/                                 403     403
"""
"""What pages of staff there are for every kind of row besides people; `test_staff_pages` has those of real rows."""

KINDS_OF_ROWS = (
    "accounts/sanction",
    "accounts/staffact",
    "games/chatline",
    "games/gameevent",
    "games/hint",
    "games/match",
    "games/report",
    "games/room",
)

NEW_PASSWORD = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
OPTIONS = {
    "name": "Kuues",
    "target": "701",
    "clock": "60",
    "visibility": "link",
    "undertrump": "must",
    "belote": "auto",
    "litige": "held",
}
LOOKS = {"deck_colours": "four", "card_size": "large", "card_order": "weakest", "theme": "dark"}
FORMS = {
    "/play/": {"level": "easy", "target": "501"},
    "/rooms/new/": OPTIONS,
    "/room/<room_id>/options/": OPTIONS,
    "/room/<room_id>/sit/": {"seat": "1"},
    "/room/<room_id>/clear/": {"seat": "3"},
    "/room/<room_id>/start/": {"level": "easy"},
    "/room/<room_id>/invitation/": {"answer": "accept"},
    "/people/act/": {"act": "follow"},
    "/people/<public_id>/report/": {"ground": "spam"},
    "/account/preferences/": {"language": "fr", **LOOKS},
    "/account/language/": {"language": "fr", "next": "/rules/"},
    "/account/delete/": {"password": PASSWORD},
    "/account/login/": {"login": "bystander", "password": PASSWORD},
    "/account/signup/": {"username": "Kalle", **NEW_PASSWORD},
    "/account/password/change/": {"oldpassword": PASSWORD, **NEW_PASSWORD},
    "/account/password/confirm/": {"password": PASSWORD},
    "/account/password/reset/": {"email": "nobody@example.org"},
    "/account/email/": {"email": "new@example.org", "action_add": ""},
}

OUTSIDE = ("anonymous", "guest", "account")
"""Of those without rights of staff so many ask for their pages: it is one door, which asks for nothing else."""

REFUSALS = {"404", "405", "403", "422", "login", "signup", "confirm", "door"}


@pytest.fixture(autouse=True)
def _without_limits(settings: Settings) -> None:
    settings.GUEST_LIMIT = settings.SIGNUP_LIMIT = "100000/minute"
    settings.ACCOUNT_RATE_LIMITS = False


type Rows = dict[type[Model], dict[object, dict[str, object]]]
type Cell = tuple[str, str, str]
"""Place, method and address."""


def form_for(route: str, world: World) -> dict[str, str]:
    """What a page of this address may send, and much that nobody may."""
    host = world.users["host"]
    forged = {"is_staff": "on", "is_superuser": "on", "is_active": "on", "user": str(host.pk), "user_id": str(host.pk)}
    forged |= {"host": "", "invite": "chosen", "public_id": str(host.public_id), "match_id": str(world.other_match.pk)}
    seat = {} if route.startswith("/room/") else {"seat": "0"}
    return {"person": str(world.bystander.public_id), **seat, **forged, **FORMS.get(route, {})}


def ask(world: World, role: str, method: str, route: str, values: dict[str, str]) -> tuple[HttpResponse, bool]:
    """Return the answer, and whether anything but sessions was written on the way."""
    written: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and "django_session" not in sql:
            written.append(sql)
        return execute(sql, *rest)

    if any(route.startswith(f"/admin/{kind}/") for kind in KINDS_OF_ROWS):
        values = values | {"object_id": "0"}
    with connection.execute_wrapper(note):
        answer = world.ask(role, method, address_of(route, values), form_for(route, world))
    return answer, bool(written)


def stored() -> Rows:
    """Return all rows about people and play."""
    models = [*apps.get_app_config("accounts").get_models(), *apps.get_app_config("games").get_models()]
    return {model: {row["pk"]: row for row in model._base_manager.values("pk", *fields_of(model))} for model in models}


def fields_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if field.attname != "last_login"]


def changes(before: Rows, after: Rows, actor: User | None) -> list[str]:
    """Return what was done that is nobody's to do: to other people, or to rights."""
    found = []
    me = actor.pk if actor is not None else None
    for model, fields in {
        Seating: ["seat"],
        MatchSeat: ["seat", "is_playing", "outcome"],
        User: fields_of(User),
    }.items():
        whose = "pk" if model is User else "user_id"
        for pk, row in before[model].items():
            now = after[model].get(pk, {})
            if row[whose] not in (None, me) and any(row[field] != now.get(field) for field in fields):
                found.append(f"has changed {model.__name__} {row}")
    rights = {row["username"] for row in after[User].values() if row["is_staff"] or row["is_superuser"]}
    found += [f"has chosen {row}" for row in after[Room].values() if row["invite"] == "chosen"]
    return found + [f"has given {name} rights" for name in rights - {"staff"}]


def expected() -> dict[Cell, dict[str, str]]:
    """Return the word for every role in each cell that the tables name; a method that they do not name is 405."""
    cells: dict[Cell, dict[str, str]] = {}
    for line in lines_of(ROOMS):
        method, route, kinds, stage, *words = line.split()
        for place in PLACES:
            kind, here = place.split()
            if (kinds == "any" or kind in kinds.split(",")) and stage in ("any", here):
                assert (place, method, route) not in cells, f"twice: {method} {route} in {place}"
                cells[place, method, route] = by_role(words)
    for line in lines_of(SITE):
        method, route, *words = line.split()
        cells["site", method, route] = by_role(words)
    rows = [line.replace("<rows>", kind) for line in lines_of(ROWS) for kind in KINDS_OF_ROWS]
    for line in [*lines_of(ADMIN), *rows]:
        route, *words = line.split()
        for method, word in zip(("GET", "POST"), words, strict=True):
            cells["site", method, route] = dict.fromkeys(OUTSIDE, "door") | {"staff": word}
    return cells


def lines_of(table: str) -> list[str]:
    return [line for line in table.splitlines() if line and not line.startswith("#")]


def by_role(words: list[str]) -> dict[str, str]:
    """One word is for everybody; three are for visitors, guests and accounts; nine for the `ROLES`."""
    if len(words) in (1, 3):
        words = [words[0], words[len(words) // 2], *[words[-1]] * (len(ROLES) - 2)]
    return dict(zip(ROLES, words, strict=True))


def is_of_a_room(route: str) -> bool:
    return any(f"<{name}>" in route for name in NOT_THERE)


def test_every_address_stands_in_the_table() -> None:
    named = {(place, route) for place, _, route in expected()}
    there = {(place, r) for r in routes() for place in (PLACES if is_of_a_room(r) else ("site",))}
    assert named == there


@pytest.mark.parametrize("place", [*PLACES, "site"])
def test_each_role_gets_what_the_table_says_and_changes_nothing_else(place: str) -> None:
    """A page that is only looked at, or refused, changes nothing; no form acts in somebody else's name; and what is
    not for somebody is byte for byte what is not there."""
    # given
    world = world_of("public playing" if place == "site" else place)
    before = stored()
    wrong: list[str] = []
    for (where, method, route), words in expected().items():
        for role, word in words.items() if where == place else ():
            with transaction.atomic():
                # when
                answer, has_written = ask(world, role, method, route, world.values)
                # then
                outcome = world.outcome_of(answer)
                cell = f"{method} {route} as {role}: {outcome}"
                if outcome != word:
                    wrong.append(f"{cell}, not {word}")
                if has_written:
                    after = stored()
                    wrong += [f"{cell} {what}" for what in changes(before, after, world.users.get(role))]
                    if role == "anonymous" and method == "POST":
                        # Who asks for a seat is a guest from then on, whether they get it or not.
                        after[User] = {pk: row for pk, row in after[User].items() if pk in before[User]}
                        after[SeenNetwork] = before[SeenNetwork]
                    if (method == "GET" or word in REFUSALS or word.endswith("!")) and after != before:
                        wrong.append(f"{cell} has changed something")
                if is_of_a_room(route) and word == "404":
                    nothing, _ = ask(world, role, method, route, world.values | NOT_THERE)
                    if comparable(nothing) != comparable(answer):
                        wrong.append(f"{cell}, and not as if it were not there")
                transaction.set_rollback(True)
            selectors.states.clear()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["anonymous", "guest", "host", "staff"])
def test_what_the_table_does_not_name_is_not_there_for_anybody(role: str) -> None:
    """Another method is 405, and a room, match or link that does not exist is 404."""
    # given
    world = world_of("public playing")
    named = {(method, route) for _, method, route in expected()}
    for route in routes():
        for method in ("GET", "POST"):
            if is_of_a_room(route) or (method, route) not in named:
                # when
                answer, _ = ask(world, role, method, route, world.values | NOT_THERE)
                # then
                assert answer.status_code == (404 if (method, route) in named else 405), (method, route)


@pytest.mark.parametrize("place", PLACES)
def test_the_invite_link_and_the_form_of_the_options_are_shown_to_nobody_else(place: str) -> None:
    # given
    world = world_of(place)
    page, options = (f"/room/{world.room.pk}/{part}" for part in ("", "options/"))
    for role in ROLES:
        # when
        shown = world.ask(role, "GET", page).content.decode() + world.ask(role, "GET", options).content.decode()
        # then
        waits = place.endswith("waiting")
        assert (world.room.invite in shown) == (waits and role in ("host", "seated")), role
        assert ('name="undertrump"' in shown) == (waits and role == "host"), role
