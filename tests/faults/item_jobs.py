"""Retrofits and copies over an S3 that fails: their functions, retried as Step Functions does, until all is done."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from skipscan.aws.bucket import Bucket
from skipscan.copy.kind import COPY
from skipscan.errors import StateError
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Pause
from skipscan.retrofit.kind import RETROFIT
from tests.fakes.s3 import FakeS3, paginator
from tests.faults.fault import S3_STATUS, Call, Fault, Kind, lost_answer, refusal
from tests.faults.fibre import FibrePool
from tests.faults.functions import BUCKET, VARIABLES, loaded
from tests.handlers.execution import CONTEXT, through_json
from tests.unit.copy.pair import Pair, copy_plan
from tests.unit.retrofit.small_table import SmallTable, item, retrofit_plan

ATTEMPTS = 60
NAMED = ("job-1", "arn:job-1", "2026-01-01T00:00:00+00:00")
REFUSED = (*S3_STATUS, Fault.S3_TIMEOUT)
AFTER = (Fault.LOST, Fault.LOST_RETRIED, Fault.LATE, Fault.LATE_RETRIED, Fault.RACED)
ONCE = (Fault.S3_409, Fault.S3_412, Fault.RACED)
"""Of a put on condition that nothing lies there, and of no other call."""


@dataclass
class FailingS3:
    """S3 of which a share of the calls go wrong. `faults`: how often which of them did."""

    random: Random
    share: float
    s3: FakeS3 = field(default_factory=lambda: FakeS3(BUCKET, page_size=2))
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def exceptions(self) -> Any:
        return self.s3.exceptions

    def put_object(self, **asked: Any) -> Any:
        fitting = [fault for fault in (*REFUSED, *AFTER) if "IfNoneMatch" in asked or fault not in ONCE]
        return self._call("PutObject", asked, fitting, self.s3.put_object)

    def head_object(self, **asked: Any) -> Any:
        return self._read("HeadObject", asked, self.s3.head_object)

    def get_object(self, **asked: Any) -> Any:
        return self._read("GetObject", asked, self.s3.get_object)

    def list_objects_v2(self, **asked: Any) -> Any:
        return self._read("ListObjectsV2", asked, self.s3.list_objects_v2)

    def get_paginator(self, operation: str) -> Any:
        return paginator(self.list_objects_v2, operation)

    def _read(self, operation: str, asked: dict[str, Any], method: Callable[..., Any]) -> Any:
        return self._call(operation, asked, [fault for fault in REFUSED if fault not in ONCE], method)

    def _call(self, operation: str, asked: dict[str, Any], fitting: list[Fault], method: Callable[..., Any]) -> Any:
        if self.s3.under_way and self.random.random() < 0.2:
            self.s3.land(self.random.choice(self.s3.under_way))
        if self.random.random() >= self.share:
            return method(**asked)
        fault = self.random.choice(fitting)
        self.faults[fault.value] += 1
        refused = refusal(fault, Call(operation, Kind.READ, asked, lambda: {}))
        if refused is not None:
            raise refused
        if fault is Fault.RACED:
            self.s3.receive(asked, refusals=1)
            return method(**asked)
        if fault in {Fault.LATE, Fault.LATE_RETRIED}:
            self.s3.receive(asked)
        else:
            method(**asked)
        if fault in {Fault.LOST_RETRIED, Fault.LATE_RETRIED}:
            return method(**asked)
        raise lost_answer()


@dataclass
class ItemJob:
    """One retrofit or copy from its workers' first turns to its end."""

    worker: Any
    finish: Any
    job: Any
    s3: FailingS3
    retries: int = 0

    def run(self) -> dict[str, Any]:
        """Return the output of the execution."""
        reports = [self._worked(worker) for worker in range(self.job.plan.workers)]
        while self.s3.s3.under_way:
            self.s3.s3.land(self.s3.s3.under_way[0])
        event = {"work": self.job.to_json(), "reports": reports}
        self.s3.share /= 5  # of a call for each part; the client would try most of them again
        output = self._tried(self.finish.handler, event)
        assert "error" not in output, output
        self.s3.share = 0.0
        again = through_json(self.finish.handler(through_json(event), CONTEXT))
        assert {**again, "seconds": 0} == {**output, "seconds": 0}
        return output

    def _worked(self, worker: int) -> dict[str, Any]:
        state: dict[str, Any] | None = None
        while state is None or not state["done"]:
            event: dict[str, Any] = {"work": self.job.to_json(), "worker": worker}
            if state is not None:
                event["progress"] = state
            following = self._tried(self.worker.handler, event)
            if self.s3.random.random() < 0.1:  # the same turn once more, whose answer nobody waits for
                repeated = self._tried(self.worker.handler, event)
                assert repeated == following or state is None
                following = repeated
            state = following
        report: dict[str, Any] = state["report"]
        return report

    def _tried(self, handler: Callable[..., Any], event: Mapping[str, Any]) -> dict[str, Any]:
        for _ in range(ATTEMPTS):
            try:
                return through_json(handler(through_json(event), CONTEXT))
            except StateError:  # Step Functions would not try again
                raise
            except Exception:
                self.retries += 1
        raise AssertionError(f"{ATTEMPTS} attempts in a row failed")

    def documents(self, part_of_name: str) -> list[str]:
        return [name for name in self.s3.s3.objects if part_of_name in name]

    def listed(self) -> list[dict[str, Any]]:
        bodies = [self.s3.s3.objects[name].body for name in sorted(self.documents("/failed/"))]
        return [json.loads(line) for body in bodies for line in body.splitlines()]


