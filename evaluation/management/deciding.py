"""Commands whose exit code is an answer: whatever is none has a code of its own."""

import logging
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError

from annotation.services.projects import Refused

# Nothing was decided, compared or computed again.
NO_ANSWER = 3

log = logging.getLogger(__name__)


class DecidingCommand(BaseCommand):
    """A command that exits with 3 and a sentence on stderr wherever it cannot answer: a wrong
    option, no such run, a database that is away or not migrated, a fault of the program.
    """

    _called_from_command_line: bool  # Django's own: False under call_command

    def run_from_argv(self, argv: list[str]) -> None:
        self._called_from_command_line = True  # argparse ends with its own sentence then
        _require_options(self, argv)
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Exception as fault:
            if not self._called_from_command_line:
                raise
            if options.get("traceback"):
                log.exception("%s could not answer", type(self).__module__)
            self.stderr.write(_sentence(fault))
            sys.exit(NO_ANSWER)

    def no_answer(self, *sentences: str) -> NoReturn:
        """Say why there is none, and end."""
        for sentence in sentences:
            self.stderr.write(sentence)
        sys.exit(NO_ANSWER)


def _require_options(command: BaseCommand, argv: Sequence[str]) -> None:
    """End where the options are wrong: argparse would do so with 2, which is an answer."""
    try:
        command.create_parser(argv[0], argv[1]).parse_args(argv[2:])
    except SystemExit as ended:
        sys.exit(NO_ANSWER if ended.code else 0)


def _sentence(fault: Exception) -> str:
    if isinstance(fault, CommandError | Refused | PermissionDenied | ImproperlyConfigured):
        return str(fault)
    told = " ".join(str(fault).split())
    if isinstance(fault, DatabaseError | InterfaceError):
        return (
            f"The database cannot be read ({told}): see that it runs, that DATABASE_URL names it, "
            "and that `python manage.py migrate` was done."
        )
    named = f"{type(fault).__name__}: {told}" if told else type(fault).__name__
    return f"No answer, because of a fault in the program ({named}): --traceback shows where."
