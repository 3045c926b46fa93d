"""A run looked at again and again while it goes: each look asks only for what may have changed."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from skipscan.aws.executions import Executions
from skipscan.aws.results import Results
from skipscan.listing.run import Run
from skipscan.loop.layout import Layout
from skipscan.loop.status import Execution, Standing, state
from skipscan.scan.plan import Plan
from skipscan.scan.progress import Progress

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class Watch:
    """Looks at one run. `execution`: the one that works on it, or did, if Step Functions knows it."""

    def __init__(
        self, client: "S3Client", bucket: str, layout: Layout, executions: Executions, execution: Execution | None
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._layout = layout
        self._results = Results(client, bucket, layout)
        self._executions = executions
        self._execution = execution
        self._plan: Mapping[str, Any] | None = None
        self._reached: dict[int, Progress] = {}

    def look(self) -> Standing:
        """Return how the run stands. A look is a LIST, a call to Step Functions or two, and two GETs a new batch."""
        at = datetime.now(UTC)
        # The execution first: what it has put on S3 by its end is then seen, and not taken for missing.
        # One that was started just now may not be known yet.
        execution = self._execution and (self._executions.at(self._execution.arn) or self._execution)
        self._plan = self._plan or self._results.plan()
        manifest = self._results.manifest() if self._plan else None
        committed = self._take_committed(Run.from_json(self._plan).plan) if self._plan and not manifest else None
        at_work = bool(execution and execution.is_running)
        return Standing(
            self._layout.table,
            self._layout.run,
            state(plan=bool(self._plan), parts=bool(self._reached), manifest=bool(manifest), at_work=at_work),
            at,
            execution,
            self._plan,
            dict(self._reached),
            committed,
            manifest,
            self._results.uri(self._layout.manifest),
            self._executions.workers(execution) if execution and at_work and self._plan else None,
        )

    def _take_committed(self, plan: Plan) -> datetime | None:
        """Take over what workers have committed since the last look; return when the last batch of all was."""
        last: dict[int, tuple[int, str, datetime]] = {}
        for name, modified in self._parts():
            place = self._layout.worker_and_batch(name)
            if place is not None and (place[0] not in last or place[1] > last[place[0]][0]):
                last[place[0]] = (place[1], name, modified)
        fresh = [
            worker
            for worker, (batch, _, _) in last.items()
            if worker not in self._reached or self._reached[worker].batch <= batch
        ]
        with ThreadPoolExecutor(16) as pool:
            progress = pool.map(lambda worker: self._progress(worker, *last[worker][:2], plan), fresh)
            self._reached.update(zip(fresh, progress, strict=True))
        return max((modified for _, _, modified in last.values()), default=None)

    def _progress(self, worker: int, batch: int, name: str, plan: Plan) -> Progress:
        head = self._client.head_object(Bucket=self._bucket, Key=name)
        return Progress.from_json(self._results.checkpoint(worker, batch, head["Metadata"]["attempt"]), plan)

    def _parts(self) -> Iterator[tuple[str, datetime]]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._layout.parts)
        return ((entry["Key"], entry["LastModified"]) for page in pages for entry in page.get("Contents", ()))
