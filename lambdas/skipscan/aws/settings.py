"""A deployed function's settings, from environment variables that the stack sets from cdk.json."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Self

from skipscan.aws.clients import LONGEST_CALL_SECONDS
from skipscan.pace.bounds import FIRST_SECONDS, WORKER_GB, Bounds
from skipscan.scan.history import LONG_AFTER, LONGEST_BATCH_SECONDS

BATCH_SECONDS = 240.0
"""A batch that a crash loses is paid for twice, so batches are short; a turn of the loop costs next to nothing."""

BATCH_KEYS = 1_000_000
BATCH_BYTES = 32 << 20
"""A part is collected in memory, and its buffer grows by an eighth at a time."""


@dataclass(frozen=True)
class Settings:
    """Where results go, and what ends a batch. `batch_*` left out by the environment have the defaults above.

    `place`: region and account of the stack, like us-east-1:111111111111.
    `environment`: its name, a dimension of the metrics. `reserved_concurrency`: of the function that the workers
    invoke, `None` without one. `gigabytes`: of memory, as Lambda says. `writing`: the tables that jobs may act on, by
    ARN, and the functions and queues that may get their keys.
    """

    bucket: str
    prefix: str
    place: str
    environment: str
    batch_seconds: float
    batch_pages: int | None
    batch_keys: int
    batch_bytes: int
    reserved_concurrency: int | None
    gigabytes: float
    writing: Mapping[str, list[str]]

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> Self:
        pages, reserved = variables.get("SKIPSCAN_BATCH_PAGES"), variables.get("SKIPSCAN_RESERVED_CONCURRENCY")
        memory = variables.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        return cls(
            bucket=variables["SKIPSCAN_BUCKET"],
            prefix=variables["SKIPSCAN_PREFIX"],
            place=variables["SKIPSCAN_PLACE"],
            environment=variables.get("SKIPSCAN_ENVIRONMENT", "unnamed"),
            batch_seconds=float(variables.get("SKIPSCAN_BATCH_SECONDS", BATCH_SECONDS)),
            batch_pages=int(pages) if pages else None,
            batch_keys=int(variables.get("SKIPSCAN_BATCH_KEYS", BATCH_KEYS)),
            batch_bytes=int(variables.get("SKIPSCAN_BATCH_BYTES", BATCH_BYTES)),
            reserved_concurrency=int(reserved) if reserved else None,
            gigabytes=int(memory) / 1024 if memory else WORKER_GB,
            writing=json.loads(variables.get("SKIPSCAN_WRITING", "{}")),
        )

    @property
    def batch(self) -> Bounds:
        """Return the bounds of a batch in an invocation that may run as long as it takes."""
        return Bounds(self.batch_seconds, self.batch_pages, self.batch_keys, self.batch_bytes)

    def bounds(self, remaining_seconds: float, batches: int, at_least_seconds: float | None = None) -> Bounds:
        """Return the bounds of a batch in an invocation that may run so much longer.

        `batches`: how many its worker has finished; the first ones are short, and those after `LONG_AFTER` long.
        `at_least_seconds`: the plan's minimum for all batches but the first ones. The last pages and the
        commit come after the batch's time is up, so room for the longest call is left; a function with a short time-out
        gives half of it to the batch.
        """
        first = FIRST_SECONDS[batches] if batches < len(FIRST_SECONDS) else inf
        left = max(remaining_seconds - LONGEST_CALL_SECONDS, remaining_seconds / 2)
        late = LONGEST_BATCH_SECONDS if batches >= LONG_AFTER else 0.0
        return replace(self.batch, seconds=min(max(self.batch_seconds, at_least_seconds or 0.0, late), first, left))
