"""What is wrong with a twin or control before it may be proposed, in sentences for its author."""

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.importing.fields import id_fault
from annotation.importing.look_alikes import look_alike_key
from annotation.importing.requests import says_nothing
from annotation.importing.showing import quoted
from annotation.models import Corpus, Document, Project, Request
from contracts.models import TwinDraft, TwinPair
from contracts.services.twins.sides import base_side, twin_side
from contracts.twins.validating import PairFault, faults_of_pair

MAX_KEY = 200
FOUND = 8  # documents that a search lists
LONGEST_FIND = 200  # letters that are looked for: databases bound their patterns


def faults_of(draft: TwinDraft) -> tuple[PairFault, ...]:
    """Every fault of the draft, those with a stated reason included."""
    found = [*_faults_of_key(draft)]
    if draft.is_control:
        return (*found, *_faults_of_control(draft))
    found += [*_faults_of_words(draft), *_faults_of_pairs(draft)]
    found += _faults_of_evidence(draft)
    pair = faults_of_pair(draft.family, draft.constraint, base_side(draft), twin_side(draft))
    return (*found, *pair)


def open_faults(faults: Sequence[PairFault], reasons: Mapping[str, str]) -> tuple[PairFault, ...]:
    """The faults that stand in the way: not excusable, or without a stated reason."""
    return tuple(
        fault
        for fault in faults
        if not fault.excusable or not str(reasons.get(fault.code, "")).strip()
    )


def titles_of(project: Project, keys: Sequence[str]) -> dict[str, str]:
    """The titles of those of these documents that the newest corpus has."""
    corpus = Corpus.objects.latest_of(project)
    if corpus is None or not keys:
        return {}
    found = Document.objects.filter(corpus=corpus, key__in=keys)
    return dict(found.values_list("key", "title"))


def documents_with(project: Project, words: str, *, texts: bool) -> list[tuple[str, str]]:
    """The first documents of the newest corpus whose id or title (and text, with `texts`) has the
    words, with their titles.
    """
    corpus = Corpus.objects.latest_of(project)
    if corpus is None or not words or "\x00" in words:
        return []
    words = words[:LONGEST_FIND]
    where = Q(key__icontains=words) | Q(title__icontains=words)
    if texts:
        where |= Q(text__icontains=words)
    found = corpus.documents.filter(where).order_by("position")
    return list(found.values_list("key", "title")[:FOUND])


def taken_keys(project: Project, *, control: bool = False) -> set[str]:
    """Ids that a new pair or control may not have, as they look to a person."""
    taken = [
        *project.twin_pairs.values_list("key", flat=True),
        *project.controls.values_list("key", flat=True),
    ]
    if not control:  # a pair's twin is a request of the same id
        taken += project.requests.values_list("key", flat=True)
    return {look_alike_key(key) for key in taken}


def paired_texts(request: Request) -> dict[tuple[str, ...], str]:
    """The texts of the requests that are paired with this one already, with the id of the pair."""
    rows = TwinPair.objects.filter(Q(base=request) | Q(twin=request)).order_by("-pk")
    rows = rows.select_related("base", "twin").prefetch_related("base__turns", "twin__turns")
    others = ((pair.twin if pair.base_id == request.pk else pair.base, pair.key) for pair in rows)
    return {tuple(other.texts): key for other, key in others}


def next_key(draft: TwinDraft) -> str:
    """The id that the fixture gets: its author's, or the next free one after the base's."""
    if draft.key:
        return draft.key
    taken = taken_keys(draft.project, control=draft.is_control)
    start, number = f"{draft.base.request.key}-{'c' if draft.is_control else 't'}", 1
    while look_alike_key(f"{start}{number}") in taken:
        number += 1
    return f"{start}{number}"


def said_of(fault: PairFault) -> str:
    """The sentence of a fault in the language of the page."""
    return fault.told(_) if fault.said else fault.sentence


def _fault(code: str, sentence: str) -> PairFault:
    return PairFault(code, sentence, excusable=False)


def _faults_of_key(draft: TwinDraft) -> Iterator[PairFault]:
    key = next_key(draft)
    if wrong := id_fault(key, longest=MAX_KEY):
        yield _fault("bad_id", _("Id: %(fault)s Choose another.") % {"fault": wrong})
    elif draft.key and look_alike_key(key) in taken_keys(draft.project, control=draft.is_control):
        said = _("The project has %(key)s already, or one that looks like it: choose another id.")
        yield _fault("present_id", said % {"key": quoted(key)})


def _faults_of_control(draft: TwinDraft) -> Iterator[PairFault]:
    if not draft.accepts:
        yield _fault("no_accepts", _("Write at least one text that must pass."))
    asked = " ".join(draft.base.request.text.split())
    if any(" ".join(text.split()) == asked for text in draft.accepts):
        said = _("A text that must pass is the request itself: write what a rewriter may add.")
        yield _fault("accepts_same", said)
    if len(set(draft.accepts)) < len(draft.accepts):
        yield _fault("accepts_twice", _("One of the texts stands twice: remove it."))


def _faults_of_words(draft: TwinDraft) -> Iterator[PairFault]:
    if any(not text.strip() for text in draft.texts):
        yield _fault("empty_text", _("A turn of the twin is empty: write what is said there."))
    for answer in filter(says_nothing, draft.answers):
        said = _("The answer %(answer)s is empty once articles and punctuation are dropped.")
        yield _fault("empty_answer", said % {"answer": quoted(answer)})


def _faults_of_pairs(draft: TwinDraft) -> Iterator[PairFault]:
    if key := paired_texts(draft.base.request).get(tuple(draft.texts)):
        said = _("Pair %(key)s has these two requests already: change the twin, or delete it.")
        yield _fault("present_pair", said % {"key": quoted(key)})


def _faults_of_evidence(draft: TwinDraft) -> Iterator[PairFault]:
    known = titles_of(draft.project, sorted(draft.documents))
    for key in sorted(draft.documents - known.keys()):
        said = _("The corpus has no document %(key)s: correct the id.")
        yield _fault("unknown_document", said % {"key": quoted(key)})
