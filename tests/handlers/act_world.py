"""A job in a world that goes wrong.

Calls crash before or after they took effect, answers are lost, writes are throttled or land late, turns are repeated
long after they were done, and two attempts of a turn live at once, their calls interleaved in any order.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.aws.bucket import Bucket
from skipscan.errors import BatchError
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.s3 import FakeS3
from tests.faults.fibre import Fibre, FibrePool
from tests.handlers.acting import MARKER, QUEUE, Acting
from tests.handlers.execution import BUCKET

KEYS = 12
FOREIGN = {"2", "7"}
FAULTS = ("crash before", "crash after", "lost", "throttled", "server error", "late")
SCHEMA = KeySchema.of(("pk", "S"), ("sk", "S"))
ACTIONS: dict[str, dict[str, Any]] = {
    "put_item": {"put_item": MARKER},
    "overwrite": {"put_item": {**MARKER, "overwrite": True}},
    "undo": {"undo": "job-0"},
    "send": {"send": {"queue": QUEUE}},
}
MARKED = {"skipscan_job": {"S": "gone"}}
WRITES = {"put_item", "delete_item", "send_message_batch"}
LOST = (BatchError, ClientError, ReadTimeoutError)
MARKERS = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S")), projection="KEYS_ONLY")


class Killed(BaseException):
    """The Lambda is gone: nothing in it may catch this."""


class FakeQueue:
    """The keys of every message by the message's id, as often as it came."""

    def __init__(self) -> None:
        self.received: list[tuple[str, str]] = []
        self.exceptions = SimpleNamespace()

    def get_queue_url(self, **_: Any) -> dict[str, str]:
        return {"QueueUrl": "https://queue"}

    def send_message_batch(self, *, Entries: list[dict[str, str]], **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        for message in (json.loads(entry["MessageBody"]) for entry in Entries):
            self.received.append((message["id"], str(message["keys"])))
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}


class Unsteady:
    """A client some of whose calls go wrong; `late` holds writes that are still under way."""

    def __init__(self, client: Any, random: Random, counts: Counter[str]) -> None:
        self._client, self._random, self._counts = client, random, counts
        self.exceptions = client.exceptions
        self.fault_rate = 0.0
        self.late: list[Callable[[], Any]] = []

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._client, name)
        if name in {"get_paginator", "meta"}:
            return call
        return lambda **parameters: self._call(name, lambda: call(**parameters))

    def _call(self, name: str, call: Callable[[], Any]) -> Any:
        if Fibre.running:  # another attempt may make its own calls before this one
            Fibre.running.pause()
        if self._random.random() >= self.fault_rate:
            return call()
        fault = self._random.choice(FAULTS)
        self._counts[fault] += 1
        match fault:
            case "crash before":
                raise Killed
            case "crash after":
                call()
                raise Killed
            case "lost":
                call()
                raise ReadTimeoutError(endpoint_url="http://localhost")
            case "late" if name in WRITES:
                self.late.append(call)
                raise Killed
            case "throttled" if name in WRITES:
                raise _error("ThrottlingException", 400)
        raise _error("InternalServerError", 500)

    def land(self) -> None:
        """Let a late write take effect, whatever its condition says by now."""
        if self.late:
            try:
                self.late.pop(0)()
            except ClientError:
                self._counts["late and refused"] += 1


