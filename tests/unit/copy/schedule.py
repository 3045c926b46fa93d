"""Copies under a random schedule: writers, replicators, late looks, crashes, zombies, lost answers, all at once.

Everything that takes time is a request in somebody's hands; the schedule picks which one is done next. So any two
requests may overtake each other, as on a network, within the time that a request can live.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from skipscan.copy.batch import CopyBatch, Request
from skipscan.copy.counts import CopyCounts
from skipscan.copy.late_look import DELAY_SECONDS, PUT_SECONDS, bodies, keys_of
from skipscan.copy.reconciling import DeleteTarget, Ending, LookAt, Promise, PutTarget, Reconciling
from skipscan.dynamodb.source import Item
from skipscan.items.progress import ItemProgress
from skipscan.items.request import WriteItem
from skipscan.items.walk import Settled
from skipscan.loop.progress import to_json
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Bounds, Pause
from tests.unit.copy.pair import Items, Pair, copy_plan
from tests.unit.retrofit.small_table import item, text

REQUEST_SECONDS = 300.0  # AWS takes no request that was signed longer ago
AGAIN_SECONDS = 60.0
PAUSES = [10.0, 70.0, 150.0]

ACTIONS = ("_write_something", "_advance", "_deliver_events", "_reconcile", "_zombie", "_deliver_message", "_pause")


@dataclass
class Faults:
    """How often what happened, so that a test can say that it did."""

    crashes: int = 0
    zombie_writes: int = 0
    late_zombies: int = 0
    lost_answers: int = 0
    conflicts: int = 0
    handed_over: int = 0
    writer_writes: int = 0
    deletes: int = 0
    repeated_events: int = 0
    dead_replicators: int = 0
    late_looks: int = 0
    late_writes: int = 0
    batches: int = 0


@dataclass
class Attempt:
    """One invocation of the worker's function. `in_hand`: requests under way, with the time they were sent."""

    batch: CopyBatch
    number: int
    listed: list[Settled]
    in_hand: list[tuple[Request, float]] = field(default_factory=list)


@dataclass
class Invocation:
    """One invocation of the replicator. `back`: what brings its events or message again if it dies or fails."""

    keys: list[Reconciling]
    back: Callable[[], None]
    in_hand: list[tuple[Reconciling, PutTarget | DeleteTarget, float]] = field(default_factory=list)
    is_late: bool = False


@dataclass
class Zombie:
    """A write whose sender is dead. It arrives before `until`, or never."""

    arrive: Callable[[], object]
    until: float


