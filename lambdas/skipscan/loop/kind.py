"""The declaration of a kind of work, and how far one of its workers has come.

The kernel does everything else in the same way for all kinds. A worker's progress is the state between two turns, and
the content of a checkpoint.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Any, Generic, TypeVar

from skipscan import form
from skipscan.inputs.fields import Fields
from skipscan.loop.layout import JSON_LINES, Layout
from skipscan.loop.storage import Part
from skipscan.loop.work import FIELD, ExecutionId, Planned, Work, execution_of, reading, stamped
from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts
from skipscan.pace.progress import Position, Progress

STATE_BYTES = 128 * 1024
"""The longest state of a worker. Step Functions allows 256 KiB for the whole input of a state."""

IN_CHECKPOINT = "in_checkpoint"
"""The field of a state whose cursors are in the checkpoint of the last batch."""


PAID_OFF = "paid_off"
"""The field of a last state that says when the worker's debts are paid off, as a state machine writes times."""

ALL_KINDS = (FIELD, "worker", "batch", "counts", "spending", "done", "report")
"""The fields of a state that work of every kind has: all but a worker's place."""

BESIDE = frozenset((*ALL_KINDS, PAID_OFF, "seal", "attempt", "profile"))
"""The fields of a state or a checkpoint beside the worker's place."""


AnyProgress = Progress[Any, Any]


def worker_state(progress: AnyProgress, plan: Any) -> dict[str, Any]:
    """Return the state. If it would be too long, the next turn continues from the checkpoint of the last batch.

    A worker that is done holds its place until its debts are paid off, if another one may be waiting for the place.
    """
    document = progress_to_json(progress, plan)
    if document["done"] and plan.limits.at_once < plan.workers:
        document[PAID_OFF] = datetime.fromtimestamp(ceil(progress.spending.paid_off), UTC).isoformat()[:19] + "Z"
    if len(json.dumps(document)) <= STATE_BYTES:
        return document
    return {name: document[name] for name in (*ALL_KINDS, PAID_OFF) if name in document} | {IN_CHECKPOINT: True}


def progress_to_json(progress: AnyProgress, plan: Any) -> dict[str, Any]:
    """Return the content of a checkpoint. A worker that is done adds its report, the only part that Finish receives."""
    document = stamped(
        {
            "worker": progress.worker,
            "batch": progress.batch,
            **form.write(progress.position, plan),
            "counts": form.write(progress.counts),
            "spending": form.write(progress.spending),
            "done": progress.done(plan),
        }
    )
    return {**document, "report": worker_report(progress)} if document["done"] else document


def worker_report(progress: AnyProgress) -> dict[str, Any]:
    """Return a worker's report. It travels through the state, and Finish compares it with the stored results."""
    return {"worker": progress.worker, "parts": progress.batch, **vars(progress.counts)}


P = TypeVar("P", bound=Planned)

FAILED, IN_FAILED = "failed", "what was not done, or is not right, and why"
"""The folder of the parts of work that writes, and what its lines say."""


@dataclass(frozen=True)
class Kind(Generic[P]):
    """One kind of work: what it is called, its forms, and what it decides, as methods.

    `label`: what one execution is called.
    `folder`: of the results.
    `comment`: what the state machine does.
    `example`: of an execution input.
    `turn_state`, `question`: the names of the state that turns, and of the choice that ends the loop.
    `unit`: what a worker has a share of.
    `fields`: of an execution input. `parse`: returns the checked input, and raises `InputError` for an invalid one.
    `plan_form`, `position_form`, `counts_form`: the classes of the plan and of a worker's progress.
    `named`: the fields of the manifest that the execution's output repeats, besides the counts.
    `default_count`: the count that people follow.
    `lists_keys`: whether it lists a table's keys, and is no job.
    """

    label: str
    folder: str
    comment: str
    example: Mapping[str, Any]
    turn_state: str
    question: str
    unit: str
    fields: Fields
    parse: Callable[[object], Any]
    plan_form: type[P]
    position_form: type[Position]
    counts_form: type[Counts]
    named: Sequence[str]
    default_count: str = "keys"
    lists_keys: bool = False

    def part(self, plan: P) -> Part:
        """Return a part without lines."""
        raise NotImplementedError

    def suffix(self, plan: P) -> str:
        """Return how the name of a part ends."""
        return JSON_LINES

    def units(self, plan: P) -> int:
        """Return how many units all workers share."""
        raise NotImplementedError

    def start(self, plan: P, worker: int) -> AnyProgress:
        """Return the progress of a worker before its first batch."""
        return Progress(worker, self.position_form(), self.counts_form())

    def required_count(self, plan: P) -> int | None:
        """Return how much the counts must come to where nothing is left; `None` if only the walk itself can tell."""
        return None

    def expected(self, document: Mapping[str, Any]) -> float | None:
        """Return what that count should come to, by plan.json; `None` if the plan does not know."""
        return None

    def stated(self, plan: P, reached: Sequence[AnyProgress]) -> Mapping[str, Any]:
        """Return what else the manifest says."""
        return {}

    def proved(self, manifest: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what people see of the manifest besides the counts, by what it is about."""
        return {}

    def requested(self, plan: P) -> Iterable[tuple[str, str]]:
        """Return what the input requests, under headings and without key values."""
        return ()

    def how(self, plan: P) -> Iterable[tuple[str, str]]:
        """Return the ways that lead to it, under headings."""
        return ()

    @property
    def machine(self) -> str:
        """What the state machine's name ends with, and the file of the handlers."""
        return "listing" if self.lists_keys else self.label

    @property
    def lines(self) -> str:
        """The folder of the parts."""
        return "keys" if self.lists_keys else FAILED

    @property
    def states(self) -> dict[str, str]:
        """The names of the states with a function, by what they do."""
        plan, finish, report = (
            name if self.lists_keys else f"{name} {self.label}" for name in ("Plan", "Finish", "Report")
        )
        return {"plan": plan, "turn": self.turn_state, "finish": finish, "report": report}

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
        return self.default_count

    def headline_labels(self, plan: P) -> str:
        """Return what that count counts, for people: keys, groups, items, compared items."""
        followed = self.followed(plan)
        return followed if followed == self.default_count else f"{followed} {self.default_count}"

    def in_failed(self, counts: Counts) -> int:
        """Return how many lines `FAILED` has; a run has none."""
        return 0 if self.lists_keys else counts.lines

    def new_work(self, execution: ExecutionId, plan: P) -> Work[P]:
        return Work(self.label, execution, plan)

    def work(self, document: Mapping[str, Any]) -> Work[P]:
        """Return the work in plan.json or in a state; raise `StateError` if another version wrote it."""
        with reading(document, f"the plan of {self.label} {document.get('name')}"):
            plan, folders = form.member(self.plan_form, document, "plan"), form.member(str, document, "folders")
            return Work(self.label, execution_of(document), plan, folders)

    def progress(self, document: Mapping[str, Any], plan: P) -> AnyProgress:
        """Return the progress in a checkpoint or in a state; raise `StateError` if another version wrote it."""
        with reading(document, "the state of a worker"):
            position = {name: value for name, value in document.items() if name not in BESIDE}
            return Progress(
                worker=form.member(int, document, "worker"),
                position=form.read(self.position_form, position, plan),
                counts=form.member(self.counts_form, document, "counts"),
                batch=form.member(int, document, "batch"),
                spending=form.member(Spending, document, "spending"),
            )

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
