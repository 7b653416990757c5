"""A file has the same bytes whatever language its reader's pages speak."""

import pytest
from django.utils import translation

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.models import Project
from tests.contracts.exporting.conftest import Write

FILES = [(name, form) for name, kind in EXPORT_KINDS.items() for form in kind.forms]


@pytest.mark.parametrize(("kind", "form"), FILES)
def test_an_export_has_the_same_bytes_in_german(
    kind: str, form: str, worked: Project, write: Write
) -> None:
    english = write(worked, kind, form)
    with translation.override("de"):
        german = write(worked, kind, form)
    # The ledger has grown meanwhile: the first export stands in the second.
    assert german.startswith(english) if kind == "ledger" else german == english
