from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Collects the site's sentences without guessing translations of new ones: a guess looks finished and is not."""

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
