"""One process at work on one set: the texts that are missing are made and kept.

This thread alone touches the database. Texts are made beside it, side by side where a kind asks a
model.
"""

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from django.db import transaction
from django.db.models import QuerySet

from evaluation.gates import most_connections
from evaluation.generation.errors import EndpointError
from evaluation.models import Variation, VariationItem, VariationSet
from evaluation.runs.claiming import lease
from evaluation.variations import Maker, Source, Variant
from evaluation.varying.leases import Lost, hold
from evaluation.varying.making import HUMAN, kept_all, source_of, there_already
from evaluation.varying.patience import (
    Patience,
    is_of_the_item,
    may_be_the_items,
    may_come_back,
)

Report = Callable[[int], None]
Found = Variation | Variant
AT_ONCE = 50  # items that are read, and kept, together
TRIES = 3  # at one item, while the model answers others
_TICK_S, _KEEP_S = 0.25, 1.0


def open_items(of: VariationSet) -> QuerySet[VariationItem]:
    """The items that are still to be made."""
    return of.items.filter(variation=None, why="").exclude(kind="")


class Work:
    """A slice of work on a set, which this process has."""

    def __init__(
        self,
        of: VariationSet,
        worker: str,
        makers: Mapping[str, Maker],
        report: Report | None = None,
    ) -> None:
        self._set = of
        self._worker = worker
        self._makers = makers
        self._report = report
        self._patience = Patience(of)
        self._seed = int(of.recipe["seed"])
        asks = any(maker.generator is not None for maker in makers.values())
        self._lanes = most_connections(os.environ) if asks else 1
        self._tries: Counter[int] = Counter()
        self._todo: deque[VariationItem] = deque()
        self._under_way: dict[Future[Variant], VariationItem] = {}
        self._made: list[tuple[VariationItem, Found]] = []
        self._begun = False
        self._keep_at = self._hold_at = 0.0

    def until(self, end: float) -> bool:
        """Make texts until `end` (by the monotonic clock), but at least one; finish what is begun;
        return whether any are left. What was made is kept whatever ends this. A model that is away
        ends it too.
        """
        todo = open_items(self._set).exclude(kind=HUMAN).order_by("position")
        self._left = deque(todo.values_list("pk", flat=True))
        with ThreadPoolExecutor(self._lanes, thread_name_prefix="vary") as pool:
            try:
                while self._goes_on(end):
                    self._read()
                    self._submit(pool, end)
                    self._take_in()
                    self._keep_in_time()
            except BaseException as fault:
                pool.shutdown(wait=False, cancel_futures=True)
                if not isinstance(fault, Lost):
                    self._keep()
                raise
        self._keep()
        return bool(self._left or self._todo)

    def _goes_on(self, end: float) -> bool:
        if self._under_way:
            return True
        if self._patience.is_away or not (self._left or self._todo):
            return False
        return not self._begun or time.monotonic() < end

    def _read(self) -> None:
        """Have enough items in hand. What an earlier set made in just this way is made already."""
        while self._left and len(self._todo) < 2 * self._lanes:
            some = [self._left.popleft() for _number in range(min(AT_ONCE, len(self._left)))]
            rows = VariationItem.objects.filter(pk__in=some).select_related("request")
            items = list(rows.order_by("position"))
            there = there_already(self._makers, items, self._seed)
            for item in items:
                if item.pk in there:
                    self._made.append((item, there[item.pk]))
                else:
                    self._todo.append(item)
            if len(self._made) >= AT_ONCE:
                return  # they are kept first

    def _submit(self, pool: ThreadPoolExecutor, end: float) -> None:
        while self._todo and len(self._under_way) < 2 * self._lanes:
            if self._patience.is_away or (self._begun and time.monotonic() >= end):
                return
            item = self._todo.popleft()
            maker, source = self._makers[item.kind], source_of(item.request)
            self._under_way[pool.submit(_made, maker, source, self._seed)] = item
            self._begun = True

    def _take_in(self) -> None:
        if not self._under_way:
            return
        done, _ = wait(self._under_way, timeout=_TICK_S, return_when=FIRST_COMPLETED)
        ends: BaseException | None = None
        for future in done:  # each of them, before what one of them raised goes on
            item = self._under_way.pop(future)
            try:
                found = future.result()
            except EndpointError as fault:
                try:
                    self._failed(item, fault)
                except EndpointError as last:
                    ends = last
            except BaseException as fault:
                ends = fault
            else:
                self._made.append((item, found))
                self._patience.forget()
        if ends is not None:
            raise ends

    def _failed(self, item: VariationItem, fault: EndpointError) -> None:
        """The item has no text, or it is made later; raises the fault where that is in vain."""
        self._tries[item.pk] += 1
        stumbles = self._patience.answered and may_be_the_items(fault)
        if is_of_the_item(fault) or (stumbles and self._tries[item.pk] >= TRIES):
            maker = self._makers[item.kind]
            name, tries = maker.generator_name, self._tries[item.pk]
            none = Variant(item.kind, None, name, maker.version, self._seed, tries, why=str(fault))
            self._made.append((item, none))
            return
        self._todo.append(item)
        if not may_come_back(fault):
            raise fault
        if not stumbles:
            self._patience.away(fault)

    def _keep_in_time(self) -> None:
        now = time.monotonic()
        if len(self._made) >= AT_ONCE or (self._made and now >= self._keep_at):
            self._keep()
        elif now >= self._hold_at:
            hold(self._set, self._worker)
            self._hold_at = now + min(_KEEP_S, lease().total_seconds() / 4)

    def _keep(self) -> None:
        """Write what was made, if the set is still this process's, in one transaction."""
        made, self._made = self._made, []
        self._keep_at = time.monotonic() + _KEEP_S
        if not made:
            return
        with transaction.atomic():
            hold(self._set, self._worker)
            kept_all(self._makers, made)
        if self._report:
            self._report(len(made))


def _made(maker: Maker, source: Source, seed: int) -> Variant:
    return maker.vary(source, seed=seed)
