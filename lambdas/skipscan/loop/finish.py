"""The end of work: its proof, then its manifest, or the reason why there is none."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from skipscan import __version__, errors
from skipscan.inputs.field import without_nulls
from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import in_utc, units
from skipscan.loop.billing import bill_of, bill_to_json, consumed, services_of
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.event import Reports
from skipscan.loop.kind import AnyProgress, Kind, P
from skipscan.loop.metric import Metric, MetricValues, of_finished
from skipscan.loop.proof import StoredParts, prove
from skipscan.loop.results import Results, Rows
from skipscan.loop.work import MANIFEST_FORM, Work, stamped
from skipscan.pace.bill import Amounts
from skipscan.pace.counts import Counts

ENDED_BY = "ended_by"
"""The field of a worker's report that has the text of the `TableError` which ended it; no count has this name."""

ESTIMATED = ("keys", "items", "requests", "read_units", "write_units", "minutes", "dollars")
"""The figures that a plan's explanation may predict, for any kind of work."""


Additions = tuple[Mapping[str, Any], float]
"""What Finish itself adds to the manifest, and the read units that it consumed for that."""

NO_ADDITIONS: Additions = {}, 0.0

NO_PLAN: Mapping[str, Any] = {}
"""Of work whose plan.json is gone."""


def finish(
    kind: Kind[P],
    work: Work[P],
    reports: Reports,
    results: Results,
    dependencies: Dependencies,
    *,
    check_tables: Callable[[Work[P]], object],
    extras: Callable[[P, Amounts], Additions] = lambda plan, consumed: NO_ADDITIONS,
) -> dict[str, Any]:
    """Return the output of the execution; raise the error of incomplete work.

    `check_tables`: raises `TableError` if a table of the work was created again since the plan: complete work would be
    that of two tables, and has no manifest. `extras`: takes what complete work consumed of its budgets, and returns
    what Finish adds.
    """
    plan, lists_keys = work.plan, kind.lists_keys
    dependencies.log.append_keys(**{kind.label: work.name})

    def emit(figures: MetricValues) -> None:
        dependencies.emit(figures, table=table_name(plan.table), **{kind.label: work.name})

    @contextmanager
    def checked() -> Iterator[None]:
        try:
            yield
        except (errors.IncompleteRunError, errors.TableError) as error:
            dependencies.log.error("incomplete", cause=str(error))
            emit({Metric.RUNS_INCOMPLETE if lists_keys else Metric.JOBS_INCOMPLETE: 1})
            raise

    with checked():
        if causes := [report[ENDED_BY] for report in reports.values() if ENDED_BY in report]:
            raise errors.TableError(max(causes, key=len), rule="", remedy="")  # all that the worker's error said
    results = results.named(kind.suffix(plan), work.folders)
    with checked():
        stored = StoredParts(plan.workers, results.parts())
        reached = [kind.progress(results.checkpoint(part), plan) for part in stored.last]
        counts = prove(kind, plan, stored, reached, reports)
    planned, resumes = results.plan() or NO_PLAN, results.resumes()
    document = {
        **manifest(kind, work, stored.rows, counts, reached, planned=planned, resumes=resumes),
        "estimated": estimated(planned),
    }
    if not document["complete"]:
        results.put_unfinished({**document, "resumes": resumes, "batches": sum(stored.counts.values())})
        stopped = budget_error(kind, work, counts, document)
        dependencies.log.warning("budget used up", cause=str(stopped), **vars(counts))
        emit({Metric.RUNS_STOPPED if lists_keys else Metric.JOBS_STOPPED: 1})
        raise stopped
    with checked():
        check_tables(work)
        added, also_read = extras(plan, consumed(plan, reached, resumes))
        bill = bill_of(plan, planned, counts, services_of(plan, reached, resumes), also_read)
        document |= {**added, "dollars": bill_to_json(plan, bill)}
    written = results.put_manifest(document)
    dependencies.log.info("finish", **vars(counts))
    if written is document:  # else an earlier attempt's manifest counts, and that attempt has emitted its metrics
        emit(of_finished(written, planned, counts, lists_keys=lists_keys))
    # In the order in which a person reads: which work, what it did, how long it took, what it cost, then the rest.
    names = (kind.label, *kind.named, kind.default_count, "seconds", "dollars", *vars(counts))
    return {name: written[name] for name in names if name in written} | {"manifest": results.manifest_uri}


