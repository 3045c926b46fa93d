"""The declaration of a kind of work, and how far one of its workers has come.

The kernel does everything else in the same way for all kinds. A worker's progress is the state between two turns, and
the content of a checkpoint.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Any, Generic, Protocol, TypeVar

from skipscan import form
from skipscan.inputs.fields import Fields
from skipscan.loop.layout import JSON_LINES, Layout
from skipscan.loop.work import FIELD, ExecutionId, Planned, Work, execution_of, reading, stamped
from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts

STATE_BYTES = 128 * 1024
"""The longest state of a worker. Step Functions allows 256 KiB for the whole input of a state."""

IN_CHECKPOINT = "in_checkpoint"
"""The field of a state whose cursors are in the checkpoint of the last batch."""


PAID_OFF = "paid_off"
"""The field of a last state that says when the worker's debts are paid off, as a state machine writes times."""

ALL_KINDS = (FIELD, "worker", "batch", "counts", "spending", "done", "report")
"""The fields of a state that work of every kind has: all but a worker's place."""

BESIDE = frozenset((FIELD, "done", "report", PAID_OFF, "seal", "attempt", "profile"))
"""The fields of a state or a checkpoint beside the progress."""


class Progress(Protocol):
    """A worker's place between two batches. Its size does not grow with the work done.

    `batch`: the number of the next part.
    """

    @property
    def worker(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def counts(self) -> Counts: ...

    @property
    def spending(self) -> Spending: ...
    @property
    def under_way(self) -> int:
        """How many of the worker's units have started and not ended."""

    def left(self, plan: Any) -> int:
        """Return how many of the worker's units (segments, slices, walks) have not ended."""

    def done(self, plan: Any) -> bool:
        """Return whether the loop ends for this worker: nothing is left, or its share of a budget is used up."""


def worker_state(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return the state. If it would be too long, the next turn continues from the checkpoint of the last batch.

    A worker that is done holds its place until its debts are paid off, if another one may be waiting for the place.
    """
    document = progress_to_json(progress, plan)
    if document["done"] and plan.limits.at_once < plan.workers:
        document[PAID_OFF] = datetime.fromtimestamp(ceil(progress.spending.paid_off), UTC).isoformat()[:19] + "Z"
    if len(json.dumps(document)) <= STATE_BYTES:
        return document
    return {name: document[name] for name in (*ALL_KINDS, PAID_OFF) if name in document} | {IN_CHECKPOINT: True}


def progress_to_json(progress: Progress, plan: Any) -> dict[str, Any]:
    """Return the content of a checkpoint. A worker that is done adds its report, the only part that Finish receives."""
    document = stamped({**form.write(progress, plan), "done": progress.done(plan)})
    return {**document, "report": worker_report(progress)} if document["done"] else document


def worker_report(progress: Progress) -> dict[str, Any]:
    """Return a worker's report. It travels through the state, and Finish compares it with the stored results."""
    return {"worker": progress.worker, "parts": progress.batch, **vars(progress.counts)}


P = TypeVar("P", bound=Planned)
G = TypeVar("G", bound=Progress)

FAILED, IN_FAILED = "failed", "what was not done, or is not right, and why"
"""The folder of the parts of work that writes, and what its lines say."""


@dataclass(frozen=True)
class States:
    """The names of a state machine's states. `question`: of the choice that ends the loop."""

    plan: str
    turn: str
    question: str
    finish: str
    report: str


@dataclass(frozen=True)
class Kind(Generic[P, G]):
    """One kind of work.

    `label`: what one execution is called. `machine`: what the state machine's name ends with, and the folder of the
    handlers. `folder`: of the results. `lines`: the folder of the parts. `comment`: what the machine does.
    `example`: of an execution input. `unit`: what a worker has a share of.
    `fields`: of an execution input. `parse`: checks an execution input.
    `encoder`: by plan, the function that writes one line of a part. `header`, `suffix`: by plan, what a part begins
    with, and how its name ends. `required_count`: how much the counts must come to where nothing is left, `None` where
    only the walk itself can tell. `default_count`: the count that people follow; `counted`: by plan, another one to
    follow instead; `labels`: by plan, what people call what it counts, if not by its name. `expected`: what that count
    should come to, by what plan.json holds, `None` where the plan does not know. `stated`: what else the manifest says.
    `named`: the fields of the manifest that the execution's output repeats, besides the counts. `proved`: what people
    see of the manifest besides the counts, by what it is about. `requested`: by plan, what the input requests, under
    headings and without key values; `how`: the ways that lead to it.
    `lists_keys`: whether it lists a table's keys, and is no job.
    """

    label: str
    machine: str
    folder: str
    lines: str
    comment: str
    example: Mapping[str, Any]
    states: States
    unit: str
    fields: Fields
    parse: Callable[[object], Any]
    plan_form: type[P]
    start: Callable[[P, int], G]
    progress_form: type[G]
    encoder: Callable[[P], Callable[[Any], bytes]]
    units: Callable[[P], int]
    required_count: Callable[[P], int | None] = lambda plan: None
    default_count: str = "keys"
    counted: Callable[[P], str | None] = lambda plan: None
    labels: Callable[[P], str | None] = lambda plan: None
    header: Callable[[P], bytes] = lambda plan: b""
    suffix: Callable[[P], str] = lambda plan: JSON_LINES
    expected: Callable[[Mapping[str, Any]], float | None] = lambda document: None
    stated: Callable[[P, Sequence[G]], Mapping[str, Any]] = lambda plan, reached: {}
    named: Sequence[str] = ()
    proved: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda manifest: {}
    requested: Callable[[P], Iterable[tuple[str, str]]] = lambda plan: ()
    how: Callable[[P], Iterable[tuple[str, str]]] = lambda plan: ()
    lists_keys: bool = False

    @property
    def page(self) -> str:
        """The page of the documentation about the input."""
        return "reference-input.md" if self.lists_keys else f"{self.machine}.md"

    @property
    def output(self) -> str:
        """The stack's output with the ARN of the state machine. A job has one if a table enables it."""
        return f"{'' if self.lists_keys else self.machine.capitalize()}StateMachineArn"

    def followed(self, plan: P) -> str:
        """Return the name of the count that people follow."""
        return self.counted(plan) or self.default_count

    def headline_labels(self, plan: P) -> str:
        """Return what that count counts, for people: keys, groups, items, compared items."""
        followed = self.followed(plan)
        return self.labels(plan) or (followed if followed == self.default_count else f"{followed} {self.default_count}")

    def in_failed(self, counts: Counts) -> int:
        """Return how many lines `FAILED` has; a run has none."""
        return counts.lines if self.lines == FAILED else 0

    def new_work(self, execution: ExecutionId, plan: P) -> Work[P]:
        return Work(self.label, execution, plan)

    def work(self, document: Mapping[str, Any]) -> Work[P]:
        """Return the work in plan.json or in a state; raise `StateError` if another version wrote it."""
        with reading(document, f"the plan of {self.label} {document.get('name')}"):
            plan, folders = form.member(self.plan_form, document, "plan"), form.member(str, document, "folders")
            return Work(self.label, execution_of(document), plan, folders)

    def progress(self, document: Mapping[str, Any], plan: P) -> G:
        with reading(document, "the state of a worker"):
            own = {name: value for name, value in document.items() if name not in BESIDE}
            return form.read(self.progress_form, own, plan)

    def layout(self, prefix: str, table: str, name: str, owner: str = "", root: str | None = None) -> Layout:
        """Return the object names. `table`: its bare name. Raises `InputError` for a name that is no folder's.

        `root`: of work that lies by itself, see `Layout`.
        """
        return Layout(prefix, table, self.folder, name, self.lines, owner, at=root)


@dataclass(frozen=True)
class Failure:
    """`batch`: the number of the batch. `at`: ISO 8601. `error`: the class's name. `cause`: never with a key value."""

    worker: int
    batch: int
    at: str
    error: str
    cause: str

    def __str__(self) -> str:
        return f"worker {self.worker}: {self.error}: {self.cause}"
