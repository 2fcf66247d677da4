"""The settings: nothing needed here, nothing unsafe in production; logs and reports that keep hands to themselves."""

from __future__ import annotations

import json
import logging
import os
import runpy
import secrets
import stat
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from asgiref.current_thread_executor import CurrentThreadExecutor
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.debug import ExceptionReporter

from accounts.models import User
from belote_site import errors, secret_key
from belote_site.logs import JsonLineFormatter, NoAbandonedPages
from belote_site.mail import PrintedMail
from tests.site_process import ROOT

SECRET_KEY = "a-key-of-this-test-0123456789-abcdefghijklmnopqrstuvwxyz"
PRODUCTION = {
    "BELOTE_ENV": "production",
    "BELOTE_SECRET_KEY": SECRET_KEY,
    "BELOTE_ORIGINS": "https://belote.example",
}


def load_settings(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, Any]:
    for name in list(os.environ):
        if name.startswith("BELOTE_") or name in {"DATABASE_URL", "REDIS_URL", "WEB_PROCESSES"}:
            monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "belote_site" / "settings.py"))


def test_local_play_needs_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(monkeypatch)

    assert settings["DEBUG"] is False
    assert settings["EMBEDDED_TASKS"] is True
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert len(settings["SECRET_KEY"]) > 50
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"BELOTE_SECRET_KEY": ""}, "BELOTE_SECRET_KEY"),
        ({"BELOTE_SECRET_KEY": "short"}, "BELOTE_SECRET_KEY"),
        ({"BELOTE_SECRET_KEY": "x" * 80}, "BELOTE_SECRET_KEY"),
        ({"BELOTE_SECRET_KEY": "django-insecure-" + SECRET_KEY}, "BELOTE_SECRET_KEY"),
        ({"BELOTE_DEBUG": "1"}, "BELOTE_DEBUG"),
        ({"BELOTE_ORIGINS": ""}, "BELOTE_ORIGINS"),
        ({"BELOTE_ORIGINS": "belote.example"}, "BELOTE_ORIGINS"),
        ({"BELOTE_ORIGINS": "https://belote.example/"}, "BELOTE_ORIGINS"),
        ({"WEB_PROCESSES": "2"}, "REDIS_URL"),
        ({"BELOTE_TASKS": "workers"}, "REDIS_URL"),
        ({"DATABASE_URL": "postgresql://u@db/belote"}, "REDIS_URL"),
        ({"DATABASE_URL": "mysql://u@db/belote", "REDIS_URL": "redis://redis"}, "DATABASE_URL"),
        ({"WEB_PROCESSES": "many"}, "WEB_PROCESSES"),
        ({"BELOTE_GUEST_LIMIT": "often"}, "BELOTE_GUEST_LIMIT"),
        ({"BELOTE_SIGNUP_LIMIT": "often"}, "BELOTE_SIGNUP_LIMIT"),
        ({"BELOTE_EMAIL_URL": "http://mail.example"}, "BELOTE_EMAIL_URL"),
        ({"BELOTE_EMAIL_URL": "smtp://"}, "BELOTE_EMAIL_URL"),
        ({"BELOTE_EMAIL_URL": "smtp://mail.example:99999"}, "BELOTE_EMAIL_URL"),
        ({"BELOTE_EMAIL_URL": "smtp://mail.example?tls=maybe"}, "BELOTE_EMAIL_URL"),
        ({"BELOTE_EMAIL_URL": "smtp://mail.example?tsl=ssl"}, "BELOTE_EMAIL_URL"),
        ({"BELOTE_EMAIL_URL": "smtp://mail.example"}, "BELOTE_EMAIL_FROM"),
        ({"BELOTE_ENV": "staging"}, "BELOTE_ENV"),
        ({"BELOTE_DEBUG": "maybe"}, "BELOTE_DEBUG"),
    ],
)
def test_production_refuses_to_start_and_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], named: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=named):
        load_settings(monkeypatch, **(PRODUCTION | environment))


