"""Guidelines: which topics a study has, and how their Markdown becomes a page.

Lower rooms know no topic but the one for everybody: kinds of work are topics by themselves, and an
app registers what else its guidelines are about.
"""

import difflib
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore

from annotation.desk import WORK_KINDS
from annotation.models import Person, Project

GENERAL = "general"  # stands in addresses and the ledger for the topic ""
SCHEMES = ("http", "https", "mailto")
MAX_LENGTH = 50_000


@dataclass(frozen=True)
class Topic:
    """What one guideline is about: everybody ("" is its name), a kind of work, or a kind of
    Constraint.
    """

    name: str
    label: str | Promise

    @property
    def address(self) -> str:
        return self.name or GENERAL


FOR_ALL = Topic("", _("For everybody"))
TOPICS: dict[str, Topic] = {}


def register_topics(*topics: Topic) -> None:
    """Add topics; called from the `ready` of the app that owns what they are about."""
    TOPICS.update({topic.name: topic for topic in topics})


@dataclass(frozen=True)
class Use:
    """What was done under one version of a guideline: a sentence with its number, and where it is
    listed.
    """

    said: str
    address: str


# What apps tell of the versions of a topic, to whoever may know it.
USES: list[Callable[[Person, Project, Topic], dict[int, Use]]] = []


def register_use(uses: Callable[[Person, Project, Topic], dict[int, Use]]) -> None:
    """Add what is done under guidelines; called from the `ready` of the app that owns it."""
    USES.append(uses)


def topics_of_work(kind_name: str) -> list[Topic]:
    """What is read beside this kind of work: for everybody, its own topic, and those it names."""
    kind = WORK_KINDS.get(kind_name)
    names = [kind_name, *(kind.topics if kind else ())]
    return [FOR_ALL, *(topic for name in dict.fromkeys(names) if (topic := _named(name)))]


def all_topics() -> list[Topic]:
    """Every topic in the order in which a study reads them: for everybody, then each kind of work
    with what it names, then whatever else is registered.
    """
    found = {"": FOR_ALL}
    for name in WORK_KINDS:
        found |= {topic.name: topic for topic in topics_of_work(name)}
    return list(
        (found | {name: topic for name, topic in TOPICS.items() if name not in found}).values()
    )


def topic_at(address: str) -> Topic | None:
    """The topic with this address, or None."""
    return next((topic for topic in all_topics() if topic.address == address), None)


def _named(name: str) -> Topic | None:
    kind = WORK_KINDS.get(name)
    return Topic(name, kind.label) if kind else TOPICS.get(name)


class _Markdown(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 markdown-it's own name
        """Links lead to the web, to an address to write to, or within this site."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        return parts.scheme.lower() in SCHEMES or not (parts.scheme or parts.netloc)


def _made_safe(state: StateCore) -> None:
    """Shift the headings under those of the page, and drop the inline styles of table cells."""
    opened = [token for token in state.tokens if token.type == "heading_open"]
    ranks = sorted({token.tag for token in opened})
    above = state.env["under"]
    for token in state.tokens:
        if token.type == "heading_open":  # no level is left out on the way down
            above = min(6, above + 1, state.env["under"] + 1 + ranks.index(token.tag))
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{above}"
        token.attrs.pop("style", None)


def _link(
    self: RendererHTML, tokens: Any, index: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    tokens[index].attrSet("rel", "noopener")
    return self.renderToken(tokens, index, options, env)


def _reader() -> MarkdownIt:
    markdown = _Markdown("commonmark", {"html": False, "xhtmlOut": False})
    markdown.enable("table").disable("image")
    markdown.core.ruler.push("made_safe", _made_safe)
    markdown.add_render_rule("link_open", _link)
    return markdown


_MARKDOWN = _reader()


@lru_cache(maxsize=512)
def rendered(text: str, under: int = 2) -> SafeString:
    """Turn Markdown into HTML that holds no markup of its author: HTML is shown as text, images
    are links, links lead to http, https, mailto or within this site. `under` is the level of the
    heading above it (1 to 6).
    """
    return mark_safe(cast(str, _MARKDOWN.render(text, {"under": under})))  # noqa: S308 html is off


@dataclass(frozen=True)
class DiffLine:
    """One line of a comparison: `sign` is "+", "-", "" (the same) or "…" (lines left out)."""

    sign: str
    text: str


def line_diff(old: str, new: str) -> list[DiffLine]:
    """Compare two texts line by line; equal stretches keep two lines around each change."""
    found: list[DiffLine] = []
    compared = difflib.unified_diff(old.splitlines(), new.splitlines(), n=2, lineterm="")
    for line in list(compared)[2:]:  # the first two name files
        if line.startswith("@@"):
            found += [DiffLine("…", "")] if found else []
        else:
            found.append(DiffLine(line[0].strip(), line[1:]))
    return found
