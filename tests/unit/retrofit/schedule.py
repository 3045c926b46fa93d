"""Retrofits under a random schedule: writers, keepers, crashes, zombies, lost answers, repeated batches, all at once.

Everything that takes time is a request in somebody's hands; the schedule picks which one is done next. So any two
requests may overtake each other, as on a network.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from skipscan.dynamodb.source import Item
from skipscan.items.assignments import Assignments, Update
from skipscan.items.progress import ItemProgress
from skipscan.items.request import LookAtItem, WriteItem
from skipscan.items.walk import Settled
from skipscan.loop.progress import to_json
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Bounds, Pause
from skipscan.retrofit.batch import Request, RetrofitBatch
from skipscan.retrofit.counts import RetrofitCounts
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.retrofit.settling import Look, RetrofitOutcome, Settling
from tests.unit.retrofit.small_table import SmallTable, item, retrofit_plan, text

NOW = 0.0
CONTENTS = ["x", "y", "x-y"]


@dataclass
class Faults:
    """How often what happened, so that a test can say that it did."""

    crashes: int = 0
    zombie_writes: int = 0
    lost_answers: int = 0
    conflicts: int = 0
    writer_writes: int = 0
    repeated_events: int = 0
    batches: int = 0


@dataclass
class Attempt:
    """One invocation of the worker's function."""

    batch: RetrofitBatch
    number: int
    listed: list[Settled]
    in_hand: list[Request] = field(default_factory=list)