def test_production_with_several_processes_uses_redis_and_safe_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(
        monkeypatch,
        **PRODUCTION,
        WEB_PROCESSES="2",
        REDIS_URL="redis://redis:6379/0",
        DATABASE_URL="postgresql://belote:p%40ss@db:5433/belote?sslmode=require",
    )

    database = settings["DATABASES"]["default"]
    assert (database["USER"], database["PASSWORD"], database["HOST"], database["PORT"], database["NAME"]) == (
        "belote",
        "p@ss",
        "db",
        "5433",
        "belote",
    )
    assert database["OPTIONS"] == {"sslmode": "require"}
    assert settings["EMBEDDED_TASKS"] is False
    assert settings["CHANNEL_LAYERS"]["default"]["BACKEND"].endswith("ManyProcessesChannelLayer")
    assert settings["ALLOWED_HOSTS"] == ["belote.example"]
    for cookie in ("SESSION_COOKIE", "CSRF_COOKIE"):
        assert settings[f"{cookie}_NAME"].startswith("__Host-")
        assert settings[f"{cookie}_SECURE"] is True
        assert settings[f"{cookie}_SAMESITE"] == "Lax"


def test_mail_is_printed_here_and_off_in_production_until_a_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    local, production = load_settings(monkeypatch), load_settings(monkeypatch, **PRODUCTION)

    assert local["SENDS_MAIL"] is True
    assert local["MAILERS"]["default"]["BACKEND"].endswith("PrintedMail")
    assert production["SENDS_MAIL"] is False


@pytest.mark.parametrize(
    ("ending", "port", "use_tls", "use_ssl"),
    [
        ("", 587, True, False),
        (":2525", 2525, True, False),
        ("?tls=ssl", 465, False, True),
        (":25?tls=off", 25, False, False),
    ],
)
def test_mail_goes_through_the_server_that_is_named(
    monkeypatch: pytest.MonkeyPatch, ending: str, port: int, use_tls: bool, use_ssl: bool
) -> None:
    settings = load_settings(
        monkeypatch,
        **PRODUCTION,
        BELOTE_EMAIL_URL=f"smtp://belote%40example:p%3Ass@mail.example{ending}",
        BELOTE_EMAIL_FROM="Belote <belote@example.org>",
    )

    assert settings["SENDS_MAIL"] is True
    assert settings["DEFAULT_FROM_EMAIL"] == "Belote <belote@example.org>"
    options = settings["MAILERS"]["default"]["OPTIONS"]
    assert (options["host"], options["username"], options["password"]) == ("mail.example", "belote@example", "p:ss")
    assert (options["port"], options["use_tls"], options["use_ssl"]) == (port, use_tls, use_ssl)


def test_the_local_secret_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "made" / "secret_key"

    first, second = secret_key.local(path), secret_key.local(path)

    assert first == second
    assert len(first) > 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["secret_key"]


@pytest.mark.django_db
def test_a_page_may_not_be_cached_framed_or_run_foreign_code(client: Client) -> None:
    response = client.get(reverse("accounts:preferences"))

    assert response.headers["Cache-Control"] == "private, no-store"
    assert response.headers["X-Frame-Options"] == "DENY"
    policy = dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert not any(word in " ".join(policy.values()) for word in ("unsafe", "*", "http"))


@pytest.mark.django_db
def test_a_missing_page_and_a_foreign_form_get_pages_of_ours() -> None:
    strict_client = Client(enforce_csrf_checks=True)

    missing = strict_client.get("/no/such/page")
    foreign = strict_client.post(reverse("accounts:switch_language"), {"language": "fr"})

    assert (missing.status_code, foreign.status_code) == (404, 403)
    assert b"Belote" in missing.content
    assert b"Belote" in foreign.content


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/account/language/", "/no/such/page", "/rules/"])
def test_a_form_in_an_encoding_of_no_use_is_a_bad_request(path: str) -> None:
    # given a browser that has the cookie of a form
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/account/preferences/")
    # when
    answer = client.post(path, b"a", content_type="application/x-www-form-urlencoded; charset=utf-7")
    # then
    assert answer.status_code == 400
    assert b"Belote" in answer.content


def test_a_database_that_is_busy_is_no_fault_of_the_program(rf: RequestFactory) -> None:
    # given
    def view(request: HttpRequest) -> HttpResponse:
        raise AssertionError("not called")

    # when
    answer = errors.PagesForRefusals(view).process_exception(rf.post("/play/"), OperationalError("database is locked"))
    # then
    assert answer is not None
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert b"try again in a moment" in answer.content


