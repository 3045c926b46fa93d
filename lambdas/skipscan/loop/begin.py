"""The beginning of work: planned once under its execution's name, or resumed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, SkipscanError, give, leave_out
from skipscan.inputs.fields import CENT
from skipscan.inputs.names import quoted
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.event import start_of
from skipscan.loop.finish import refused
from skipscan.loop.kind import Kind, P
from skipscan.loop.metric import Metric, of_plan
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId, Work


class WorkInput(Protocol):
    """The fields that every input has. `resume`: the name of the work to resume."""

    @property
    def table(self) -> str: ...
    @property
    def resume(self) -> str | None: ...
    @property
    def dry_run(self) -> bool: ...


@dataclass(frozen=True)
class Planning(Generic[P]):
    """The planning of one input for a table that was described.

    Raises a `SkipscanError` for work that must not start.
    """

    work_input: WorkInput
    description: TableDescription

    def resumed(self, fixed: P) -> P:
        """Return the plan for resumed work: the fixed plan with the rates and budgets of this input."""
        raise NotImplementedError

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[P, Mapping[str, Any]]:
        """Return the plan, and the other fields of plan.json: the explanation, if there is one.

        `attempt`: counts what a sample reads, where the budgets are to pay for it.
        """
        raise NotImplementedError

    def explanation(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a dry run shows of plan.json."""
        explanation: Mapping[str, Any] = document["explanation"]
        return explanation


def begin(
    kind: Kind[P],
    event: Mapping[str, Any],
    open_planning: Callable[[object], Planning[P]],
    open_results: Callable[[str, str], Results],
    dependencies: Dependencies,
) -> dict[str, Any]:
    """Return the work and its workers, or the explanation of a dry run, or the error and cause of a refusal.

    That is the input of the Map and of the state that finishes, with the most that each budget may be exceeded by.
    Resumed work keeps its workers. So the budget of this input has its own overrun, and where the workers do not keep a
    lower rate together, only some of them run at the same time.
    """
    name: dict[str, str] = {}
    try:
        document, execution = start_of(event, kind.states["plan"])
        name[kind.label] = execution.name
        dependencies.log.append_keys(**name)
        work, explanation = start_work(
            kind, document, execution, open_planning, open_results, dependencies=dependencies
        )
    except SkipscanError as error:
        # The end of a range or a constant of an item may be a key. Who may read the execution sees it there.
        cause = "the execution shows it" if str(error).startswith(TYPED_VALUES) else str(error)
        dependencies.log.warning("plan refused", error=type(error).__name__, cause=cause)
        dependencies.emit({Metric.PLANS_REFUSED: 1}, **name)
        return refused(kind, error)
    if explanation is not None:
        return {"explanation": explanation}
    stored = work.to_json()
    overrun = work.plan.limits.overrun
    workers = list(range(work.plan.workers))
    dependencies.log.append_keys(**{work.label: work.name})
    dependencies.log.info("plan", plan=_logged(stored["plan"]), overrun=overrun)
    return {"work": stored, "workers": workers, "workers_at_once": work.plan.limits.at_once, "overrun": overrun}


def within_ceiling(document: object, max_dollars: float | None) -> object:
    """Return an input whose budget is at most `max_dollars`: that is its budget if it has none.

    Raises `InputError` for a higher budget. `max_dollars`: of the environment; `None` for no ceiling.
    """
    if max_dollars is None or not isinstance(document, Mapping):
        return document
    given = document.get("max_dollars")
    if given is None:
        # A profile without a budget has one of its own: a higher ceiling is no reason to read more.
        is_small = max_dollars >= CENT and document.get("max_read_units") is None
        return document if document.get("profile") and is_small else {**document, "max_dollars": max_dollars}
    if isinstance(given, int | float) and given > max_dollars:
        rule = f"the most that work in this environment may cost is {max_dollars:g} dollars"
        way = f"lower it, {leave_out('max_dollars')} for this most, or raise limits.max_dollars in cdk.json"
        raise InputError("max_dollars", given, rule, way)
    return document


def start_work(
    kind: Kind[P],
    requested: object,
    execution: ExecutionId,
    open_planning: Callable[[object], Planning[P]],
    open_results: Callable[[str, str], Results],
    *,
    dependencies: Dependencies,
) -> tuple[Work[P], Mapping[str, Any] | None]:
    """Return planned or resumed work; raise a `SkipscanError` for work that must not start.

    With the explanation of a dry run, which ends here. `requested`: the execution input. `open_planning`: checks an
    input and describes its table. `open_results`: of a table's work by its name.
    """
    planning = open_planning(requested)
    work_input = planning.work_input
    results = open_results(work_input.table, work_input.resume or execution.name)
    if work_input.resume:
        fixed = kind.work(resumable(kind.label, work_input, results))
        what = f"resume is {quoted(work_input.resume)}; that {kind.label}"
        fixed.plan.identity.check(planning.description.identity, what)
        continued = replace(fixed, plan=planning.resumed(fixed.plan))
        results.add_resume(execution.arn)
        return continued, None
    document = results.plan()
    # A retry must not plan again: workers may already use the stored plan, and its sample is paid for.
    if document is None:
        with PlanAttempt(results, dependencies.attempt_name()) as attempt:
            plan, extra = planning.planned(execution, attempt)
            first = kind.new_work(execution, plan).to_json()
            content = {**first, "dry_run": work_input.dry_run, "overrun": plan.limits.overrun, **extra}
            document = results.put_plan(content)
        if document is content:
            dependencies.emit(of_plan(document), table=results.layout.table, **{kind.label: execution.name})
    work = kind.work(document)
    check_same(work, execution)
    return work, planning.explanation(document) if work_input.dry_run else None


TYPED_VALUES = (
    *("between", "since", "until", "prefix"),
    *("put_item", "delete_item", "invoke", "send", "set", "remove", "separator", "the template"),
)
"""How the cause of a refusal begins that may hold such a value."""

HOLD_VALUES = {"action", "separator", "sort_range", "templates"}
"""The fields of plans that hold what a person typed: the ends of a range, an item, the constants of a template."""


def _logged(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan without the fields that may hold values of items, because values are never in a log."""
    return {
        name: _logged(value) if isinstance(value, Mapping) else value
        for name, value in plan.items()
        if name not in HOLD_VALUES
    }


def check_same(fixed: Work[P], execution: ExecutionId) -> None:
    """Raise `InputError` unless the stored work of this name was started by the same execution."""
    if fixed.execution != execution:
        raise InputError(
            "the execution's name",
            execution.name,
            f"an earlier {fixed.label} has this name, and its results are on S3",
            f"start the execution with another name, or continue that {fixed.label} with "
            f"{give('resume', execution.name)}",
        )


def resumable(label: str, work_input: WorkInput, results: Results) -> Mapping[str, Any]:
    """Return plan.json of the work to resume.

    Any work with a plan and without a manifest can be resumed: its budget ended, a person stopped it, or a step failed
    for good. An execution that is still working on it does no harm, because every batch counts once.

    Raises `InputError` if no work has this name, it was a dry run, or it is complete.
    """
    resume, document = work_input.resume, results.plan()
    if document is None:
        raise InputError(
            "resume",
            resume,
            f'table "{work_input.table}" has no {label} with this name',
            f"use one that stopped or failed after its plan, or {leave_out('resume')} to start a new one",
        )
    if document.get("dry_run"):
        raise InputError("resume", resume, "that was a dry run", f"start a new {label} with {give('dry_run', False)}")
    if results.manifest() is not None:
        raise InputError("resume", resume, f"that {label} is complete", f"{leave_out('resume')} to start a new one")
    return document
