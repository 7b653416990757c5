"""How many seats each request wants, as an owner fills it in: a table of classes, and single
requests.
"""

from typing import Any

from django import forms
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.desk import counted_kinds
from annotation.models import Project, Request
from annotation.services.needs import wanted_now

MOST_SEATS = 10
NAMED_AT_MOST = 5  # unknown ids that a refusal names


def _seats(**more: Any) -> forms.IntegerField:
    told = gettext_lazy("Give a number from 0 to 10, or leave it empty.")
    messages = dict.fromkeys(("invalid", "min_value", "max_value"), told)
    return forms.IntegerField(min_value=0, max_value=MOST_SEATS, error_messages=messages, **more)


class NeedsForm(forms.Form):
    """A table: request classes down, kinds of work across. An empty cell means the project's own
    number, 0 that none is wanted.
    """

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds, self.wanted = counted_kinds(), wanted_now(project)
        self.classes = list(project.request_classes.annotate(size=Count("requests")))
        for of in self.classes:
            for kind in self.kinds:
                self.fields[_cell(kind.name, of.pk)] = _seats(
                    label=_("%(kind)s, class %(class)s") % {"kind": kind.label, "class": of.name},
                    required=False,
                    initial=self.wanted[kind.name].of_class.get(of.pk),
                )
                self.fields[_cell(kind.name, of.pk)].widget.attrs.update(
                    placeholder=self.wanted[kind.name].default, inputmode="numeric"
                )

    def rows(self) -> list[dict[str, Any]]:
        """The table's rows: the class, how many requests it has, and its cells."""
        return [
            {"of": of, "cells": [self[_cell(kind.name, of.pk)] for kind in self.kinds]}
            for of in self.classes
        ]

    def heads(self) -> list[dict[str, Any]]:
        """The table's columns: the kind of work and the project's own number for it."""
        return [
            {"label": kind.label, "seats": self.wanted[kind.name].default} for kind in self.kinds
        ]

    def changes(self) -> dict[tuple[str, int], int | None]:
        """What differs from the rules in force, by kind of work and class."""
        cells = {
            (kind.name, of.pk): self.cleaned_data.get(_cell(kind.name, of.pk))
            for of in self.classes
            for kind in self.kinds
            if _cell(kind.name, of.pk) in self.data
        }
        return {
            (kind, pk): n
            for (kind, pk), n in cells.items()
            if n != self.wanted[kind].of_class.get(pk)
        }


class RequestNeedsForm(forms.Form):
    """Another number of seats for single requests."""

    keys = forms.CharField(
        label=gettext_lazy("Ids of requests"),
        max_length=100_000,
        help_text=gettext_lazy("One a line, or with commas between them."),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "dir": "auto"}),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind of work"))
    seats = _seats(
        label=gettext_lazy("Seats"), help_text=gettext_lazy("0 to 10; 0 means that none is wanted.")
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 for the type checker
        kind.choices = [(k.name, k.label) for k in counted_kinds()]

    def clean_keys(self) -> list[Request]:
        """The requests named. An id may itself hold a comma, so a whole line is tried first."""
        lines = [line.strip() for line in self.cleaned_data["keys"].splitlines() if line.strip()]
        parts = {part.strip() for line in lines for part in line.split(",") if part.strip()}
        known = {r.key: r for r in self.project.requests.filter(key__in=parts.union(lines))}
        named: dict[str, Request | None] = {}
        for line in lines:
            whole = [line] if line in known else [p.strip() for p in line.split(",") if p.strip()]
            named |= {key: known.get(key) for key in whole}
        unknown = [key for key, found in named.items() if found is None]
        if unknown:
            raise forms.ValidationError(_not_here(unknown))
        return [found for found in named.values() if found]

    def changes(self) -> dict[tuple[str, int], int | None]:
        data = self.cleaned_data
        return {(data["kind"], asked.pk): data["seats"] for asked in data["keys"]}


def _cell(kind: str, class_id: int) -> str:
    return f"seats-{kind}-{class_id}"


def _not_here(unknown: list[str]) -> str:
    names = ", ".join(unknown[:NAMED_AT_MOST])
    more = len(unknown) - NAMED_AT_MOST
    if more > 0:
        return _("No request here is called: %(names)s, and %(more)d more.") % {
            "names": names,
            "more": more,
        }
    return _("No request here is called: %(names)s.") % {"names": names}
