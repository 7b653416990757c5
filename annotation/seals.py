"""What the ledger's entries of this app sealed, computed anew from the rows."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from annotation.erased import ErasedNames
from annotation.models import HumanRewrite, Project
from annotation.services.ledger import Seal
from annotation.services.rewrites import rewrite_hash

Hashes = Mapping[tuple[str, Any], set[str]]


def rewrites_sealed(kind: str) -> Callable[[Project], Hashes]:
    """Make the `hashes` of a Seal over one kind of HumanRewrite, by request and author.

    A withdrawn text is gone: its row answers with the hash that it keeps, if the ledger says that
    it was withdrawn.
    """

    def hashes(project: Project) -> Hashes:
        names = ErasedNames(project)
        withdrawn = {
            (
                entry.subject,
                names.now(entry.sequence, entry.content["author"]),
                entry.content["sha256"],
            )
            for entry in project.ledger.filter(kind=f"{kind}.withdrawn")
        }
        rows = HumanRewrite.objects.filter(request__project=project, kind=kind)
        found: dict[tuple[str, Any], set[str]] = defaultdict(set)
        for r in rows.select_related("request", "author").iterator():
            key = (r.request.key, r.author.username)
            if r.withdrawn_at and (*key, r.sha256) in withdrawn:
                found[key].add(r.sha256)
            else:
                found[key].add(rewrite_hash(r.text, r.clarification, r.warnings))
        return found

    return hashes


PARAPHRASES = Seal("paraphrase.sealed", "author", rewrites_sealed("paraphrase"))
