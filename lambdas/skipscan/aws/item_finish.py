"""The end of a job over all items of a table: the proof from S3 that it is whole, and its manifest."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from aws_lambda_powertools import Logger

from skipscan import __version__
from skipscan.aws.metrics import Metrics
from skipscan.aws.results import Results
from skipscan.errors import IncompleteRunError
from skipscan.inputs.names import table_name
from skipscan.items.manifest import budget_error, manifest, prove
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemProgress
from skipscan.loop.manifest import last_parts
from skipscan.loop.work import Work
from skipscan.metrics.metric import Metric
from skipscan.metrics.metric_values import of_finished_job


def finish(
    job: Work[Any],
    progress_type: type[ItemProgress[Any]],
    results: Results,
    reports: Iterable[Mapping[str, Any]],
    logger: Logger,
    *,
    metrics: Metrics,
    looks: Callable[[Any], Mapping[str, Any]] = lambda tally: {},
) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a job that is not complete.

    `looks`: told the counts of a complete job, returns what else its manifest says.
    """
    plan: ItemPlan = job.plan
    tell = partial(metrics.tell, table=table_name(plan.reading.source.table), job=job.name)
    parts = results.parts()
    try:
        reached = [
            progress_type.from_json(results.checkpoint(part.worker, part.batch, part.attempt), plan)
            for part in last_parts(plan.workers, parts)
        ]
        tally = prove(plan, parts, reached, reports)
    except IncompleteRunError as error:
        logger.error(f"{job.noun} incomplete", cause=str(error))
        tell({Metric.JOBS_INCOMPLETE: 1})
        return {"error": type(error).__name__, "cause": str(error)}
    walks_left = sum(progress.walks_left(plan) for progress in reached)
    document = manifest(job, parts, tally, reached, now=datetime.now(UTC), version=__version__)
    if walks_left:
        results.put_unfinished(document)
        stopped = budget_error(job, tally, walks_left)
        logger.warning("budget used up", cause=str(stopped), **tally.to_json())
        tell({Metric.JOBS_STOPPED: 1})
        return {"error": type(stopped).__name__, "cause": str(stopped)}
    document |= looks(tally)
    written = results.put_manifest(document)
    logger.info(f"finish {job.noun}", **tally.to_json())
    if written is document:  # else an earlier attempt's manifest stands, and that one has told of it
        tell(of_finished_job(written, tally.lines))
    said = ("table", "to", job.noun, "seconds", *tally.to_json(), "indexes")
    return {**{name: written[name] for name in said if name in written}, "manifest": results.manifest_uri}
