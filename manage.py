#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys

if __name__ == "__main__":
    # Not above: the processes in which computer players think load this file again.
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "belote_site.settings")
    execute_from_command_line(sys.argv)
