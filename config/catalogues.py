"""The catalogues of the interface's languages: `make messages` runs this file.

Every string that the sources mark (gettext and its kin in Python, `translate` and `blocktranslate`
in templates) gets an entry in `locale/<language>/LC_MESSAGES/django.po`; translations that are
there stay, entries that no source has any more go, and the compiled `.mo` is written beside it.
Everything is Python (Babel, and Django's own reader of templates): no gettext tools are needed.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
PACKAGES = ("annotation", "contracts", "evaluation", "config")
# The functions that mark strings, with how many of their first arguments are strings, and whether
# the first of them is the context.
MARKS = {
    "_": (1, False),
    "gettext": (1, False),
    "gettext_lazy": (1, False),
    "gettext_noop": (1, False),
    "ngettext": (2, False),
    "ngettext_lazy": (2, False),
    "pgettext": (2, True),
    "pgettext_lazy": (2, True),
}
# What Django's reader makes of a template: calls with Python literals between filler.
LITERAL = r"""(u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))"""
CALL = re.compile(rf"\b(ngettext|pgettext|gettext|_)\(\s*{LITERAL}(?:\s*,\s*{LITERAL})?", re.DOTALL)
# The file tells when it changed through its history, so no date is written into it.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """One string that a source marks; `plural` and `context` are empty for most."""

    singular: str
    plural: str = ""
    context: str = ""


def strings_of_sources(root: Path = ROOT) -> set[Source]:
    """Every string that Python modules and templates of the product mark."""
    found: set[Source] = set()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            found.update(_in_python(path))
    for path in sorted((root / "templates").rglob("*.html")):
        found.update(_in_template(path))
    counted = {(s.singular, s.context) for s in found if s.plural}
    # One entry serves a string that is used with a plural here and without one there.
    return {s for s in found if s.singular and (s.plural or (s.singular, s.context) not in counted)}


def catalogue_of(language: str, locale: Path = LOCALE) -> Catalog:
    """The catalogue as it lies in its `.po`; an empty one where there is no file yet."""
    path = po_path(language, locale)
    if not path.exists():
        return Catalog(locale=language, project="Intact", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def po_path(language: str, locale: Path = LOCALE) -> Path:
    """Where the entries of a language lie."""
    return locale / language / "LC_MESSAGES" / "django.po"


def bring_up_to_date(language: str, sources: set[Source], locale: Path = LOCALE) -> Catalog:
    """Write the `.po` with one entry for each source and its translation if it has one, and the
    `.mo` that Django reads.
    """
    old = catalogue_of(language, locale)
    new = Catalog(
        locale=language,
        project="Intact",
        version="0.1.0",
        charset="utf-8",
        fuzzy=False,
        header_comment=old.header_comment,
        msgid_bugs_address="the maintainers of Intact",
        last_translator="the maintainers of Intact",
        language_team=language,
        creation_date=NO_DATE,
        revision_date=NO_DATE,
    )
    for source in sorted(sources):
        context = source.context or None
        known = old.get(source.singular, context)
        identity = (source.singular, source.plural) if source.plural else source.singular
        message = new.add(identity, context=context)
        if known is not None and isinstance(known.id, tuple) == bool(source.plural):
            message.string = known.string
    path = po_path(language, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, no_location=True, width=100, sort_output=True)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, _translated(language, locale))
    return new


def _translated(language: str, locale: Path) -> Catalog:
    """What is compiled: Babel would write an untranslated plural as its own translation."""
    catalogue = catalogue_of(language, locale)
    for message in list(catalogue):
        if message.id and not _is_whole(message.string):
            catalogue.delete(message.id, message.context)
    return catalogue


def untranslated(catalogue: Catalog) -> list[str]:
    """The strings that will stand in English, in the order of the file."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not _is_whole(message.string)
    ]


def _is_whole(string: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(string) and all([string] if isinstance(string, str) else string or ())


def _in_python(path: Path) -> Iterator[Source]:
    """Through the syntax tree, because the usual tools overlook calls within an f-string."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        if name not in MARKS:
            continue
        wanted, with_context = MARKS[name]
        words = [
            part.value
            for part in node.args[:wanted]
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        if len(words) == wanted and with_context:
            yield Source(words[1], context=words[0])
        elif len(words) == wanted:
            yield Source(*words)


def _in_template(path: Path) -> Iterator[Source]:
    for call in CALL.finditer(templatize(path.read_text(encoding="utf-8"), origin=str(path))):
        word, first, second = call.groups()
        if word == "ngettext":
            yield Source(ast.literal_eval(first), ast.literal_eval(second))
        elif word == "pgettext":
            yield Source(ast.literal_eval(second), context=ast.literal_eval(first))
        else:
            yield Source(ast.literal_eval(first))


def main() -> None:
    """Bring every catalogue up to date and tell what share of it is translated."""
    sources = strings_of_sources()
    for language in sorted(path.name for path in LOCALE.iterdir() if path.is_dir()):
        catalogue = bring_up_to_date(language, sources)
        missing = untranslated(catalogue)
        sys.stdout.write(
            f"{language}: {len(sources) - len(missing)} of {len(sources)} strings translated\n"
        )
        sys.stdout.writelines(f"  not yet: {string!r}\n" for string in missing)


if __name__ == "__main__":
    main()
