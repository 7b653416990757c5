#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

# Whose exit codes 1 and 2 are answers: what is none ends with 3.
ANSWERING = {"gate", "compare", "report"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    answers = ANSWERING.intersection(sys.argv[1:2])
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        _stop(str(fault), 3 if answers else 1)
    except ValueError as fault:  # a DATABASE_URL that is none, for example
        if not answers:
            raise
        _stop(str(fault), 3)


def _stop(sentence: str, code: int) -> None:
    sys.stderr.write(f"Intact cannot start: {sentence}\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
