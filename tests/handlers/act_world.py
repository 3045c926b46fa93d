"""A put job in a world that goes wrong.

Calls crash before or after they took effect, answers are lost, writes are throttled or land late, and turns are
repeated long after they were done.
"""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.errors import ActError
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.s3 import MemoryS3
from tests.handlers.acting import MARKER, Acting

KEYS = 12
FOREIGN = {"2", "7"}
FAULTS = ("crash before", "crash after", "lost", "throttled", "server error", "late")
SCHEMA = KeySchema.of(("pk", "S"), ("sk", "S"))
MARKERS = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S")), projection="KEYS_ONLY")


class Killed(BaseException):
    """The Lambda is gone: nothing in it may catch this."""


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
            case "late" if name == "put_item":
                self.late.append(call)
                raise Killed
            case "throttled" if name == "put_item":
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
    """One job over a table with `KEYS` collections, two of which hold somebody else's item at the marker's place."""

    def __init__(self, acting: Acting, seed: int, counts: Counter[str]) -> None:
        self.random, self.counts = Random(seed), counts
        self.table = FakeDynamoDB()
        self.table.add(TableDefinition("T-1", SCHEMA, (MARKERS,)), _items())
        self.dynamodb, self.s3 = (Unsteady(client, self.random, counts) for client in (self.table, MemoryS3()))
        self.acting = acting
        for module in (acting.listing.plan, acting.listing.scan, acting.plan_act, acting.act):
            module.dynamodb = self.dynamodb  # type: ignore[attr-defined]
        listing = (acting.listing.plan, acting.listing.scan, acting.listing.finish)
        for module in (*listing, acting.plan_act, acting.act, acting.finish_act):
            module.s3 = self.s3  # type: ignore[attr-defined]
        acting.act.THREADS = 1  # type: ignore[attr-defined]
        acting.act.random = self.random  # type: ignore[attr-defined]
        acting.act.time = self  # type: ignore[attr-defined]
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 60.0  # so that nobody waits for long
        return self.now

    def run(self) -> dict[str, Any]:
        """Return the output of the job, after a schedule of faults and then as many quiet turns as it takes."""
        assert self.acting.listing.run({"table": "T-1", "segments": 3})["keys"] == KEYS
        asked = {"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False, "workers": 2}
        planned = self.acting.planned(asked)
        if "workers" not in planned:
            raise AssertionError(planned)
        reached: dict[int, list[Any]] = {worker: [None] for worker in planned["workers"]}
        self.dynamodb.fault_rate = self.s3.fault_rate = self.random.choice([0.05, 0.15, 0.3])
        for _ in range(self.random.randrange(2, 14)):
            worker = self.random.choice(planned["workers"])
            states = reached[worker]
            # A turn from where the worker stands, or, seldom, an old one that comes again.
            state = self.random.choice(states) if self.random.random() < 0.25 else states[-1]
            self._turn(planned, worker, state, states)
            if self.random.random() < 0.4:
                self.dynamodb.land()
        self.dynamodb.fault_rate = self.s3.fault_rate = 0.0
        reports = []
        for worker, states in reached.items():
            while not (states[-1] and states[-1]["done"]):
                self._turn(planned, worker, states[-1], states)
            reports.append(states[-1]["report"])
        while self.dynamodb.late:
            self.dynamodb.land()
        return self.acting.finished(planned, reports)

    def _turn(self, planned: dict[str, Any], worker: int, state: Any, states: list[Any]) -> None:
        try:
            found = self.acting.turn(planned, worker, state)
        except (Killed, ActError, ClientError, ReadTimeoutError):
            self.counts["turns lost"] += 1
            return
        self.counts["turns"] += 1
        if not states[-1] or found["batch"] > states[-1]["batch"]:
            states.append(found)

    def complaint(self, output: dict[str, Any]) -> str:
        """What is wrong in the end, if anything."""
        if output.get("keys") != KEYS:
            return f"not every key was settled: {output}"
        found = {item["pk"]["S"]: item for item in self.table.table("T-1").items() if item["sk"]["S"] == "#static"}
        if found.keys() != {str(n) for n in range(KEYS)}:
            return "a marker is missing"
        if any("skipscan_job" in found[key] for key in FOREIGN):
            return "somebody's item was overwritten"
        if (output["put"], output["present"]) != (KEYS - len(FOREIGN), len(FOREIGN)):
            return f"counted wrongly: {json.dumps(output)}"
        return ""


def _error(code: str, status: int) -> ClientError:
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Call")  # type: ignore[typeddict-item]


def _items() -> list[Item]:
    items: list[Item] = [{"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}} for pk in range(KEYS) for sk in range(2)]
    return items + [{"pk": {"S": key}, "sk": {"S": "#static"}, "theirs": {"BOOL": True}} for key in sorted(FOREIGN)]
