"""Acts, retrofits and copies for the schedules: the tables they write to, and what they must have done."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from skipscan.act.kind import ACT
from skipscan.copy.kind import COPY
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT
from tests.fakes.attribute_value import Item
from tests.fakes.s3 import StoredObject
from tests.fakes.services import Queue
from tests.simulation.faults.catalogue import Setting
from tests.simulation.world.functions import RECEIVER, TABLE, TARGET, functions
from tests.simulation.world.orders import COLLECTIONS, INPUTS, Orders, OrdersWorld

KINDS: dict[str, Kind[Any]] = {"act": ACT, "retrofit": RETROFIT, "copy": COPY}
SENDING = {"send": {"queue": RECEIVER, "keys_per_message": 2}}
COUNTED = {
    "act": ("put", "present", "sent", "failed"),
    "retrofit": ("written", "right", "gone", "lacking", "refused", "contended"),
    "copy": ("copied", "present", "differing", "refused"),
}
"""The counts that together are all keys or items."""


class Job:
    """One job over the table that is enabled for all of them. `objects`: what lies on S3 before it."""

    budget: float | None = None  # its overrun is measured by tests/simulation/money

    def __init__(self, setting: Setting) -> None:
        self.setting, self.kind, self.table = setting, KINDS[setting.kind], TABLE
        self._orders, self._queue = Orders(), Queue()
        self.objects = listed() if setting.kind == "act" else {}

    @property
    def description(self) -> dict[str, Any]:
        return self._orders.otherwise

    @description.setter
    def description(self, otherwise: dict[str, Any]) -> None:
        # No job begins while a table is changed, and what has no plan cannot be resumed.
        self._orders.otherwise = {name: value for name, value in otherwise.items() if name != "TableStatus"}

    @property
    def document(self) -> dict[str, Any]:
        setting = self.setting
        document = {**INPUTS[setting.kind], "max_write_units": setting.max_read_units}
        if setting.kind != "act":
            return {**document, "segments": setting.segments, "workers": min(setting.workers, setting.segments)}
        if setting.action == "send":
            document = {name: value for name, value in document.items() if name not in {"put_item", "max_write_units"}}
            document |= SENDING
        return {**document, "workers": setting.workers}

    def resumed(self, budget: float | None) -> dict[str, Any]:
        repeated = {"act": {"run": "run-1"}, "copy": {"to": TARGET}}.get(self.setting.kind, {})
        return {**repeated, "max_write_units": None if self.setting.action == "send" else budget}

    @property
    def services(self) -> dict[str, Callable[[], Any]]:
        return {"dynamodb": lambda: self._orders, "sqs": lambda: self._queue}

    def write(self, number: int) -> None:
        """Do nothing: `tests.simulation.histories` writes to the tables of jobs."""

    def wrong(self, listed: list[dict[str, Any]], manifest: Mapping[str, Any]) -> str:
        """Return what is wrong. `listed`: the lines of keys or items that could not be done."""
        counts = {name: manifest.get(name, 0) for name in COUNTED[self.setting.kind]}
        if sum(counts.values()) != manifest[self.kind.default_count]:
            return f"the counts are {counts}, of {manifest[self.kind.default_count]}"
        failed = {json.dumps(line["key"]) for line in listed}
        if len(failed) != len(listed):
            return f"twice among those that could not be done: {listed}"
        undone = {json.dumps(key) for key in self._undone()}
        return f"neither done nor listed: {undone - failed}" if undone - failed else ""

    def _undone(self) -> list[Any]:
        """Return the keys for which the effect is missing."""
        if self.setting.kind == "retrofit":
            return [key(item) for item in self._orders.items(TABLE) if item.get("made") != made(item)]
        if self.setting.kind == "copy":
            new = self._orders.items(TARGET)
            return [key(item) for item in self._orders.items(TABLE) if {**item, "made": made(item)} not in new]
        keys = [f"{number}" for number in range(COLLECTIONS)]
        if self.setting.action == "send":
            sent = [line["pk"] for body in self._queue.bodies for line in json.loads(body)["keys"]]
            return [{"pk": pk} for pk in keys if pk not in sent]
        put = {item["pk"]["S"] for item in self._orders.items(TABLE) if item.get("GSI-pk") == item["pk"]}
        return [{"pk": pk} for pk in keys if pk not in put]


def key(item: Item) -> Item:
    return {name: item[name] for name in ("pk", "sk")}


def made(item: Item) -> dict[str, str]:
    return {"S": f"{item['a']['S']}_{item['b']['S']}"}


@cache
def listed() -> Mapping[str, StoredObject]:
    """Return what lies on S3 after the run that an act needs."""
    world = OrdersWorld()
    with functions().simulated():
        world.carry_out("listing", "run-1")
    return dict(world.s3.objects)
