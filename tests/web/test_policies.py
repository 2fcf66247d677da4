"""The pages about the site, the table of what is kept how long, and the banner of planned maintenance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from belote_site.models import Maintenance
from belote_site.retention import ACCOUNT_SESSION, GUEST_SESSION, RULES

pytestmark = pytest.mark.django_db

PAGES = ["/privacy/", "/retention/", "/terms/", "/contact/"]


@pytest.mark.parametrize("path", PAGES)
def test_everybody_can_read_the_pages_about_the_site(client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 200
    assert "<h1>" in answer.content.decode()
    assert client.post(path).status_code == 405


def test_every_page_leads_to_them(client: Client) -> None:
    front = client.get("/").content.decode()

    assert all(f'href="{path}"' in front for path in ("/privacy/", "/terms/", "/contact/"))
    assert 'href="/retention/"' in client.get("/privacy/").content.decode()


@pytest.mark.parametrize("path", ["/privacy/", "/terms/", "/contact/"])
def test_they_name_the_operator_or_say_that_there_is_none(client: Client, settings: Settings, path: str) -> None:
    # given none
    assert "has not given a name" in client.get(path).content.decode()
    # when
    settings.OPERATOR, settings.CONTACT = "Mängijad <MTÜ>", "hello@belote.example"
    # then
    page = client.get(path).content.decode()
    assert "<bdi>Mängijad &lt;MTÜ&gt;</bdi>" in page
    assert '<a href="mailto:hello@belote.example">' in page
    assert "has not given" not in page


def test_the_terms_name_the_minimum_age(client: Client, settings: Settings) -> None:
    settings.MINIMUM_AGE = 13

    assert "13 years old" in client.get("/terms/").content.decode()


def test_a_deployment_without_an_operator_is_warned(settings: Settings) -> None:
    settings.OPERATOR, settings.CONTACT = "", ""
    warned = [check for check in run_checks(include_deployment_checks=True) if check.id == "belote_site.W001"]
    assert ["BELOTE_OPERATOR" in warned[0].msg, "BELOTE_CONTACT" in warned[1].msg] == [True, True]

    settings.OPERATOR, settings.CONTACT = "The club", "hello@belote.example"
    assert not [check for check in run_checks(include_deployment_checks=True) if check.id == "belote_site.W001"]


@pytest.mark.parametrize(("proxies", "warnings"), [(0, 1), (1, 0)])
def test_a_deployment_that_knows_of_no_proxy_is_warned(settings: Settings, proxies: int, warnings: int) -> None:
    settings.TRUSTED_PROXIES = proxies

    found = run_checks(include_deployment_checks=True)

    assert [check.id for check in found].count("belote_site.W003") == warnings


def test_the_page_shows_every_line_of_the_table(client: Client) -> None:
    rows = client.get("/retention/").content.decode().split("<tr>")[2:]

    assert len(rows) == len(RULES)
    for rule, row in zip(RULES, rows, strict=True):
        assert (f'<strong class="retention-length">{rule.length}</strong>' in row) == bool(rule.period)
    assert any(rule.length == "30 days" for rule in RULES)


def test_sessions_last_as_the_table_says_also_when_a_guest_signs_up(client: Client) -> None:
    client.post("/play/")
    assert client.session.get_expiry_age() == GUEST_SESSION.total_seconds()

    password = "a pass phrase of mine"
    client.post("/account/signup/", {"username": "marie", "password1": password, "password2": password})

    assert not User.objects.get().is_guest
    assert client.session.get_expiry_age() == ACCOUNT_SESSION.total_seconds()


def test_announced_maintenance_is_on_every_page_until_it_is_over(client: Client) -> None:
    # given
    assert "Maintenance on" not in client.get("/").content.decode()
    start = timezone.now().replace(microsecond=0) + timedelta(days=1)
    # when it is given in the operator's own time zone
    local = start.astimezone(timezone.get_fixed_timezone(120))
    call_command("maintenance", local.isoformat(), minutes=45)
    # then it is shown in UTC, in the reader's language
    page = client.get("/rules/").content.decode()
    assert f"{start:%H:%M} to {start + timedelta(minutes=45):%H:%M} UTC" in page
    assert 'class="maintenance"' in client.get("/no/such/page").content.decode()
    month = client.get("/", headers={"Accept-Language": "et"}).content.decode()
    assert 'class="maintenance"' in month
    # and when its time is over
    Maintenance.objects.update(starts_at=start - timedelta(days=3), ends_at=start - timedelta(days=2))
    assert "Maintenance on" not in client.get("/").content.decode()


def test_a_new_announcement_replaces_the_old_one_and_off_takes_it_back(client: Client) -> None:
    call_command("maintenance", "2090-12-01 20:00")
    call_command("maintenance", "2091-12-01 20:00", minutes=10)

    only = Maintenance.objects.get()
    assert (only.starts_at, only.ends_at - only.starts_at) == (
        datetime(2091, 12, 1, 20, tzinfo=UTC),
        timedelta(minutes=10),
    )

    call_command("maintenance", off=True)
    assert not Maintenance.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "options", "told"),
    [
        (["tomorrow"], {}, "2026-12-01 20:00"),
        (["2001-01-01 10:00"], {}, "over already"),
        (["2090-01-01 10:00"], {"minutes": 0}, "--minutes 1"),
        (["2090-01-01 10:00"], {"off": True}, "either"),
        ([], {}, "either"),
    ],
)
def test_what_cannot_be_announced_is_told(arguments: list[str], options: dict[str, object], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("maintenance", *arguments, **options)
    assert not Maintenance.objects.exists()
