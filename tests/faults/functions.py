"""The handlers as Lambda imports them, once per process, with everything they call controlled by a schedule."""

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol
from unittest.mock import patch

from skipscan.aws.bucket import Bucket
from skipscan.loop.storage import Storage
from tests.fakes.denied import Denied
from tests.fakes.s3 import FakeS3, paginator
from tests.faults.clock import Clock
from tests.faults.emitted import Emitted
from tests.faults.fault import Call, Kind
from tests.faults.fibre import Fibre, FibrePool
from tests.faults.in_folder import FolderStore, WatchedFolder
from tests.handlers.loading import HANDLERS

BUCKET, PREFIX = "results", "skipscan"
WALKS = 3
"""Segments a worker walks at once here, so that small tables have more of them than fit in."""

VARIABLES = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "faults",
    "POWERTOOLS_LOG_LEVEL": "CRITICAL",
    "SKIPSCAN_BUCKET": BUCKET,
    "SKIPSCAN_PREFIX": PREFIX,
    "SKIPSCAN_PLACE": "us-east-1:000000000000",
}


class World(Protocol):
    """What the handlers run in."""

    clock: Clock
    s3: FakeS3
    emitted: Emitted

    def call(self, call: Call) -> dict[str, Any]: ...
    def engine(self) -> Any: ...
    def random(self) -> float: ...
    def attempt_name(self) -> str: ...


class DynamoDBClient:
    def __init__(self, world: World) -> None:
        self._world = world
        self.meta = SimpleNamespace(region_name="us-east-1")

    def scan(self, **asked: Any) -> dict[str, Any]:
        return self._world.call(Call("Scan", Kind.SCAN, asked, lambda: self._world.engine().scan(**asked)))

    def query(self, **asked: Any) -> dict[str, Any]:
        return self._world.call(Call("Query", Kind.SCAN, asked, lambda: self._world.engine().query(**asked)))

    def describe_table(self, **asked: Any) -> dict[str, Any]:
        world = self._world
        return world.call(Call("DescribeTable", Kind.DESCRIBE, asked, lambda: world.engine().describe_table(**asked)))


class S3Client:
    def __init__(self, world: World) -> None:
        self._world = world
        self.exceptions = world.s3.exceptions

    def put_object(self, **asked: Any) -> dict[str, Any]:
        kind = Kind.DOCUMENT
        if "/keys/" in asked["Key"]:
            kind = Kind.PART
        elif "/checkpoints/" in asked["Key"]:
            kind = Kind.CHECKPOINT
        return self._call("PutObject", kind, asked, self._world.s3.put_object)

    def head_object(self, **asked: Any) -> dict[str, Any]:
        return self._call("HeadObject", Kind.READ, asked, self._world.s3.head_object)

    def get_object(self, **asked: Any) -> dict[str, Any]:
        return self._call("GetObject", Kind.READ, asked, self._world.s3.get_object)

    def list_objects_v2(self, **asked: Any) -> dict[str, Any]:
        return self._call("ListObjectsV2", Kind.READ, asked, self._world.s3.list_objects_v2)

    def get_paginator(self, operation: str) -> Any:
        return paginator(self.list_objects_v2, operation)

    def _call(self, operation: str, kind: Kind, asked: dict[str, Any], method: Callable[..., Any]) -> dict[str, Any]:
        return self._world.call(Call(operation, kind, asked, lambda: method(**asked)))


class Functions:
    """`plan`, `scan` and `finish` as they are deployed, in one world at a time."""

    def __init__(self) -> None:
        with patch.dict("os.environ", VARIABLES):
            modules: list[Any] = [loaded(name) for name in ("plan", "scan", "finish")]
            self.plan, self.scan, self.finish = modules
        self._clock = Clock()

    def put_into(self, world: World, batch_pages: int) -> None:
        dynamodb: Any = DynamoDBClient(world)
        store: Any = world.s3
        client: Any = S3Client(world)
        in_folder = isinstance(store, FolderStore)
        storage: Storage = WatchedFolder(world, store) if in_folder else Bucket(client, BUCKET)
        self._clock = world.clock
        self.plan.dynamodb, self.scan.dynamodb = dynamodb, dynamodb
        self.plan.pricing = self.plan.lambda_ = self.plan.stepfunctions = Denied()
        self.finish.dynamodb = dynamodb
        for module in (self.plan, self.scan, self.finish):
            module.function.storage = storage
            module.function.settings = replace(module.function.settings, batch_pages=batch_pages)
            module.function.shell = replace(
                module.function.shell,
                emit=world.emitted.emit,
                clock=world.clock.now,
                sleep=self._sleep,
                random=world.random,
                attempt_name=world.attempt_name,
            )

    def _now(self) -> float:
        return self._clock.now()

    def _sleep(self, seconds: float) -> None:
        """Let the time pass, and then other walks of the attempt: one may be what this walk waits for."""
        self._clock.sleep(seconds)
        fibre = Fibre.running
        if fibre and len(fibre.family) > 2:
            fibre.pause()

    @contextmanager
    def simulated(self) -> Iterator[None]:
        """Let the product's threads be fibres, and its walks few, as long as the schedules run."""
        time = SimpleNamespace(monotonic=self._now, sleep=self._sleep)
        with (
            patch("skipscan.aws.sampling.time", time),
            patch("skipscan.loop.run_batch.ThreadPoolExecutor", FibrePool),
            patch("skipscan.loop.results.ThreadPoolExecutor", FibrePool),
            patch("skipscan.scan.plan.WALKS", WALKS),
            patch("skipscan.scan.width.MOST_WALKS", WALKS),
        ):
            yield


@cache
def functions() -> Functions:
    return Functions()


def loaded(name: str) -> ModuleType:
    """Return a handler's module of this world's own: other tests load theirs."""
    spec = importlib.util.spec_from_file_location(f"faults_{name}", next(HANDLERS.glob(f"*/{name}.py")))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
