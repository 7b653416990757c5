"""What differs between two runs that cannot be compared, exactly.
Knows no model: from what was frozen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

# How many keys are named of those that differ; the rest is counted.
NAMED = 5
_SHORT_HASH = 16
_LABELS: Mapping[str, str | Promise] = {
    "schema": gettext_lazy("Form of the conditions"),
    "code": gettext_lazy("Intact"),
    "corpus": gettext_lazy("Corpus"),
    "reference_date": gettext_lazy("Reference date"),
    "twins": gettext_lazy("Twin pairs"),
    "retriever": gettext_lazy("Retriever"),
    "reader": gettext_lazy("Reader"),
    "k": gettext_lazy("Documents per request"),
    "original": gettext_lazy("The original arm sends"),
    "token_budget": gettext_lazy("Words of passages for the reader"),
    "sampling": gettext_lazy("Sampling"),
    "judge": gettext_lazy("Judge of the constraints"),
    "constraint_judge": gettext_lazy("What settles constraints that the matchers leave open"),
    "support_share": gettext_lazy("Share of words for support"),
    "support": gettext_lazy("Judge of support"),
    "only_unseen": gettext_lazy("Only requests without a result before"),
    "judging": gettext_lazy("Who judges, by the protocol"),
    "judges": gettext_lazy("People for each judgement, by the protocol"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same: what it is (`path` inside it), and what each side has."""

    what: str
    path: str
    a: str
    b: str

    def to_json(self) -> dict[str, str]:
        return {"what": self.what, "path": self.path, "a": self.a, "b": self.b}


def condition_differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return every difference of two frozen contents; of requests and contracts how many were
    added, removed and changed, with the first keys.
    """
    found = [
        *_keyed(_("Requests"), a.get("requests", {}), b.get("requests", {})),
        *_keyed(_("Contracts"), a.get("contracts", {}), b.get("contracts", {})),
    ]
    for name in sorted((a.keys() | b.keys()) - {"requests", "contracts"}):
        label = str(_LABELS.get(name, name))
        found += [
            Difference(label, path, one, other)
            for path, one, other in _walk(a.get(name), b.get(name))
        ]
    return tuple(found)


def _keyed(label: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Difference]:
    if only_a := sorted(a.keys() - b.keys()):
        yield Difference(label, "", _counted(only_a), _("not there"))
    if only_b := sorted(b.keys() - a.keys()):
        yield Difference(label, "", _("not there"), _counted(only_b))
    if changed := sorted(key for key in a.keys() & b.keys() if a[key] != b[key]):
        said = _counted(changed)
        yield Difference(label, "", said, _("the same keys with other content"))


def _counted(keys: list[str]) -> str:
    named = ", ".join(keys[:NAMED]) + (" …" if len(keys) > NAMED else "")
    return ngettext("%(n)d: %(keys)s", "%(n)d: %(keys)s", len(keys)) % {
        "n": len(keys),
        "keys": named,
    }


def _walk(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """The leaves that differ, as path and both values; a part that one side lacks is one leaf."""
    if a == b:
        return
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for name in sorted(a.keys() | b.keys()):
            yield from _walk(a.get(name), b.get(name), f"{path}.{name}" if path else name)
        return
    yield path, _value(a), _value(b)


def _value(value: Any) -> str:
    if value is None:
        return _("none")
    if isinstance(value, Mapping):
        return str(value.get("name", _("given")))
    text = str(value)
    is_hash = len(text) == 64 and not set(text) - set("0123456789abcdef")
    return f"{text[:_SHORT_HASH]}…" if is_hash or len(text) > 80 else text
