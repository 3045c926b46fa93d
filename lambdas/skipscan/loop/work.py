"""One execution of a state machine: its kind, its name, its table and its plan; and the seal of its workers' states.

Plans, states, checkpoints and manifests carry a format number, which is checked before anything else is read. Work that
another version started is refused in words. A manifest and its parts stay readable: after an upgrade, last night's run
can be compared. Golden files in the tests pin each format.

The states that finish prove what is stored on S3. They cannot see that a state was changed between two turns: a segment
marked as walked, a cursor of another worker or run would give wrong keys with counts that agree. So every state has a
seal: a digest of the state, its run or job, and its plan. The seal prevents mistakes, not forgery: anybody who can
invoke a worker with a state can also read and write the tables.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from skipscan import form
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableIdentity
from skipscan.errors import MALFORMED, OMITTED, StateError, give
from skipscan.loop.layout import WORKER
from skipscan.pace.limits import Limits

FORM = 8
"""Of plans, states and checkpoints. Only the version that wrote them reads them."""

MANIFEST_FORM = 8
"""Of manifests."""

MANIFEST_FORMS = range(8, MANIFEST_FORM + 1)
"""Of manifests that this version reads. A contract with the reader of results: the range begins here for good."""

FIELD = "form"


def stamped(document: Mapping[str, Any], number: int = FORM) -> dict[str, Any]:
    """Return a document with its format number in front."""
    return {FIELD: number, **document}


def is_readable(manifest: Mapping[str, Any]) -> bool:
    """Return whether this version can read the manifest."""
    return manifest.get(FIELD) in MANIFEST_FORMS


def form_of(document: Mapping[str, Any]) -> int | None:
    """Return a document's format number; `None` if it has none."""
    number = document.get(FIELD)
    return number if isinstance(number, int) else None


ANEW = "finish the work with the version that started it, or start it again"


def check_form(document: Mapping[str, Any], what: str, forms: Collection[int] = (FORM,)) -> None:
    """Raise `StateError` unless this version can read the document. `what`: its name in messages."""
    if document.get(FIELD) not in forms:
        number = form_of(document) or "unknown"
        raise StateError(
            what, OMITTED, f"has form {number}, and this version of Skipscan reads form {max(forms)}", ANEW
        )


@contextmanager
def reading(document: Mapping[str, Any], what: str) -> Iterator[None]:
    """Raise `StateError` for a document that another version wrote, or that somebody changed. `what`: see above."""
    check_form(document, what)
    try:
        yield
    except MALFORMED as error:
        why = error if isinstance(error, form.FormError) else "it is not whole"
        raise StateError(what, OMITTED, f"cannot be read by this version of Skipscan: {why}", ANEW) from None


class Planned(Protocol):
    """A plan of any kind.

    `table`: the table's name or ARN. `identity`: which table that is. `bounds`: the budgets by their names in the
    input, `None` for none. `stated`: what the manifest says of the plan.
    """

    @property
    def table(self) -> str: ...
    @property
    def identity(self) -> TableIdentity: ...
    @property
    def tables(self) -> Mapping[str, TableIdentity]:
        """Return the tables that must not be created again before the manifest, by name or ARN."""

    @property
    def workers(self) -> int: ...
    @property
    def prices(self) -> Prices: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def bounds(self) -> Mapping[str, float | None]: ...
    @property
    def stated(self) -> Mapping[str, Any]: ...


P_co = TypeVar("P_co", bound=Planned, covariant=True)


@dataclass(frozen=True)
class ExecutionId:
    """An execution's identity. `name`, `arn`: of the execution. `started`: ISO 8601.

    A name may recur after 90 days, so two executions are the same only if all three fields are.
    """

    name: str
    arn: str = field(metadata={form.AS: "execution"})
    started: str


@dataclass(frozen=True)
class Work(Generic[P_co]):
    """A plan and the execution that carries it out. `label`: the name of its kind: run, act, copy, retrofit.

    `folders`: what the names of the workers' folders begin with.
    """

    label: str
    execution: ExecutionId
    plan: P_co
    folders: str = WORKER

    @property
    def name(self) -> str:
        return self.execution.name

    @property
    def started(self) -> str:
        return self.execution.started

    def to_json(self) -> dict[str, Any]:
        """Return the state's copy of the work, which plan.json begins with."""
        return stamped({**form.write(self.execution), "folders": self.folders, "plan": form.write(self.plan)})


def execution_of(document: Mapping[str, Any]) -> ExecutionId:
    """Return the execution of a piece of work, of a manifest or of a state machine's event."""
    return form.read(
        ExecutionId, {name: document[name] for name in ("name", "execution", "started") if name in document}
    )


RESUMED_ANEW = (
    "max_read_units_per_second",
    "max_units_per_second",
    "max_write_units_per_second",
    "max_read_units",
    "max_write_units",
    "max_dollars",
    "prices",
)
"""The fields of a plan that may change when a run or job is resumed, here or in the plan of reading within it."""


def sealed(state: Mapping[str, Any], work: Work[Any]) -> dict[str, Any]:
    """Return a worker's state with its seal, as JSON."""
    return {**state, "seal": _seal(state, work)}


def check_seal(state: Mapping[str, Any], work: Work[Any], worker: int) -> None:
    """Raise `StateError` unless a turn of this worker returned the state, in this run or job."""
    bare = {name: value for name, value in state.items() if name != "seal"}
    if state.get("seal") != _seal(bare, work) or state.get("worker") != worker:
        raise StateError(
            f"worker {worker}",
            OMITTED,
            f"received a state that none of its turns in this {work.label} returned",
            f"continue from the files on S3 with {give('resume', work.name)}",
        )


def _seal(state: Mapping[str, Any], work: Work[Any]) -> str:
    plan = _fixed(form.write(work.plan))
    # Normalize numbers, because another JSON writer may write 1.0 as 1.
    plain = json.loads(json.dumps([*astuple(work.execution), plan, state]), parse_float=_figure)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]


def _fixed(plan: Mapping[str, Any]) -> dict[str, Any]:
    fixed = {name: value for name, value in plan.items() if name not in RESUMED_ANEW}
    return fixed | {"reading": _fixed(plan["reading"])} if "reading" in plan else fixed


def _figure(digits: str) -> int | str:
    value = float(digits)
    return int(value) if value.is_integer() else f"{value:.9g}"