def test_the_page_for_our_own_faults_needs_no_context() -> None:
    response = errors.server_error(RequestFactory().get("/"))

    assert response.status_code == 500
    assert b"Belote" in response.content


@pytest.mark.django_db
def test_too_many_requests_say_when_to_come_back(rf: RequestFactory) -> None:
    response = errors.too_many_requests(rf.post("/"), retry_after=90)

    assert (response.status_code, response.headers["Retry-After"]) == (429, "90")


@pytest.mark.django_db
def test_the_queue_shows_no_stored_exception_to_staff(admin_client: Client) -> None:
    assert b"dj_queue" not in admin_client.get("/admin/").content
    assert admin_client.get("/admin/dj_queue/failedexecution/").status_code == 404
    assert admin_client.get("/admin/dj_queue/dashboard/").status_code == 404


@pytest.mark.django_db
def test_staff_see_people_but_can_neither_make_nor_promote_them(admin_client: Client) -> None:
    person = User.objects.create_user("marie", password="a pass phrase")
    address = reverse("admin:accounts_user_change", args=[person.pk])

    page = admin_client.get(address)
    admin_client.post(address, {"email": "", "is_active": "on", "is_staff": "on", "is_superuser": "on"})

    person.refresh_from_db()
    assert page.status_code == 200
    assert person.password not in page.content.decode()
    assert (person.is_staff, person.is_superuser) == (False, False)
    assert admin_client.get(reverse("admin:accounts_user_add")).status_code == 403


def log_line(message: str, *arguments: object, error: BaseException | None = None) -> str:
    exc_info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("test", logging.ERROR, __file__, 1, message, arguments, exc_info)
    return JsonLineFormatter().format(record)


def test_a_log_line_stays_one_line_whatever_is_in_it() -> None:
    line = log_line("hello %s", "a\r\n{} \x1b[2J\x85\u2028")

    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["message"] == "hello a\r\n{} \x1b[2J\x85\u2028"


def test_a_logged_exception_names_its_type_and_place_but_not_its_text() -> None:
    try:
        raise ValueError("the hand is JS 9H")
    except ValueError as error:
        line = log_line("failed: %s", error, error=error)

    assert "JS 9H" not in line
    assert json.loads(line)["error"] == "builtins.ValueError"
    assert json.loads(line)["frames"][-1].startswith(__file__)


def test_an_error_report_shows_no_variable(rf: RequestFactory) -> None:
    hand = secrets.token_hex()
    try:
        raise ValueError
    except ValueError:
        reporter = ExceptionReporter(rf.post("/", {"card": hand}), *sys.exc_info())

    assert "test_an_error_report" in reporter.get_traceback_text()
    assert hand not in reporter.get_traceback_html() + reporter.get_traceback_text()


def test_a_browser_that_went_away_is_no_error_of_the_program() -> None:
    # given what Django's tidying up meets when the thread of the request is gone
    executor = CurrentThreadExecutor(None)
    done: Future[None] = Future()
    done.set_result(None)
    executor.run_until_future(done)

    def kept(raising: Callable[[], object]) -> bool:
        with ThreadPoolExecutor(1) as pool:
            error = pool.submit(raising).exception()
        assert isinstance(error, RuntimeError)
        trace = (type(error), error, error.__traceback__)
        return NoAbandonedPages().filter(logging.LogRecord("daphne.server", logging.ERROR, "", 0, "x", (), trace))

    def fail() -> None:
        raise RuntimeError("something else")

    # when / then that alone is left out
    assert not kept(lambda: executor.submit(print))
    assert kept(fail)


def test_a_link_in_printed_mail_stands_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    # given a link longer than a line of a message that travels, in a language of many bytes
    link = "http://127.0.0.1:8000/account/password/reset/key/" + "7-diu7yi-" * 12
    # when
    PrintedMail().send_messages([EmailMessage("เบโลเต", f"Tere, Õnne!\n{link}\n", "a@b.example", ["c@d.example"])])
    # then
    lines = capsys.readouterr().out.splitlines()
    assert link in lines
    assert "--- mail to c@d.example: เบโลเต" in lines
