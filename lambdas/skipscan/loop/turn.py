"""One turn of a worker: a bounded batch, committed exactly once."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from skipscan.inputs.names import table_name
from skipscan.inputs.quantities import in_utc
from skipscan.loop.allotment import allot, declare_lost
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.event import TurnEvent
from skipscan.loop.kind import AnyProgress, Failure, Kind, P, progress_to_json
from skipscan.loop.metric import of_batch
from skipscan.loop.results import Results
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.loop.storage import Part
from skipscan.pace.bill import Amounts, Services


def advance(
    kind: Kind[P],
    turn: TurnEvent[P],
    results: Results,
    open_batch: Callable[[AnyProgress, Part, Amounts | None], ReadyBatch],
    dependencies: Dependencies,
) -> AnyProgress:
    """Return the progress after one batch, whichever attempt committed it; raise the error if nothing moved.

    `open_batch`: returns the batch that continues a progress, writes its lines to a part, and ends when the worker has
    consumed the given amounts of its budgets.
    """
    # First, so that reading the worker's position is part of the bill.
    services = dependencies.meter.begin_invocation(dependencies.clock)
    work, plan, progress = turn.work, turn.work.plan, turn.progress
    # As the plan fixed them: an earlier deployment may have written it.
    results = results.named(kind.suffix(plan), work.folders)
    if progress is None:
        # A first turn continues what was committed: by an attempt before it, or by resumed work.
        # `after`, not the newest: a repeated turn adopts the batch that it made, and makes no further one.
        reached = results.reached(turn.worker) if turn.after is None else results.of(turn.worker, turn.after)
        progress = kind.progress(reached, plan) if reached else kind.start(plan, turn.worker)
    dependencies.log.append_keys(**{kind.label: work.name}, worker=progress.worker, batch=progress.batch)
    # A worker without work commits one empty batch, too: Finish wants a last checkpoint of each worker.
    if not progress.done(plan) or progress.batch == 0:
        committed = results.committed(progress.worker, progress.batch)
        if committed is not None:
            dependencies.log.info("batch adopted: an earlier attempt had committed it")
        else:
            try:
                committed = _committed(
                    kind,
                    turn,
                    progress,
                    results,
                    open_batch=open_batch,
                    services=services,
                    dependencies=dependencies,
                )
            except Exception as error:
                said, at = dependencies.scrub(error), in_utc(datetime.now(UTC))
                failure = Failure(progress.worker, progress.batch, at, type(said).__name__, str(said))
                dependencies.failed(results, failure)
                # Unchanged: the function scrubs it (`aws.function`), and its class decides whether the worker ends.
                raise
        progress = kind.progress(committed, plan)
    return progress


def _committed(
    kind: Kind[P],
    turn: TurnEvent[P],
    progress: AnyProgress,
    results: Results,
    *,
    open_batch: Callable[[AnyProgress, Part, Amounts | None], ReadyBatch],
    services: Callable[[], Services],
    dependencies: Dependencies,
) -> Mapping[str, Any]:
    """Run a batch and commit it, even without lines; return the progress that counts."""
    plan, attempt = turn.work.plan, dependencies.attempt_name()
    allotted: Amounts | None = None
    if plan.limits.budget.is_bounded:
        so_far = progress.spending
        allotted, spending = allot(
            results,
            progress.worker,
            progress.batch,
            attempt,
            share=plan.limits.worker_budget,
            consumed=so_far.consumed(progress.counts, plan.prices) - so_far.lost,  # `allot` finds lost attempts anew
            page=plan.limits.most_request,
            so_far=so_far,
        )
        progress = replace(progress, spending=spending)
        # Another attempt may have committed before this attempt declared its allotment.
        if (adopted := results.committed(progress.worker, progress.batch)) is not None:
            return adopted
    part = kind.part(plan)
    start, started = in_utc(datetime.now(UTC)), dependencies.clock()  # for people, and to measure
    ready = open_batch(progress, part, allotted)
    pump = ready.pump
    try:
        error = run_batch(ready, fault=dependencies.fault, sleep=dependencies.sleep)
        seconds = round(dependencies.clock() - started, 3)

        def emit() -> None:
            figures = of_batch(pump.counts, seconds=seconds, is_cut_short=error is not None)
            dependencies.emit(figures, table=table_name(plan.table), **{kind.label: turn.work.name})

        if error is not None:
            dependencies.log.warning("batch ended early", error=type(error).__name__)
            if not pump.counts.units_done:  # the next batch would fail, too
                # It commits nothing, but its throttles and its error belong in the metrics.
                emit()
                raise dependencies.scrub(error)  # the text of an error of DynamoDB can quote a key
        dependencies.log.info("batch", **vars(pump.counts))
        reached = pump.progress
        spent = replace(reached.spending, services=reached.spending.services + services())
        checkpoint = {
            **progress_to_json(replace(reached, batch=reached.batch + 1, spending=spent), plan),
            "attempt": attempt,
            # The profile is for reports only: no later turn reads it.
            "profile": {"began": start, "seconds": seconds, **pump.profile},
        }
        committed = results.commit(progress.worker, progress.batch, part, checkpoint, attempt)
        if committed.get("attempt") == attempt:  # else another attempt's batch counts, and its metrics
            emit()
        return committed
    except BaseException:  # a person who interrupts a local listing, too
        # With a budget the whole allotment was declared before the batch started.
        if allotted is None:
            reached, before = pump.progress, progress.spending.consumed(progress.counts, plan.prices)
            consumed = reached.spending.consumed(reached.counts, plan.prices) - before
            declare_lost(results, progress.worker, progress.batch, attempt, consumed)
        raise