class World:
    """One job over a table with `KEYS` collections, two of which hold somebody else's item at the marker's place.

    `action`: one of `ACTIONS`.
    """

    def __init__(self, acting: Acting, seed: int, counts: Counter[str], action: str = "put_item") -> None:
        self.random, self.counts, self.action = Random(seed), counts, action
        self.queue = FakeQueue()
        self.complained = ""
        self.changed: list[Item] = []
        """What the application has made of items that it found with the job's mark."""
        self.table = FakeDynamoDB()
        self.table.add(TableDefinition("T-1", SCHEMA, (MARKERS,)), _items())
        clients = (self.table, FakeS3(BUCKET), self.queue)
        self.dynamodb, self.s3, self.sqs = (Unsteady(client, self.random, counts) for client in clients)
        self.acting = acting
        for module in (acting.listing.plan, acting.listing.scan, acting.listing.finish, acting.plan_act, acting.act):
            module.dynamodb = self.dynamodb  # type: ignore[attr-defined]
        listing = (acting.listing.plan, acting.listing.scan, acting.listing.finish)
        client: Any = self.s3
        modules: tuple[Any, ...] = (*listing, acting.plan_act, acting.act, acting.finish_act)
        for module in modules:
            module.function.storage = Bucket(client, BUCKET)
        act: Any = acting.act
        act.sqs, act.THREADS = self.sqs, 1
        act.function.shell = replace(act.function.shell, clock=self.monotonic, random=self.random.random)
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 60.0  # so that nobody waits for long
        return self.now

    def run(self) -> dict[str, Any]:
        """Return the output of the job, after a schedule of faults and then as many quiet turns as it takes."""
        assert self.acting.listing.run({"table": "T-1", "segments": 3})["keys"] == KEYS
        if self.action == "undo":
            self.acting.run("job-0", put_item=MARKER)
        asked = {"table": "T-1", "run": "run-1", **ACTIONS[self.action], "dry_run": False, "workers": 2}
        planned = self.acting.planned(asked)
        if "workers" not in planned:
            raise AssertionError(planned)
        reached: dict[int, list[Any]] = {worker: [None] for worker in planned["workers"]}
        self._go_wrong(self.random.choice([0.05, 0.15, 0.3]))
        for _ in range(self.random.randrange(2, 14)):
            worker = self.random.choice(planned["workers"])
            states = reached[worker]
            # A turn from where the worker stands, or, seldom, an old one that comes again.
            state = self.random.choice(states) if self.random.random() < 0.25 else states[-1]
            with at_once():
                self._turn(planned, worker, state, states, attempts=self.random.choice([1, 2, 2]))
            self._change_an_item()
            if self.random.random() < 0.4:
                self.dynamodb.land()
                self.sqs.land()
        self._go_wrong(0.0)
        reports = []
        for worker, states in reached.items():
            while not (states[-1] and states[-1]["done"]):
                with at_once():
                    self._turn(planned, worker, states[-1], states)
            reports.append(states[-1]["report"])
        for client in (self.dynamodb, self.sqs):
            while client.late:
                client.land()
        return self.acting.finished(planned, reports)

    def _change_an_item(self) -> None:
        """Let the application set an attribute on an item that the job has put."""
        table = self.table.table("T-1")
        marked = [item for item in table.items() if "skipscan_job" in item and "balance" not in item]
        if marked and self.action in {"put_item", "overwrite"}:
            self.changed.append({**self.random.choice(marked), "balance": {"N": "7"}})
            table.put(self.changed[-1])

    def _go_wrong(self, fault_rate: float) -> None:
        for client in (self.dynamodb, self.s3, self.sqs):
            client.fault_rate = fault_rate

    def _turn(self, planned: dict[str, Any], worker: int, state: Any, states: list[Any], attempts: int = 1) -> None:
        """Let so many attempts of one turn live at once; before each of its calls any other may make its own."""
        fibres = [Fibre(lambda: self.acting.turn(planned, worker, state)) for _ in range(attempts)]
        self.counts["turns interleaved"] += attempts > 1
        while families := [fibre.family for fibre in fibres if not fibre.done]:
            family = self.random.choice(families)
            self.random.choice([fibre for fibre in family if not fibre.done and fibre.waits_for()]).go_on()
        for fibre in fibres:
            if isinstance(fibre.error, (Killed, *LOST)):
                self.counts["turns lost"] += 1
            elif fibre.error:
                raise fibre.error
            else:
                self.counts["turns"] += 1
                if not states[-1] or fibre.value["batch"] > states[-1]["batch"]:
                    states.append(fibre.value)
        answers = [fibre.value for fibre in fibres if not fibre.error]
        # A first turn goes on from what lies on S3 by then, which may be more for the later of two.
        if state is not None and any(answer != answers[0] for answer in answers):
            self.complained = "two attempts of a turn came to different ends"

    def complaint(self, output: dict[str, Any]) -> str:
        """What is wrong in the end, if anything."""
        if output.get("keys") != KEYS:
            return f"not every key was settled: {output}"
        return self.complained or self._wrong_items() or self._wrong_messages() or self._wrong_counts(output)

    def _wrong_items(self) -> str:
        found = {item["pk"]["S"]: item for item in self.table.table("T-1").items() if item["sk"]["S"] == "#static"}
        if any(found.get(item["pk"]["S"]) != item for item in self.changed):
            return "what the application has set is gone"
        if self.action == "overwrite":
            return "" if all("skipscan_job" in item for item in found.values()) else "an item was not overwritten"
        if any("skipscan_job" in found.get(key, MARKED) for key in FOREIGN):
            return "somebody's item was overwritten or deleted"
        there = {str(n) for n in range(KEYS)} if self.action == "put_item" else FOREIGN
        if found.keys() == there:
            return ""
        return "a marker is missing" if there - found.keys() else "a marker is left"

    def _wrong_messages(self) -> str:
        if self.action != "send":
            return ""
        if {keys for _, keys in self.queue.received} != {str([{"pk": str(n)}]) for n in range(KEYS)}:
            return "a key was not sent"
        return "" if len(set(self.queue.received)) == KEYS else "the same keys came under another id"

    def _wrong_counts(self, output: dict[str, Any]) -> str:
        ours = KEYS - len(FOREIGN)
        counted = {
            "put_item": (output["put"], output["present"]) == (ours, len(FOREIGN)),
            "overwrite": (output["put"], output["present"]) == (KEYS, 0),
            "undo": (output["deleted"] + output["absent"], output["present"]) == (ours, len(FOREIGN)),
            "send": output["sent"] == KEYS,
        }
        return "" if counted[self.action] else f"counted wrongly: {json.dumps(output)}"


@contextmanager
def at_once() -> Iterator[None]:
    """Let all threads of the product be fibres as well."""
    with (
        patch("skipscan.loop.run_batch.ThreadPoolExecutor", FibrePool),
        patch("skipscan.loop.results.ThreadPoolExecutor", FibrePool),
    ):
        yield


def _error(code: str, status: int) -> ClientError:
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Call")  # type: ignore[typeddict-item]


def _items() -> list[Item]:
    items: list[Item] = [{"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}} for pk in range(KEYS) for sk in range(2)]
    return items + [{"pk": {"S": key}, "sk": {"S": "#static"}, "theirs": {"BOOL": True}} for key in sorted(FOREIGN)]
