"""One turn of a worker that walks over all items of a table: a bounded batch, committed on S3."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from aws_lambda_powertools import Logger

from skipscan.aws.drive import Pump, drive
from skipscan.aws.results import Results
from skipscan.items.batch import ItemBatch
from skipscan.items.listed_line import listed_line
from skipscan.items.progress import ItemProgress
from skipscan.items.request import OnItem, ReadPage
from skipscan.items.turn import ItemTurn
from skipscan.loop.part import Part
from skipscan.loop.seal import sealed

THREADS = 16
"""Requests a worker has under way at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""

P = TypeVar("P", bound=ItemProgress[Any])
R = TypeVar("R", bound=OnItem[Any])


def take_turn(
    turn: ItemTurn[Any, P],
    progress_type: type[P],
    results: Results,
    *,
    begin: Callable[[P, Part], ItemBatch[Any, Any, Any, R]],
    do: Callable[[ReadPage | R], object],
    logger: Logger,
) -> dict[str, Any]:
    """Return the worker's state after one batch, whoever committed it; raise what kept a batch from moving on.

    `begin`: returns the batch that goes on from a progress and lists items in a part. `do`: makes its requests.
    """
    plan = turn.job.plan
    progress = turn.progress
    if progress is None:
        # A first turn goes on from what lies on S3 as well: of an attempt before it, or of a job that is resumed.
        standing = results.reached(turn.worker)
        progress = progress_type.from_json(standing, plan) if standing else progress_type.start(turn.worker)
    logger.append_keys(worker=progress.worker, batch=progress.batch)
    if progress.done(plan) and progress.batch:
        return sealed(progress.to_json(plan), turn.job)
    committed = results.committed(progress.worker, progress.batch)
    if committed is not None:
        logger.info("batch adopted: an earlier attempt had committed it")
    else:
        part = Part(listed_line)
        batch = begin(progress, part)
        reached = _driven(batch, do, logger).to_json(plan)
        committed = results.commit(progress.worker, progress.batch, part, reached, uuid.uuid4().hex)
    return sealed(progress_type.from_json(committed, plan).to_json(plan), turn.job)


def _driven(
    batch: ItemBatch[Any, Any, Any, R], do: Callable[[ReadPage | R], object], logger: Logger
) -> ItemProgress[Any]:
    """Return where the worker stands after the batch.

    Every batch is committed, even where it lists nothing: what it wrote is counted once, and never written again.
    """
    pump: Pump[ReadPage | R, object] = batch
    error = drive(pump, do, THREADS)
    if error is not None:
        logger.warning("batch ended early", error=type(error).__name__)
        if not batch.counts.passed:  # the next batch would fare no better
            raise error
    logger.info("batch", **batch.counts.to_json())
    return replace(batch.progress, batch=batch.progress.batch + 1)
