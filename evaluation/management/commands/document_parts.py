from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.documenting import PAGE, parts_page


class Command(BaseCommand):
    help = "Write docs/parts.md, the page of all rewriters, retrievers and readers."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="only say whether it is up to date"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        page, wanted = Path(settings.BASE_DIR) / PAGE, parts_page()
        if not options["check"]:
            page.write_text(wanted, encoding="utf-8")
            self.stdout.write(f"{PAGE} is written.")
        elif not page.is_file() or page.read_text(encoding="utf-8") != wanted:
            raise CommandError(f"{PAGE} is out of date: run `python manage.py document_parts`.")
