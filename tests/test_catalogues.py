"""The catalogues: complete, whole, and compiled; and the reading of the sources for them."""

import gettext
import re
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.conf import settings

from config.catalogues import (
    LOCALE,
    Source,
    bring_up_to_date,
    catalogue_of,
    po_path,
    strings_of_sources,
    untranslated,
)

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
PLACES = re.compile(r"%\([a-z_]+\)[a-z]|%%|</?[a-z]+[^>]*>")
MOST_MISSING = 0.1


def entries(language: str) -> list[Message]:
    return [message for message in catalogue_of(language) if message.id]


def forms(message: Message) -> list[tuple[str, str]]:
    """Each source form with the translation that stands for it."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return list(zip(message.id, message.string, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_of_the_sources_has_an_entry(language: str) -> None:
    known = {
        (m.id if isinstance(m.id, str) else m.id[0], m.context or "") for m in entries(language)
    }
    missing = {s.singular for s in strings_of_sources() if (s.singular, s.context) not in known}
    assert not missing, f"Type `make messages`, then translate what it lists: {sorted(missing)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_but_the_newest_strings_are_translated(language: str) -> None:
    missing = untranslated(catalogue_of(language))
    assert len(missing) <= MOST_MISSING * len(entries(language)), (
        f"Translate these in {po_path(language)}: {missing}"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_placeholders_and_tags_of_its_source(language: str) -> None:
    wrong = [
        (source, said)
        for message in entries(language)
        for source, said in forms(message)
        if said and Counter(PLACES.findall(source)) != Counter(PLACES.findall(said))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_the_blanks_at_its_ends(language: str) -> None:
    def ends(text: str) -> tuple[bool, bool]:
        return text[:1].isspace(), text[-1:].isspace()

    assert [
        source
        for message in entries(language)
        for source, said in forms(message)
        if said and source != "," and ends(source) != ends(said)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_is_translated_in_all_its_forms_or_in_none(language: str) -> None:
    plurals = [m for m in entries(language) if not isinstance(m.id, str)]
    assert [m.id[0] for m in plurals if any(m.string) and not all(m.string)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_says_what_the_written_one_says(language: str) -> None:
    with po_path(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    written = {}
    for message in entries(language):
        if isinstance(message.id, str):
            context = f"{message.context}\x04" if message.context else ""
            written[context + message.id] = message.string
        else:
            written.update(((message.id[0], n), said) for n, said in enumerate(message.string))
    told = {key: said for key, said in compiled.items() if key}
    assert told == {key: said for key, said in written.items() if said}, "Type `make messages`."


def test_each_language_that_can_be_chosen_has_its_catalogue() -> None:
    assert sorted(path.name for path in LOCALE.iterdir()) == sorted(LANGUAGES)


SAMPLE = {
    "annotation/said.py": """
from django.utils.translation import gettext as _, ngettext, pgettext
_("in " "two parts"); f"{_('inside %(n)d')}"; pgettext("of a key", "press"); _(variable)
ngettext("%(n)d row", "%(n)d rows", n)
""",
    "templates/said.html": """{% load i18n %}{% translate "a template's" %}
{{ x|default:_("a filter's") }}
{% blocktranslate count n=rows %}{{ n }} cat{% plural %}{{ n }} cats{% endblocktranslate %}
{# translators: no #}{% blocktranslate %}It is 5 % of {{ all }}{% endblocktranslate %}""",
}


@pytest.fixture
def product(tmp_path: Path) -> Path:
    for name, text in SAMPLE.items():
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_strings_are_found_wherever_the_product_marks_them(product: Path) -> None:
    assert strings_of_sources(product) == {
        Source("in two parts"),
        Source("inside %(n)d"),
        Source("press", context="of a key"),
        Source("%(n)d row", "%(n)d rows"),
        Source("a template's"),
        Source("a filter's"),
        Source("%(n)s cat", "%(n)s cats"),
        Source("It is 5 %% of %(all)s"),
    }


def test_bringing_up_to_date_keeps_translations_and_drops_what_is_gone(tmp_path: Path) -> None:
    bring_up_to_date("de", {Source("seat"), Source("gone")}, tmp_path)
    path = po_path("de", tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"seat"\nmsgstr ""', '"seat"\nmsgstr "Platz"'), encoding="utf-8")
    new = bring_up_to_date("de", {Source("seat"), Source("new")}, tmp_path)
    assert {m.id: m.string for m in new if m.id} == {"seat": "Platz", "new": None}


def test_the_same_sources_give_the_same_file(tmp_path: Path) -> None:
    sources = {Source("b"), Source("a", "as"), Source("a", context="c")}
    bring_up_to_date("de", sources, tmp_path)
    first = po_path("de", tmp_path).read_bytes()
    bring_up_to_date("de", sources, tmp_path)
    assert po_path("de", tmp_path).read_bytes() == first