class Schedule:
    """One worker's retrofit of a table while writers change it; `keeps`: with keepers on the table's stream."""

    def __init__(
        self,
        seed: int,
        *,
        batch_type: type[RetrofitBatch] = RetrofitBatch,
        table_type: type[SmallTable] = SmallTable,
        keeper: Callable[[Assignments, Item, Item | None], Settling] | None = None,
    ) -> None:
        self.random = Random(seed)
        self.batch_type = batch_type
        self.keeper = keeper
        self.faults = Faults()
        self.plan: RetrofitPlan = retrofit_plan(self.random.choice([1, 3, 5]), verify=self.random.random() < 0.5)
        ids = [f"i{number}" for number in range(self.random.randint(0, 14))]
        self.table = table_type(
            *(self._new(id_) for id_ in ids),
            page_items=self.random.randint(1, 4),
            segments=self.plan.reading.segments,
            returns_item=self.random.random() < 0.5,
        )
        self.ids = [*ids, "new1", "new2"]
        self.touched: set[str] = set()
        self.events: list[tuple[str, Item | None]] = []
        self.keepers: list[Settling] = []
        self.committed: dict[int, ItemProgress[RetrofitCounts]] = {}
        self.listed: list[Settled] = []
        self.zombies: list[WriteItem[Update]] = []
        self.assignments = self.plan.assignments

    def run(self, *, writers: bool = True) -> RetrofitCounts:
        """Bring the worker to its end and every event to its keeper; return what the worker counted."""
        progress = ItemProgress(0, RetrofitCounts())
        writes_left = self.random.randint(0, 40) if writers else 0
        attempts = [self._attempt(progress)] if not progress.done(self.plan) else []
        while attempts or self.events or self.keepers:
            if writes_left and self.random.random() < 0.4:
                self._write_something()
                writes_left -= 1
            if self.zombies and self.random.random() < 0.2:
                self._zombie()
            if (self.events or self.keepers) and self.random.random() < 0.5:
                self._keep()
            if attempts:
                attempts = self._advance(attempts)
        while self.zombies:
            self._zombie()
            while self.events or self.keepers:
                self._keep()
        return self.committed[max(self.committed)].counts if self.committed else progress.counts

    def _advance(self, attempts: list[Attempt]) -> list[Attempt]:
        attempt = self.random.choice(attempts)
        chance = self.random.random()
        if chance < 0.03:  # the function dies, and is tried again from what is committed
            self.faults.crashes += 1
            self._bury(attempt)
            attempts.remove(attempt)
            return attempts or [self._attempt(self._reached())]
        if chance < 0.05 and len(attempts) < 2:  # a duplicate of the invocation
            return [*attempts, self._attempt(self._reached())]
        if chance < 0.06:
            attempt.batch.stop()
        step = attempt.batch.take() if len(attempt.in_hand) < self.random.randint(1, 5) else None
        if step is not None and not isinstance(step, Pause):
            attempt.in_hand.append(step)
        elif attempt.in_hand:
            self._do(attempt, attempt.in_hand.pop(self.random.randrange(len(attempt.in_hand))))
        else:
            assert step is None, "nothing is under way, and yet there is something to wait for"
            attempts.remove(attempt)
            self._commit(attempt)
            if not attempts and not self._reached().done(self.plan):
                return [self._attempt(self._reached())]
        return attempts

    def _attempt(self, progress: ItemProgress[RetrofitCounts]) -> Attempt:
        self.faults.batches += 1
        listed: list[Settled] = []

        def write(settled: Sequence[Settled]) -> int:
            listed.extend(settled)
            return len(settled)

        batch = self.batch_type(
            self.plan,
            progress,
            bounds=Bounds(pages=self.random.randint(1, 4)),
            clock=lambda: NOW,
            random=lambda: 0.0,
            write=write,
        )
        return Attempt(batch, progress.batch, listed)

    def _commit(self, attempt: Attempt) -> None:
        reached = attempt.batch.progress
        if attempt.number not in self.committed:
            document = to_json(replace(reached, batch=attempt.number + 1), self.plan)
            self.committed[attempt.number] = ItemProgress.from_json(
                json.loads(json.dumps(document)), self.plan, RetrofitCounts
            )
            self.listed += attempt.listed

    def _reached(self) -> ItemProgress[RetrofitCounts]:
        return self.committed[max(self.committed)] if self.committed else ItemProgress(0, RetrofitCounts())

    def _bury(self, attempt: Attempt) -> None:
        self.zombies += [request for request in attempt.in_hand if isinstance(request, WriteItem)]

    def _zombie(self) -> None:
        request = self.zombies.pop(self.random.randrange(len(self.zombies)))
        self.faults.zombie_writes += 1
        self._answer(request)

    def _do(self, attempt: Attempt, request: Request) -> None:
        if self.random.random() < 0.1:  # the answer is lost, or the request never arrived
            self.faults.lost_answers += 1
            if self.random.random() < 0.7:
                self._answer(request)
            attempt.batch.fail(request, self.random.choice([Fault.PASSING, Fault.CAPACITY, Fault.KEY_RANGE]))
            return
        attempt.batch.give(request, self._answer(request))

    def _answer(self, request: Request):  # type: ignore[no-untyped-def]  # whatever answers it
        if not isinstance(request, WriteItem):
            return self.table.answer(request)
        return self._updated(request.item.key, request)

    def _updated(self, key: Item, request: WriteItem[Update]):  # type: ignore[no-untyped-def]
        before = dict(self.table.items.get(key["id"]["S"], {}))
        updates = self.table.updates
        answer = self.table.answer(request)
        if self.table.updates == updates:
            self.faults.conflicts += 1
            return answer
        after = self.table.items[key["id"]["S"]]
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        assert changed <= set(self.assignments.names), "an update touched what it does not own"
        assert self.assignments.judge(after) is None, "an update wrote what the item's sources do not make"
        self._happened(key["id"]["S"], before)
        return answer

    def _happened(self, id_: str, before: Item | None) -> None:
        if self.keeper:
            self.events.append((id_, before))

    def _keep(self) -> None:
        """Deliver an event, in any order and sometimes twice, or do a step of a keeper that has one."""
        assert self.keeper
        if self.events and (not self.keepers or self.random.random() < 0.5):
            id_, before = self.random.choice(self.events)
            if self.random.random() < 0.8:
                self.events.remove((id_, before))
            else:
                self.faults.repeated_events += 1
            self.keepers.append(self.keeper(self.assignments, {"id": text(id_)}, before))
            return
        settling = self.random.choice(self.keepers)
        match settling.step:
            case None:
                self.keepers.remove(settling)
                if settling.outcome is RetrofitOutcome.CONTENDED:  # the stream delivers it again
                    self.events.append((settling.key["id"]["S"], None))
            case Look():
                request = LookAtItem(None, settling, Look.LOOK, 1.0)  # type: ignore[arg-type]  # a keeper has no walk
                settling.found(self.table.answer(request).item)  # type: ignore[union-attr]
            case Update() as change:
                updates = self.table.updates
                answer = self._updated(settling.key, WriteItem(None, settling, change, 1.0))  # type: ignore[arg-type]
                if self.random.random() < 0.1:
                    settling.lost()
                elif self.table.updates > updates:
                    settling.written()
                else:
                    settling.conflicted(answer.item)

    def _new(self, id_: str) -> Item:
        made = item(id_, note=str(self.random.random()))
        for name in "ab":
            if self.random.random() < 0.9:
                made = {
                    **made,
                    name: text(self.random.choice(CONTENTS[:2] if self.random.random() < 0.9 else CONTENTS)),
                }
        if self.random.random() < 0.3:
            made = {**made, "made": text(self.random.choice(["x-y", "junk"]))}
        return made

    def _write_something(self) -> None:
        """What the table's own application does meanwhile."""
        id_ = self.random.choice(self.ids)
        self.touched.add(id_)
        self.faults.writer_writes += 1
        before = self.table.items.get(id_)
        before = None if before is None else dict(before)
        existing = self.table.items.get(id_)
        chance = self.random.random()
        if existing is None or chance < 0.2:
            self.table.items[id_] = dict(self._new(id_))
        elif chance < 0.3:
            del self.table.items[id_]
        elif chance < 0.4:
            existing["made"] = text("theirs")
        elif chance < 0.5:
            existing.pop(self.random.choice(["a", "b", "made"]), None)
        elif chance < 0.6:
            existing["note"] = text(str(self.random.random()))
        else:
            existing[self.random.choice("ab")] = text(self.random.choice(CONTENTS))
        self._happened(id_, before)
