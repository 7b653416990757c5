"""A twin at work: what the tests of twins share."""

from dataclasses import replace
from typing import Any

from annotation.models import Person, Project
from annotation.services.imports import import_file
from contracts.models import Contract, TwinDraft
from contracts.services.twins import drafting
from contracts.services.twins.drafting import Read, Written

CORPUS = (
    b'{"_id": "d17", "title": "Accounts to 2020", "text": "EUR 1.2 billion."}\n'
    b'{"_id": "d18", "title": "Accounts from 2022", "text": "EUR 1.9 billion."}\n'
)


def take_in(project: Project, kind: str, data: bytes) -> None:
    import_file(
        actor=project.created_by, project=project, kind=kind, filename=f"{kind}.jsonl", data=data
    )


def begun(contract: Contract, author: Person, now: str = "after 2021") -> TwinDraft:
    """A draft from the proposal that changes the time of the request into `now`."""
    flips = drafting.flips_of(contract, "c2")
    flip = next(flip for flip in flips if flip.now == now)
    return drafting.begin(actor=author, contract=contract, constraint="c2", flip=flip)


def written(draft: TwinDraft, **changed: Any) -> Written:
    """What the page sends of the draft as it stands, with some of it changed."""
    as_it_is = Written(
        texts=tuple(draft.texts),
        family=draft.family,
        answers=("EUR 1.9 billion",),
        evidence=(("d18",),),
        accepts=tuple(draft.accepts),
    )
    return replace(as_it_is, **changed)


def saved(draft: TwinDraft, **changed: Any) -> TwinDraft:
    return drafting.save(
        actor=draft.author,
        draft=draft,
        written=written(draft, **changed),
        read=Read(draft.version),
    )


def proposed(contract: Contract, author: Person, now: str = "after 2021") -> TwinDraft:
    """A twin that nothing stands against, and that waits for somebody else."""
    draft = saved(begun(contract, author, now))
    return drafting.propose_for_approval(actor=author, draft=draft)
