"""The handlers as Lambda imports them, once per process, with everything they call in the hands of one world."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import cache
from types import SimpleNamespace
from typing import Any, Protocol
from unittest.mock import patch

from skipscan.aws.bucket import Bucket
from skipscan.aws.function import Function
from skipscan.loop.metric import Metric
from skipscan.loop.run_batch import ReadyBatch
from tests.fakes.handlers.loading import Loaded
from tests.fakes.services import Denied
from tests.fakes.session import Session
from tests.simulation.world.client import Client
from tests.simulation.world.clock import Clock
from tests.simulation.world.execution import STATES
from tests.simulation.world.fault import Call
from tests.simulation.world.fibre import Fibre, FibreLock, FibrePool
from tests.simulation.world.in_folder import FolderStore, WatchedFolder

BUCKET, PREFIX = "results", "skipscan"
WALKS = 3
"""Segments a worker walks at once here, so that small tables have more of them than fit in."""

ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/"
TABLE, TARGET = "Orders", "Orders-2"
"""The table that is enabled for all kinds, and the new one that it is copied to."""

RECEIVER = "arn:aws:sqs:us-east-1:000000000000:receiver"
FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:receiver"
"""The queue and the function that may get the table's keys."""

STREAM, QUEUE = f"{ARN}{TABLE}/stream/1", "https://queue"
REPLICA = {"source": TABLE, "target": TARGET, "stream": STREAM, "queue": QUEUE, "templates": {"made": "{a}_{b}"}}
FOLLOWERS = ("keeper", "keep_attribute", "replicator")
VARIABLES = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "faults",
    "POWERTOOLS_LOG_LEVEL": "CRITICAL",
    "SKIPSCAN_BUCKET": BUCKET,
    "SKIPSCAN_PREFIX": PREFIX,
    "SKIPSCAN_PLACE": "us-east-1:000000000000",
    "SKIPSCAN_RETROFIT": json.dumps([f"{ARN}{TABLE}"]),
    "SKIPSCAN_REPLICAS": json.dumps([REPLICA]),
    "SKIPSCAN_MAPPINGS": json.dumps([[]]),
}
POOLS = ("loop.reader", "lines.given_keys", "aws.follower", "stored.stored_work")
SERVICES = ("dynamodb", "sqs", "lambda_", "pricing", "stepfunctions", "keys")


class Emitted(Counter[Metric]):
    def emit(self, figures: Mapping[Metric, float], **_: object) -> None:
        for metric, value in figures.items():
            self[metric] += value  # type: ignore[assignment]  # read units come in halves


class World(Protocol):
    """What the handlers run in. `services`: by the name of the client; calls of any other are denied unwatched."""

    clock: Clock
    s3: Any
    emitted: Emitted
    threads: int
    batch_seconds: float
    services: Mapping[str, Callable[[], Any]]

    def call(self, call: Call) -> Any: ...
    def take_turns(self, fibre: Fibre) -> None: ...
    def random_share(self) -> float: ...
    def attempt_name(self) -> str: ...
    def batch_pages(self) -> int | None: ...
    def opened(self, worker: int, batch: int) -> None: ...


class Functions:
    """The functions of all states and followers as they are deployed, in one world at a time."""

    def __init__(self) -> None:
        session = Session("test", "test", region_name="us-east-1")  # one for all: to read AWS's models takes long
        names = [*FOLLOWERS, *(state for states in STATES.values() for state in states)]
        with patch.dict("os.environ", VARIABLES), patch("boto3.Session", lambda: session):
            self.modules = {name: Loaded(name) for name in names}
        self.world: World | None = None

    @property
    def working(self) -> list[Any]:
        """The modules of the states, without those of the followers."""
        return [module for name, module in self.modules.items() if name not in FOLLOWERS]

    def put_into(self, world: World) -> None:
        self.world = world
        in_folder = isinstance(world.s3, FolderStore)
        client: Any = Client(world, lambda: world.s3)
        storage: Any = WatchedFolder(world, world.s3) if in_folder else Bucket(client, BUCKET, sleep=self._sleep)
        services: dict[str, Any] = dict.fromkeys(SERVICES, Denied())
        services |= {name: Client(world, service) for name, service in world.services.items()}
        for module in self.working:
            self._open(module.function, storage, world)
        for module in self.modules.values():
            for service in module.clients:
                setattr(module, service, services[service])

    def _open(self, function: Any, storage: Any, world: World) -> None:
        function.storage = storage
        writing = {f"{ARN}{TABLE}": [RECEIVER, FUNCTION]}
        function.settings = replace(function.settings, writing=writing, batch_seconds=world.batch_seconds)
        function.dependencies = replace(
            function.dependencies,
            emit=world.emitted.emit,
            clock=world.clock.now,
            wall=world.clock.now,
            sleep=self._sleep,
            random=world.random_share,
            attempt_name=world.attempt_name,
        )

    def _now(self) -> float:
        assert self.world
        return self.world.clock.now()

    def _sleep(self, seconds: float) -> None:
        """Let the time pass, and then other walks of the attempt: one may be what this walk waits for."""
        assert self.world
        self.world.clock.sleep(seconds)
        if Fibre.running:
            self.world.take_turns(Fibre.running)

    @contextmanager
    def simulated(self, walks: int = WALKS) -> Iterator[None]:
        """Let the product's threads be fibres, its walks few, and let time stand still unless a world lets it pass."""
        time = SimpleNamespace(monotonic=self._now, sleep=self._sleep)
        turn = Function.turn

        def watched(function: Any, state: Any, open_batch: Callable[..., ReadyBatch]) -> Any:
            def opened(progress: Any, *given: Any) -> ReadyBatch:
                assert self.world
                self.world.opened(progress.worker, progress.batch)
                function.settings = replace(function.settings, batch_pages=self.world.batch_pages())
                ready = open_batch(progress, *given)
                return ready if function.kind.lists_keys else replace(ready, threads=self.world.threads)

            return turn(function, state, opened)

        with ExitStack() as stack:
            stack.enter_context(patch("skipscan.loop.run_batch.Threads", FibrePool))
            for module in POOLS:
                stack.enter_context(patch(f"skipscan.{module}.ThreadPoolExecutor", FibrePool))
            for module in ("aws.rechecked", "lines.given_keys"):
                stack.enter_context(patch(f"skipscan.{module}.Lock", FibreLock))  # held during a call
            stack.enter_context(patch("skipscan.sample.requests.time", time))
            for module in ("loop.finish", "report.record"):
                stack.enter_context(patch(f"skipscan.{module}.datetime", _Noon))
            for name in ("plan.WALKS", "width.MOST_WALKS"):
                stack.enter_context(patch(f"skipscan.scan.{name}", walks))
            stack.enter_context(patch.object(Function, "turn", watched))
            yield


class _Noon(datetime):
    """A wall clock that does not move."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Noon":
        return cls(2026, 1, 1, 12, tzinfo=tz)


@cache
def functions() -> Functions:
    return Functions()