class Schedule:
    """One worker's copy of a table while writers change it and replicators follow.

    `copies`: whether there is a copy. `dies`: whether invocations die. `deletes`: whether writers delete items.
    `delay_seconds`: of a late look, `None` for one that never comes. `promises_first`: a late look at every event.
    """

    def __init__(
        self,
        seed: int,
        *,
        copies: bool = True,
        dies: bool = True,
        deletes: bool = True,
        pair_type: type[Pair] = Pair,
        reconciling_type: type[Reconciling] = Reconciling,
        delay_seconds: float | None = DELAY_SECONDS,
        promises_first: bool = True,
    ) -> None:
        self.random = Random(seed)
        self.copies, self.dies, self.deletes = copies, dies, deletes
        self.reconciling_type = reconciling_type
        self.delay_seconds = delay_seconds
        self.promises_first = promises_first
        self.faults = Faults()
        self.plan = copy_plan(self.random.choice([1, 2, 4]), verify=self.random.random() < 0.3)
        ids = [f"i{number}" for number in range(self.random.randint(1, 4))]
        source = {id_: self._new(id_) for id_ in ids}
        junk = {id_: item(id_, note="junk") for id_ in ids if copies and dies and self.random.random() < 0.1}
        target = junk if copies else {id_: self.plan.transform.of(entry).item for id_, entry in source.items()}
        page_items = self.random.randint(1, 4)
        returns_item = self.random.random() < 0.5
        self.pair = pair_type(
            source, target, page_items=page_items, segments=self.plan.reading.segments, returns_item=returns_item
        )
        self.ids = [*ids, "new"]
        self.now = 0.0
        self.writes_left = self.random.randint(0, 30)
        self.pauses_left = self.random.randint(0, 20) if dies else 0
        self.weights: dict[str, float] = {name: self.random.choice([1.0, 5.0, 25.0]) for name in ACTIONS} | {
            "_wait": 1.0
        }
        self.weights["_zombie"] = self.random.choice([0.05, 1.0, 25.0])  # most arrive as late as they can
        self.attempts: list[Attempt] = []
        self.deaths = self.random.choice([0.01, 0.03, 0.1])
        self.events: list[Item] = []
        self.queue: list[tuple[float, str]] = []
        self.invocations: list[Invocation] = []
        self.zombies: list[Zombie] = []
        self.committed: dict[int, ItemProgress[CopyCounts]] = {}
        self.listed: list[Settled] = []

    @property
    def wanted(self) -> Items:
        return {id_: self.plan.transform.of(entry).item for id_, entry in self.pair.source.items()}

    def run(self, *, late: bool = True) -> CopyCounts:
        """Bring the worker to its end and every event to its replicator; `late`: and every message of the queue."""
        self.attempts = [self._attempt(ItemProgress(0, CopyCounts()))] if self.copies else []
        while actions := self._actions(late=late):
            weights = [self.weights[action.__name__] for action in actions]
            self.random.choices(actions, weights)[0]()
        return self.committed[max(self.committed)].counts if self.committed else CopyCounts()

    def _actions(self, *, late: bool) -> list[Callable[[], None]]:
        """Return what can happen next; nothing once all is done."""
        possible: list[tuple[Callable[[], None], object]] = [
            (self._write_something, self.writes_left),
            (self._advance, self.attempts),
            (self._deliver_events, self.events),
            (self._reconcile, self.invocations),
            (self._zombie, self.zombies),
            (self._deliver_message, late and any(at <= self.now for at, _ in self.queue)),
        ]
        actions = [action for action, is_possible in possible if is_possible]
        if actions and self.pauses_left:
            return [*actions, self._pause]
        return actions or ([self._wait] if late and self.queue else [])

    def _pause(self) -> None:
        """Let time pass while requests are under way."""
        self.pauses_left -= 1
        self._pass_time(self.random.choice(PAUSES))

    def _wait(self) -> None:
        self._pass_time(min(at for at, _ in self.queue) - self.now)

    def _pass_time(self, seconds: float) -> None:
        """Let time pass; what could not arrive later than that arrives first, or is lost."""
        self.now += seconds
        for zombie in list(self.zombies):
            if zombie.until <= self.now:
                self._resolve(zombie)

    def _zombie(self) -> None:
        self._resolve(self.random.choice(self.zombies))

    def _resolve(self, zombie: Zombie) -> None:
        self.zombies.remove(zombie)
        if self.random.random() < 0.8:
            self.faults.zombie_writes += 1
            self.faults.late_zombies += self.now >= zombie.until
            zombie.arrive()

    # The copy's worker.

    def _advance(self) -> None:
        attempt = self.random.choice(self.attempts)
        chance = self.random.random()
        too_old = any(self.now - sent >= REQUEST_SECONDS for _, sent in attempt.in_hand)
        if self.dies and (
            too_old or chance < self.deaths
        ):  # the function dies, and is tried again from what is committed
            self.faults.crashes += 1
            for request, sent in attempt.in_hand:
                if isinstance(request, WriteItem):
                    self._bury(lambda put=request: self.pair.answer(put), sent)  # type: ignore[misc]
            self._replace(attempt)
        elif self.dies and chance > 0.98 and len(self.attempts) < 2:  # a duplicate of the invocation
            self.attempts.append(self._attempt(self._reached()))
        else:
            self._advance_one(attempt)

    def _advance_one(self, attempt: Attempt) -> None:
        step = attempt.batch.take() if len(attempt.in_hand) < self.random.randint(1, 5) else None
        if step is not None and not isinstance(step, Pause):
            attempt.in_hand.append((step, self.now))
        elif attempt.in_hand:
            request, _ = attempt.in_hand.pop(self.random.randrange(len(attempt.in_hand)))
            self._do(attempt, request)
        elif isinstance(step, Pause):
            self._pass_time(5 * step.seconds)
        else:
            self._commit(attempt)
            self._replace(attempt)

    def _replace(self, attempt: Attempt) -> None:
        """Begin the next attempt, or the same one anew, if no other is going."""
        self.attempts.remove(attempt)
        if not self.attempts and not self._reached().done(self.plan):
            self.attempts.append(self._attempt(self._reached()))

    def _attempt(self, progress: ItemProgress[CopyCounts]) -> Attempt:
        self.faults.batches += 1
        listed: list[Settled] = []

        def write(settled: Sequence[Settled]) -> int:
            listed.extend(settled)
            return len(settled)

        batch = CopyBatch(
            self.plan,
            progress,
            bounds=Bounds(seconds=PUT_SECONDS, pages=self.random.randint(1, 4)),
            clock=lambda: self.now,
            random=lambda: 0.0,
            write=write,
        )
        return Attempt(batch, progress.batch, listed)

    def _commit(self, attempt: Attempt) -> None:
        if attempt.number not in self.committed:
            document = to_json(replace(attempt.batch.progress, batch=attempt.number + 1), self.plan)
            self.committed[attempt.number] = ItemProgress.from_json(
                json.loads(json.dumps(document)), self.plan, CopyCounts
            )
            self.listed += attempt.listed

    def _reached(self) -> ItemProgress[CopyCounts]:
        return self.committed[max(self.committed)] if self.committed else ItemProgress(0, CopyCounts())

    def _do(self, attempt: Attempt, request: Request) -> None:
        if self.random.random() < 0.1:  # the answer is lost, or the request never arrived
            self.faults.lost_answers += 1
            if self.random.random() < 0.7:
                self._answer(request)
            attempt.batch.fail(request, self.random.choice([Fault.PASSING, Fault.CAPACITY, Fault.KEY_RANGE]))
            return
        conflicts = attempt.batch.counts.conflicts
        attempt.batch.give(request, self._answer(request))
        self.faults.conflicts += attempt.batch.counts.conflicts - conflicts

    def _answer(self, request: Request):  # type: ignore[no-untyped-def]  # whatever answers it
        answer = self.pair.answer(request)
        for body in self.pair.handed:
            self.faults.handed_over += 1
            self.queue.append((self.now, body))
        self.pair.handed.clear()
        return answer

    def _bury(self, arrive: Callable[[], object], sent: float) -> None:
        self.zombies.append(Zombie(arrive, sent + REQUEST_SECONDS))

    # The replicators.

    def _deliver_events(self) -> None:
        """Bring some events to a replicator, in any order and sometimes twice."""
        chosen = self.random.sample(self.events, self.random.randint(1, len(self.events)))
        for key in chosen:
            if self.random.random() < 0.8:
                self.events.remove(key)
            else:
                self.faults.repeated_events += 1
        keys = list({key["id"]["S"]: key for key in chosen}.values())
        if self.promises_first:
            self._promise(keys)
        self._invoke(keys, promised=self.promises_first, back=lambda: self.events.extend(keys))

    def _deliver_message(self) -> None:
        message = self.random.choice([message for message in self.queue if message[0] <= self.now])
        self.queue.remove(message)
        self.faults.late_looks += 1
        body = message[1]
        self._invoke(
            keys_of(body, ["id"]),
            promised=False,
            back=lambda: self.queue.append((self.now + AGAIN_SECONDS, body)),
            is_late=True,
        )

    def _invoke(self, keys: Iterable[Item], *, promised: bool, back: Callable[[], None], is_late: bool = False) -> None:
        begun = [self.reconciling_type(self.plan.transform, key, promised=promised) for key in keys]
        self.invocations.append(Invocation(begun, back, is_late=is_late))

    def _promise(self, keys: Iterable[Item]) -> None:
        if self.delay_seconds is not None:
            self.queue += [(self.now + self.delay_seconds, body) for body in bodies(keys)]

    def _reconcile(self) -> None:
        invocation = self.random.choice(self.invocations)
        too_old = any(self.now - sent >= REQUEST_SECONDS for _, _, sent in invocation.in_hand)
        if self.dies and (too_old or self.random.random() < 0.03):
            self.faults.dead_replicators += 1
            for one, step, sent in invocation.in_hand:
                self._bury(lambda key=one.key, write=step: self.pair.write(key, write), sent)  # type: ignore[misc]
            self.invocations.remove(invocation)
            invocation.back()
            return
        writing = [one for one, _, _ in invocation.in_hand]
        going = [one for one in invocation.keys if one.step is not None and one not in writing]
        if invocation.in_hand and (not going or self.random.random() < 0.4):
            one, step, _ = invocation.in_hand.pop(self.random.randrange(len(invocation.in_hand)))
            self.pair.write(one.key, step)
            self.faults.late_writes += invocation.is_late
            one.written()
        elif going:
            self._step(invocation, self.random.choice(going))
        else:
            self.invocations.remove(invocation)
            if any(one.ending is Ending.CONTENDED for one in invocation.keys):
                invocation.back()

    def _step(self, invocation: Invocation, one: Reconciling) -> None:
        match one.step:
            case LookAt(side=side):
                one.found(self.pair.look(side, one.key))
            case Promise():
                self._promise([one.key])
                one.promise_kept()
            case PutTarget() | DeleteTarget() as write:
                invocation.in_hand.append((one, write, self.now))

    # The application that the table belongs to.

    def _new(self, id_: str) -> Item:
        made = item(id_, note=str(self.random.randint(0, 3)))
        for name in "ab":
            if self.random.random() < 0.9:
                made = {**made, name: text(self.random.choice("xy"))}
        return made

    def _write_something(self) -> None:
        id_ = self.random.choice(self.ids)
        self.faults.writer_writes += 1
        self.writes_left -= 1
        if id_ in self.pair.source and self.deletes and self.random.random() < 0.5:
            self.faults.deletes += 1
            del self.pair.source[id_]
        else:
            self.pair.source[id_] = self._new(id_)
        self.events.append({"id": text(id_)})
