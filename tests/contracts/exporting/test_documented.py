from pathlib import Path

import pytest
from django.conf import settings

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.importing.kinds import FILE_KINDS
from contracts.exporting.wide import SLOTS

DOCUMENTED = (Path(settings.BASE_DIR) / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", sorted(EXPORT_KINDS))
def test_every_kind_and_column_is_in_the_document(kind: str) -> None:
    numbered = {f"reviewer_{n}" for n in range(1, SLOTS + 1)}
    columns = {
        f"reviewer_n{name[10:]}" if name[:10] in numbered else name
        for name in EXPORT_KINDS[kind].columns
    }
    missing = [name for name in (kind, *columns) if f"`{name}`" not in DOCUMENTED]
    assert missing == []


def test_what_the_page_says_can_be_imported_again_can_be() -> None:
    back = {kind.name for kind in EXPORT_KINDS.values() if kind.group == "back"}
    assert back == {
        "corpus",
        "requests",
        "sheets",
        "contracts",
        "standalone",
        "paraphrases",
        "twins",
    }
    assert all(set(EXPORT_KINDS[name].columns) <= set(FILE_KINDS[name].columns) for name in back)
