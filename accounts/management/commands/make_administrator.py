"""``manage.py make_administrator Marie``: the first administrator, or one who has lost everything."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from accounts import names, rights, second_factor
from accounts.audit import Refused
from accounts.models import NameTaken, Sanction, User
from accounts.sanctions import barred

_WHY = "manage.py make_administrator"


class Command(BaseCommand):
    help = (
        "Makes the account NAME an administrator: it gets the pages of staff under /admin/ and may make others "
        "moderators and administrators there. Without such an account, one is made, and its password asked for. "
        "Running it again changes nothing. What it does is in the record of what staff did."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the user name, in any spelling")
        parser.add_argument(
            "--password-stdin",
            action="store_true",
            help="read the password of a new account from the first line of standard input, and ask nothing",
        )
        parser.add_argument(
            "--reset-second-factor",
            action="store_true",
            help="remove the second factor too, when phone and recovery codes are lost: the password alone opens the "
            "account then, and a new one has to be set up",
        )

    def handle(self, *args: Any, name: str, password_stdin: bool, reset_second_factor: bool, **options: Any) -> None:
        try:
            account = User.objects.get_by_natural_key(name)
        except User.DoesNotExist:
            if reset_second_factor:
                raise CommandError(f"There is no account {name!r}, so it has no second factor.") from None
            account = None
        else:
            _check_name(account, name)
        try:
            with transaction.atomic():
                said = [f"A new account, {name}."] if account is None else []
                account = account or _new_account(name, password_stdin)
                said += _raise(account, reset_second_factor)
        except (Refused, NameTaken) as refusal:
            raise CommandError(" ".join([_reason(refusal, name), *_ban(account)])) from refusal
        self.stdout.write("\n".join([*said, *_next_steps(account)]))


def _check_name(account: User, name: str) -> None:
    """Raise CommandError for an account from which moderators took the name away: it may not be who is meant."""
    if names.fold(account.username) != names.fold(name):
        raise CommandError(
            f"No account is called {name!r}. Moderators took that name away from an account that is called "
            f"{account.username!r} now: give this name if you mean that account, and choose another one if you do not."
        )


def _raise(account: User, reset_second_factor: bool) -> list[str]:
    """Do what was asked for and is not so already; return what was done."""
    said = [f"{account.username} is an administrator already."]
    if not rights.is_administrator(account):
        rights.make_administrator(None, account, _WHY)
        said = [f"{account.username} is an administrator now."]
    if reset_second_factor and not second_factor.is_set_up(account):
        said.append("There is no second factor to remove.")
    elif reset_second_factor:
        rights.reset_second_factor(None, account, f"{_WHY} --reset-second-factor")
        said.append("The second factor is removed.")
    return said


def _next_steps(account: User) -> list[str]:
    if ban := _ban(account):
        return ban
    steps = [f"Next: log in at {reverse('account_login')} and open {reverse('admin:index')}."]
    if second_factor.is_set_up(account):
        steps.append("A code of the second factor is asked for on the way.")
    elif settings.STAFF_NEED_SECOND_FACTOR:
        steps.append("The second factor is set up on the way there: have an authenticator app at hand.")
    else:
        steps.append(f"A second factor is not needed here; it can be set up at {reverse('mfa_index')}.")
    return steps


def _ban(account: User | None) -> list[str]:
    """Return how an account that is banned comes in again, nothing of one that is not."""
    if account is None or barred(account.pk, Sanction.Scope.SITE) is None:
        return []
    return ["It is banned, and no command lifts that: another administrator does, on the page of that sanction."]


def _new_account(name: str, password_stdin: bool) -> User:
    """Make an account that can log in, without an e-mail address. Raises CommandError, and NameTaken."""
    try:
        names.check_spelling(name)
        account = User(username=names.tidy(name))
        password = _password_of_stdin() if password_stdin else _typed_password(name)
        validate_password(password, account)
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    account.set_password(password)
    account.save()
    return account


def _password_of_stdin() -> str:
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise CommandError("There is no password on standard input: its first line is to be the password.")
    return password


def _typed_password(name: str) -> str:
    if not sys.stdin.isatty():
        raise CommandError(
            f"There is no account {name!r}, and nobody to ask for the password of a new one. Run this on a terminal, "
            "or give the password with --password-stdin."
        )
    password = getpass(f"There is no account {name!r} yet. Its password: ")
    if getpass("The same password again: ") != password:
        raise CommandError("These were two different passwords. Nothing has changed; run this again.")
    return password


def _reason(refusal: Refused | NameTaken, name: str) -> str:
    if isinstance(refusal, NameTaken):
        return f"Somebody has a name that looks like {name!r}. Choose another one."
    return str(refusal.sentence)