def refused(kind: Kind[P], error: errors.SkipscanError) -> dict[str, Any]:
    """Return what ends an execution: in words, with where to read on, and as data for the command line."""
    where = errors.page(kind.page if isinstance(error, errors.InputError) else error.page)
    cause = errors.read_on(str(error), where) if where else str(error)
    return {"error": type(error).__name__, "cause": cause, "refusal": {**error.to_json(), "page": where}}


def manifest(
    kind: Kind[P],
    work: Work[P],
    parts: Rows,
    counts: Counts,
    reached: Sequence[AnyProgress],
    *,
    planned: Mapping[str, Any] = NO_PLAN,
    resumes: int = 0,
) -> dict[str, Any]:
    """Return the manifest; sizes are in bytes, durations in seconds, times in UTC.

    `parts`: the rows of those with lines. `complete` is true when every worker has finished. `planned`: plan.json.
    `resumes`: how many executions resumed the work.
    """
    plan, execution, now = work.plan, work.execution, datetime.now(UTC)
    left = sum(progress.left(plan) for progress in reached)
    started = datetime.fromisoformat(execution.started)
    services = services_of(plan, reached, resumes)
    return stamped(
        {
            "complete": not left,
            kind.label: execution.name,
            "execution": execution.arn,
            "started": execution.started,
            "finished": in_utc(now),
            "seconds": round((now - started).total_seconds(), 3),
            **plan.stated,
            "workers": plan.workers,
            kind.unit: kind.units(plan),
            f"{kind.unit}_left": left,
            **vars(counts),
            "services": services.to_json(),
            "dollars": bill_to_json(plan, bill_of(plan, planned, counts, services)),
            **kind.stated(plan, reached),
            "parts" if kind.lines == "keys" else f"{kind.lines}_parts": parts,
            "skipscan_version": __version__,
        },
        MANIFEST_FORM,
    )


def estimated(planned: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the plan's predictions, to compare with the counts; `None` if no sample was taken, or it showed none."""
    explanation = planned.get("explanation") or {}
    expected = explanation.get("choice", {}).get("expected", explanation)
    return {name: expected[name] for name in ESTIMATED if name in expected} if expected else None


def budget_error(kind: Kind[P], work: Work[P], counts: Counts, document: Mapping[str, Any]) -> errors.BudgetError:
    """Return the error of work that ended because its budget is used up."""
    bounds = without_nulls(work.plan.bounds)
    left = f"{document[f'{kind.unit}_left']:,} of {document[kind.unit]:,} {kind.unit}"
    way = (
        f"continue from here with {errors.give('resume', work.name)} and a larger "
        f"{' or '.join(map(errors.named, bounds))} for the whole {kind.label}, in a terminal by `skipscan resume "
        f"{work.plan.stated['table']} {work.name}`"
    )
    return used_up(bounds, counts, left, way)


def used_up(bounds: Mapping[str, float], counts: Counts, left: str, remedy: str) -> errors.BudgetError:
    """Return the error of a used up budget. `bounds`: its amounts by their fields. `left`: of what there was to do."""
    stated = " and ".join(f"{errors.named(name)} {bound:,.10g}" for name, bound in bounds.items())
    spent = {"read units": counts.read_units, "write units": counts.write_units}
    consumed = " and ".join(f"{units(count)} {name}" for name, count in spent.items() if count) or "no units"
    return errors.BudgetError(
        "the budget",
        errors.OMITTED,
        f"is {stated}; {consumed} are consumed, and {left} are left",
        remedy,
        others=bounds,
    )