def one_by_one(batch: Any, do: Callable[[Any], Any], _threads: int, **_shell: Any) -> None:
    """Drive a batch without threads."""
    while (step := batch.take()) is not None:
        assert not isinstance(step, Pause)
        batch.give(step, do(step))


@contextmanager
def retrofit(seed: int, share: float = 0.15) -> Iterator[tuple[ItemJob, SmallTable]]:
    """Return a retrofit of a few items, some of which lack a source."""
    random = Random(seed)
    job = RETROFIT.begun(ExecutionId(*NAMED), retrofit_plan(random.choice([2, 5]), 2, verify=random.random() < 0.5))
    table = SmallTable(
        *(item(f"i{n}", a="x", **({"b": "y"} if random.random() < 0.8 else {})) for n in range(random.randint(0, 14))),
        page_items=random.randint(1, 4),
        segments=job.plan.reading.segments,
    )
    with _begun("retrofit", "retrofit", job, FailingS3(random, share)) as begun:
        begun.worker.RetrofitTable = lambda *_: SimpleNamespace(do=table.answer)
        yield begun, table


@contextmanager
def copy(seed: int, share: float = 0.15) -> Iterator[tuple[ItemJob, Pair]]:
    """Return a copy of a few items; some the new table has already, and some it has otherwise."""
    random = Random(seed)
    job = COPY.begun(ExecutionId(*NAMED), copy_plan(random.choice([2, 5]), 2, verify=random.random() < 0.5))
    source = {f"i{n}": item(f"i{n}", a="x", b=random.choice("yz")) for n in range(random.randint(0, 14))}
    target = {i: job.plan.transform.of(e).item for i, e in source.items() if random.random() < 0.3}
    tables = Pair(source, target, page_items=random.randint(1, 4), segments=job.plan.reading.segments)
    with _begun("copy", "copy_page", job, FailingS3(random, share)) as begun:
        begun.worker.CopyTables = lambda *_: SimpleNamespace(do=tables.answer)
        yield begun, tables


@contextmanager
def _begun(noun: str, worker: str, job: Any, s3: FailingS3) -> Iterator[ItemJob]:
    turn, finish = _module(worker), _module(f"finish_{noun}")
    client: Any = s3
    for module in (turn, finish):
        module.function.storage = Bucket(client, BUCKET)
        module.function.shell = replace(module.function.shell, emit=lambda *_, **__: None)
    turn.check_identity = lambda *_: None  # the tables have no names
    turn.function.settings = replace(turn.function.settings, batch_pages=s3.random.randint(1, 3))
    with (
        patch("skipscan.loop.turn.run_batch", one_by_one),
        patch("skipscan.loop.results.ThreadPoolExecutor", FibrePool),
    ):
        yield ItemJob(turn, finish, job, s3)


@cache
def _module(name: str) -> Any:
    with patch.dict("os.environ", VARIABLES):
        return loaded(name)
