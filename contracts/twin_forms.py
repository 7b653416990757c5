"""The shape of what the author of a twin or control sends. A draft may be unfinished, so no field
is required here.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import composed
from contracts.forms import AmbiguityForm, LinesField, ValueForm, value_form
from contracts.models import FAMILIES, TwinDraft
from contracts.services.twins.drafting import Read, Written
from contracts.terms import Ambiguity

FAMILY_LABELS = {
    "date": _("date"),
    "organisation": _("organisation"),
    "direction": _("direction"),
    "status": _("status"),
    "aggregation": _("aggregation"),
    "referent": _("referent"),
    "unresolved": _("unresolved"),
    "control": _("control"),
}
OR = " | "  # between documents of which any one satisfies an item
REASON = "reason-"
UNRESOLVED = "unresolved"


class ItemsField(LinesField):
    """Required items of evidence, one a line; documents of which any one is enough stand on one
    line with “|” between them.
    """

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return "\n".join(OR.join(item) for item in value)
        return value

    def to_python(self, value: Any) -> Any:
        lines = super().to_python(value)
        items = [[composed(key.strip()) for key in line.split("|")] for line in lines]
        return [found for item in items if (found := [key for key in item if key])]


class TwinForm(forms.Form):
    """The words of a twin, its answers and evidence; or the texts of a control."""

    family = forms.ChoiceField(
        label=_("Family"), choices=[(name, FAMILY_LABELS[name]) for name in FAMILIES]
    )
    answers = LinesField(label=_("Answers that are right for the twin, one a line"))
    evidence = ItemsField(
        label=_("Documents that its answer needs, by id, one item a line"),
        help_text=_("Where any of several is enough, put “|” between them."),
    )
    accepts = LinesField(label=_("Texts that must pass, one a line"))
    key = forms.CharField(label=_("Id of the twin"), max_length=200)

    def __init__(self, draft: TwinDraft, data: Any = None) -> None:
        initial = {
            "family": draft.family,
            "answers": draft.answers,
            "evidence": draft.evidence,
            "accepts": draft.accepts,
            "key": draft.key,
        }
        super().__init__(data, initial=initial)
        self.draft = draft
        for name in ("family", "answers", "evidence") if draft.is_control else ("accepts",):
            del self.fields[name]
        for field in self.fields.values():
            field.required = False
        if draft.is_control:
            self.fields["key"].label = _("Id of the control")
        for name in self.fields.keys() & {"answers", "accepts"}:
            self.fields[name].widget.attrs |= {"class": "words-s", "dir": "auto"}
        if "answers" in self.fields and not draft.answers:
            self.fields["answers"].widget.attrs["autofocus"] = True  # what no proposal can give
        for number, text in enumerate(draft.texts):
            self.fields[f"turn-{number}"] = _words(text)

    @property
    def turns(self) -> list[forms.BoundField]:
        return [self[f"turn-{number}"] for number in range(len(self.draft.texts))]

    def texts(self) -> tuple[str, ...]:
        """The turns as they were written. A browser sends every line break as CR LF: a text that
        nobody touched stays as it was.
        """
        base = self.draft.base.request.texts
        return tuple(
            _as_known(self.cleaned_data[f"turn-{n}"], (saved, base[n]))
            for n, saved in enumerate(self.draft.texts)
        )


def _words(text: str) -> forms.CharField:
    rows = min(8, max(2, len(text) // 60 + 1))
    widget = forms.Textarea(attrs={"class": "words-s", "dir": "auto", "rows": rows})
    return forms.CharField(initial=text, required=False, strip=False, widget=widget)


def _as_known(sent: str, known: Sequence[str]) -> str:
    flat = _flat(sent)
    return next((text for text in known if _flat(text) == flat), flat)


def _flat(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class DraftForms:
    """Every form of a draft's page: its words, the flipped value, and the mark that nobody can tell
    what is meant.
    """

    def __init__(self, draft: TwinDraft, data: QueryDict | None = None) -> None:
        self.draft, self.data = draft, data
        self.words = TwinForm(draft, data)
        flipped = draft.flipped
        self.value: ValueForm | None = None
        if flipped is not None:
            sent = data if data is not None and "v-admissible" in data else None
            self.value = value_form(flipped, draft.texts, sent, prefix="v")
        self.mark = self._mark()

    @property
    def valid(self) -> bool:
        """Whether all that was sent can be kept."""
        forms_sent = (self.words, self.value, self.mark)
        return all([form.is_valid() for form in forms_sent if form is not None and form.is_bound])

    def sentences(self) -> list[str]:
        """What cannot be kept of what was sent."""
        found = self.value.sentences() if self.value is not None else []
        return found + [str(fault) for faults in self.words.errors.values() for fault in faults]

    def written(self) -> Written | None:
        """What the author wrote, without a value that cannot be read; None where the words
        themselves cannot be kept.
        """
        if self.data is None or not self.words.is_valid():
            return None
        sent = self.words.cleaned_data
        value, mark = self.value, self.mark
        read = value is not None and value.is_bound and value.is_valid()
        return Written(
            texts=self.words.texts(),
            family=sent.get("family", ""),
            value=value.typed_value() if value is not None and read else None,
            admissible=tuple(value.typed_admissible()) if value is not None and read else None,
            ambiguity=_ambiguity(mark) if mark is not None else None,
            answers=tuple(sent.get("answers", ())),
            evidence=tuple(tuple(item) for item in sent.get("evidence", ())),
            accepts=tuple(sent.get("accepts", ())),
            reasons=reasons_sent(self.data),
            key=composed(sent["key"]),
        )

    def _mark(self) -> AmbiguityForm | None:
        """The mark that nobody can tell what is meant: a referent's alone."""
        if self.draft.flipped is None or self.draft.flipped.kind != "referent":
            return None
        if self.data is not None and "mark-readings" in self.data:
            return AmbiguityForm(self.data, prefix="mark")
        return AmbiguityForm.of(self.draft.contract_terms.ambiguity, prefix="mark")


def _ambiguity(form: AmbiguityForm) -> Ambiguity | None:
    """The mark that was sent; None where the page had none."""
    if not form.is_bound or not form.is_valid():
        return None
    sent = form.cleaned_data
    return Ambiguity(sent["unresolved"], tuple(sent["readings"]) if sent["unresolved"] else ())


def reasons_sent(data: Mapping[str, Any]) -> dict[str, str]:
    """The stated reasons by the code of their fault; an empty one takes the reason away."""
    sent = {name.removeprefix(REASON): str(data[name]) for name in data if name.startswith(REASON)}
    return {code[:40]: why.strip().replace("\x00", "")[:2000] for code, why in sent.items()}


def read_of(data: Mapping[str, Any]) -> Read:
    """Which draft the page had read, and its tab; what cannot be read is no draft that stands."""
    version = str(data.get("version", ""))
    known = version.isascii() and version.isdecimal() and len(version) < 10
    try:
        tab = UUID(str(data.get("tab", "")))
    except ValueError:
        tab = None
    return Read(int(version) if known else -1, tab)


def new_tab() -> UUID:
    """A name for one page in one tab."""
    return uuid4()


class SendBackForm(forms.Form):
    """Which draft was read, and what its author shall change."""

    words = forms.CharField(
        label=_("What its author shall change"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "id": "words"}),
    )
