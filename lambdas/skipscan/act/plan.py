"""What a job is going to do, decided once: every worker and Finish rest on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, Self

from skipscan.act.action import Action
from skipscan.act.input import ActionInput
from skipscan.act.registry import from_json, to_json
from skipscan.act.slices import slices
from skipscan.dynamodb.capacity import gentle_write_rate
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.pace.workers import choose_workers

THREADS = 16
"""Requests a worker has under way at once."""

REPEATED_KEYS = 1_000
"""What a crash may make a worker do again, where that does harm: so often its progress is committed."""

IDEMPOTENT_KEYS = 100_000
"""The same where it does none: two minutes of puts, so that commits cost next to nothing."""

TURNS = 1_000
"""Of one worker at most, about: Step Functions allows an execution 25,000 events, and a turn is seven."""


@dataclass(frozen=True)
class ActPlan:
    """The decisions of a job; the bounds are those of all workers together. `mark`: on every item that it puts.

    `partition_key`: what the run listed. `sort_key`: the table's own. `keys` and `slices`: how much the run's manifest
    names. `repeated_keys`: a worker does no more between two commits, so a crash has it do no more again.
    `key_units`: write units expected for a key; 1 for an action that writes nothing, whose rate is in keys.
    `skips_ended`: keys are passed over whose item collection has no item any more.
    """

    table: str
    identity: TableIdentity
    run: str
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...]
    format: str
    action: Action
    keys: int
    slices: int
    workers: int
    repeated_keys: int
    key_units: float
    max_units_per_second: float | None
    max_write_units: float | None
    mark: str
    skips_ended: bool = False

    @property
    def worker_units_per_second(self) -> float | None:
        return self.max_units_per_second and self.max_units_per_second / self.workers

    @property
    def worker_write_units(self) -> float:
        """One worker's share of the budget."""
        return inf if self.max_write_units is None else self.max_write_units / self.workers

    @property
    def share_units(self) -> float | None:
        return None if self.max_write_units is None else self.worker_write_units

    @property
    def page_units(self) -> float:
        """What a worker's requests under way may take together."""
        return THREADS * self.key_units

    @property
    def bounds(self) -> dict[str, float | None]:
        return {"max_write_units": self.max_write_units}

    @property
    def stated(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "identity": self.identity.to_json(),
            "run": self.run,
            "action": to_json(self.action),
            "skips_ended": self.skips_ended,
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "identity": self.identity.to_json(),
            "run": self.run,
            "partition_key": [{"name": a.name, "type": a.type} for a in self.partition_key],
            "sort_key": [{"name": a.name, "type": a.type} for a in self.sort_key],
            "format": self.format,
            "action": to_json(self.action),
            "keys": self.keys,
            "slices": self.slices,
            "workers": self.workers,
            "repeated_keys": self.repeated_keys,
            "key_units": self.key_units,
            "max_units_per_second": self.max_units_per_second,
            "max_write_units": self.max_write_units,
            "mark": self.mark,
            "skips_ended": self.skips_ended,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **document,
                "identity": TableIdentity.from_json(document["identity"]),
                "partition_key": tuple(KeyAttribute(**entry) for entry in document["partition_key"]),
                "sort_key": tuple(KeyAttribute(**entry) for entry in document["sort_key"]),
                "action": from_json(document["action"]),
            }
        )


def budget(asked: ActionInput, prices: Prices, *, key_units: float, skips_ended: bool) -> float | None:
    """Return the write units that may be consumed: the fewer of those asked for and those the dollars buy.

    `key_units`: write units of a key, which takes a read unit besides where it is looked at first.
    """
    unit_dollars = prices.write_units.of(1) + (prices.read_units.of(1) / key_units if skips_ended else 0.0)
    bounds = [asked.max_write_units, asked.max_dollars and asked.max_dollars / unit_dollars]
    return min((bound for bound in bounds if bound is not None), default=None)


def rate(asked: ActionInput, action: Action, description: TableDescription) -> float | None:
    """Return the units a second that the job may take: those asked for, or else a gentle rate."""
    if not action.writes:
        return asked.max_keys_per_second
    return asked.max_write_units_per_second or gentle_write_rate(description)


def repeated_keys(action: Action, keys: int, workers: int) -> int:
    """Return how many keys a worker may do between two commits."""
    fewest = IDEMPOTENT_KEYS if action.is_idempotent else REPEATED_KEYS
    at_once = THREADS * action.tasks_together * action.keys_together
    return max(fewest, at_once, ceil(keys / workers / TURNS))


def plan(
    asked: ActionInput,
    action: Action,
    manifest: Mapping[str, Any],
    description: TableDescription,
    *,
    key_units: float,
    prices: Prices,
    mark: str,
) -> ActPlan:
    """Return the plan of a job over the run of a manifest, on the table that is described so."""
    cut = len(slices(manifest["parts"]))
    units_per_second = rate(asked, action, description)
    workers = choose_workers(asked.workers, cut, units_per_second)
    return ActPlan(
        table=asked.table,
        identity=description.identity,
        run=asked.run,
        partition_key=tuple(KeyAttribute(**entry) for entry in manifest["partition_key"]),
        sort_key=description.sort_key,
        format=manifest["format"],
        action=action,
        keys=manifest["keys"],
        slices=cut,
        workers=workers,
        repeated_keys=repeated_keys(action, manifest["keys"], workers),
        key_units=key_units,
        max_units_per_second=units_per_second,
        max_write_units=budget(asked, prices, key_units=key_units, skips_ended=asked.skips_ended),
        mark=mark,
        skips_ended=asked.skips_ended,
    )
