"""Mail on this machine: printed where the server was started, so that a link in it can be copied."""

import sys
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class PrintedMail(BaseEmailBackend):
    """Prints addressees, subject and body. Django prints messages as they travel, with links broken over lines."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            to = ", ".join(message.to)
            sys.stdout.write(f"--- mail to {to}: {message.subject}\n{message.body}\n---\n")
        sys.stdout.flush()
        return len(email_messages)
