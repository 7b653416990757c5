"""What people say about a file that they bring: what it is, and which of its columns is which."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.apps import apps
from django.forms.boundfield import BoundField
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.importing.kinds import FILE_KINDS, FileKind
from annotation.importing.mapping import ENCODINGS
from annotation.importing.reading import MAX_BYTES
from annotation.importing.showing import visible
from annotation.models import ImportJob, Person, Project
from annotation.permissions import may

FORMAT_LABELS = {"jsonl": _("JSON Lines"), "csv": _("CSV"), "trec": _("TREC run")}
DELIMITER_LABELS = {",": _("comma ,"), ";": _("semicolon ;"), "\t": _("tab"), "|": _("bar |")}
NO_COLUMN = _("– none –")


class UploadForm(forms.Form):
    """One file; what it is may be left to its content."""

    file = forms.FileField(label=_("File"), allow_empty_file=True)
    kind = forms.ChoiceField(label=_("What the file holds"), required=False)
    arm = forms.CharField(label=_("Name of the arm"), max_length=80, required=False)

    def __init__(self, person: Person, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds = kinds_for(person, project)
        targeted = ", ".join(str(k.label) for k in self.kinds if k.target)
        kind, arm = self.fields["kind"], self.fields["arm"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 for the type checker
        kind.choices = [("", _("As its content says")), *((k.name, k.label) for k in self.kinds)]
        arm.help_text = _("Only for: %(kinds)s.") % {"kinds": targeted}
        if not targeted:
            arm.widget = forms.HiddenInput()

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(
                _("The file is over %(limit)d MiB: split it.") % {"limit": MAX_BYTES // 2**20}
            )
        return file


class ChoicesForm(forms.Form):
    """How the file of a job is read. The fields follow the kind: its columns, its options.

    A form that names another kind or form than the job has chooses no columns: its sender could not
    see them yet.
    """

    kind = forms.ChoiceField(label=_("What the file holds"))

    def __init__(
        self,
        job: ImportJob,
        found: Sequence[str],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.job, self.found = job, list(found)
        self.shown_kind = FILE_KINDS[job.kind]
        kinds = kinds_for(job.created_by, job.project)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 for the type checker
        kind.choices = [(k.name, k.label) for k in kinds]
        kind.initial = job.kind
        self._add_form()
        self._add_columns()
        for option in self.shown_kind.options:
            self.fields[f"option-{option.name}"] = (
                forms.BooleanField if option.flag else forms.CharField
            )(
                label=str(option.label),
                help_text=str(option.help),
                required=False,
                initial=job.mapping.get("options", {}).get(option.name) or option.default,
            )
        self._follow_changes()

    def _add_form(self) -> None:
        kind, mapping = self.shown_kind, self.job.mapping
        if kind.target:
            self.fields["target"] = forms.CharField(
                label=_("Name of the arm"),
                max_length=80,
                required=False,
                initial=self.job.target,
            )
        if not kind.formats:
            return
        self._choose("format", _("Form"), [(f, FORMAT_LABELS[f]) for f in kind.formats], mapping)
        self._choose("encoding", _("Encoding"), list(ENCODINGS.items()), mapping)
        if mapping.get("format") == "csv":
            choices = list(DELIMITER_LABELS.items())
            self._choose("delimiter", _("Delimiter"), choices, mapping)

    def _choose(
        self, name: str, label: Any, choices: list[Any], mapping: Mapping[str, Any]
    ) -> None:
        initial = mapping.get(name)
        self.fields[name] = forms.ChoiceField(
            label=label, choices=choices, initial=initial, required=False
        )

    def _add_columns(self) -> None:
        """One select for each of our columns; the columns of the file go by their numbers."""
        kind, mapping = self.shown_kind, self.job.mapping
        if mapping.get("format") not in ("jsonl", "csv"):
            return
        theirs = {ours: name for name, ours in mapping.get("columns", {}).items() if ours}
        choices: list[Any] = [("", NO_COLUMN)]
        choices += [(str(n), visible(name, 60) or "“”") for n, name in enumerate(self.found)]
        for ours in kind.columns:
            chosen = theirs.get(ours)
            initial = str(self.found.index(chosen)) if chosen in self.found else ""
            self.fields[f"column-{ours}"] = forms.ChoiceField(
                label=ours, choices=choices, initial=initial, required=False
            )

    def _follow_changes(self) -> None:
        """What changes the other fields is sent as soon as it is chosen."""
        address = reverse("import-job", args=[self.job.project.slug, self.job.public_id])
        for name in ("kind", "format", "encoding", "delimiter"):
            if name in self.fields:
                self.fields[name].widget.attrs.update(
                    {"hx-post": address, "hx-trigger": "change", "hx-target": "#job"}
                )

    def form_fields(self) -> list[BoundField]:
        return [field for field in self if not field.name.startswith("column-")]

    def column_fields(self) -> list[tuple[BoundField, bool]]:
        """The selects of our columns, and whether a file must have the column."""
        required = self.shown_kind.required
        columns = [field for field in self if field.name.startswith("column-")]
        return [(field, field.name.removeprefix("column-") in required) for field in columns]

    def others(self) -> list[str]:
        """The columns of the file that are none of ours, as the job has them now."""
        columns = self.job.mapping.get("columns", {})
        return [visible(name, 60) for name in self.found if columns.get(name) == ""]

    @property
    def is_seen(self) -> bool:
        """Whether the sender saw the columns of the kind and form that they chose."""
        shown = {"kind": self.job.kind, **self.job.mapping}
        return all(
            self.cleaned_data.get(name) == (shown.get(name) or "")
            for name in ("kind", "format", "encoding", "delimiter")
            if name in self.fields
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        lacks_target = "target" in self.fields and not cleaned.get("target", "").strip()
        if lacks_target and self.data.get("act") and cleaned.get("kind") == self.job.kind:
            self.add_error("target", _("This kind of file belongs to an arm: name it."))
        chosen: dict[str, str] = {}
        for field, _required in self.column_fields() if self.is_seen else ():
            number = cleaned.get(field.name, "")
            if number and number in chosen:
                self.add_error(
                    field.name,
                    _("This column of the file is chosen for “%(other)s” already.")
                    % {"other": chosen[number]},
                )
            elif number:
                chosen[number] = field.name.removeprefix("column-")
        cleaned["columns"] = {
            name: chosen.get(str(n), "") for n, name in enumerate(self.found)
        } if self.is_seen else None  # fmt: skip
        return cleaned

    def mapping(self) -> dict[str, Any]:
        """What was said, as `import_jobs.go_on` takes it."""
        said: dict[str, Any] = {
            name: self.cleaned_data.get(name) or "" for name in ("format", "encoding", "delimiter")
        }
        said["columns"] = self.cleaned_data["columns"]
        said["options"] = {
            option.name: self._option(option.name) for option in self.shown_kind.options
        }
        return said

    def _option(self, name: str) -> str:
        value = self.cleaned_data.get(f"option-{name}", "")
        return ("on" if value else "") if isinstance(value, bool) else value.strip()


def kinds_for(person: Person, project: Project) -> list[FileKind]:
    """The kinds of file that the person may import, as a study needs them: the files of an app
    build on those of the apps below it.
    """
    lowest_first = [config.name for config in apps.get_app_configs()][::-1]
    return sorted(
        (kind for kind in FILE_KINDS.values() if may(person, kind.act, project).allowed),
        key=lambda kind: (lowest_first.index(kind.__module__.split(".")[0]), kind.folder),
    )
