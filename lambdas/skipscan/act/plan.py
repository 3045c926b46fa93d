"""The plan of a job, made once: every worker and Finish use it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import ceil
from typing import Any, Self

from skipscan import form
from skipscan.act.action import Action
from skipscan.act.actions.delete_listed import DeleteListed
from skipscan.act.input import ActionInput, AnyAction
from skipscan.act.kept import Kept
from skipscan.act.parts import cut
from skipscan.dynamodb.capacity import gentle_read_rate, gentle_write_rate, served_write_units
from skipscan.dynamodb.page import ITEM_STEPS
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription, TableIdentity
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable
from skipscan.errors import InputError, StateError, intact
from skipscan.items.job import THREADS
from skipscan.lines.convert import has_items
from skipscan.lines.formats import format_of
from skipscan.lines.json_lines import JSONL
from skipscan.pace.bill import Amounts, amounts, bounded
from skipscan.pace.limits import Limits, choose_workers
from skipscan.pace.rate import PAGE_SECONDS, SharedRate
from skipscan.scan.history import LONGEST_BATCH_SECONDS

REPEATED_KEYS = 1_000
"""The most keys that a crash may repeat, where repeating does harm: a worker commits at least this often."""

IDEMPOTENT_KEYS = 100_000
"""The same where repeating does no harm: two minutes of puts, so that commits cost next to nothing."""

TURNS = 1_000
"""About the most turns of one worker: an execution may have 25,000 events, and a turn has seven."""


@dataclass(frozen=True)
class DoneAct:
    """What an undo needs of the plan of an act. These members mean the same in every version from form 8 on."""

    identity: TableIdentity
    run: str
    manifest_sha256: str
    action: AnyAction
    mark: str

    @classmethod
    def of_any_version(cls, document: Mapping[str, Any]) -> Self:
        """Return what plan.json says; raise `StateError` for one that somebody changed."""
        with intact(StateError("the plan of the act to undo", rule="is not whole", remedy="undo its items by hand")):
            return form.read(cls, {member.name: document["plan"][member.name] for member in fields(cls)})


@dataclass(frozen=True)
class ActPlan:
    """The decisions of a job; the bounds are those of all workers together. `mark`: on every item that it puts.

    `manifest_sha256`: of the run's manifest, because a run's name may recur. `partition_key`: the one that the run
    listed. `sort_key`: the table's. `keys`, `slices`: how many the run's manifest has. `repeated_keys`: the most keys
    between two commits, and so the most that a crash repeats. `key_units`, `most_key_units`: expected write units of a
    key, and of the most expensive key in the sample. `worst_key_units`: of a key with the largest item that DynamoDB
    allows. All three are 1 for an action that writes nothing, whose rate is in keys.
    `prices`: for dollars. `skips_ended`: skip keys whose item collection has no item any more. `has_items`: the run's
    lines have items beside the keys; only a job that `takes_items` uses them. `has_level`: a key ends with its prefix.
    `kept`: what the run left out of each group, where the job deletes what it listed.
    """

    table: str
    identity: TableIdentity
    run: str
    manifest_sha256: str
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...]
    format: str
    action: AnyAction
    keys: int
    slices: int
    workers: int
    repeated_keys: int
    key_units: float
    most_key_units: float
    worst_key_units: float
    max_units_per_second: float | None
    max_write_units: float | None
    max_dollars: float | None
    prices: Prices
    mark: str
    skips_ended: bool = False
    has_items: bool = False
    has_level: bool = False
    kept: Kept | None = None

    @property
    def line_format(self) -> str:
        """Return the format of the lines of tasks: that of the parts, or JSON where a record may hold line ends."""
        return self.format if format_of(self.format).quote is None else JSONL.name

    @property
    def tables(self) -> dict[str, TableIdentity]:
        """Return the table if a worker reads or writes it."""
        return {self.table: self.identity} if self.action.writes or self.looks else {}

    longest_batch_seconds = LONGEST_BATCH_SECONDS

    @cached_property
    def limits(self) -> Limits:
        """What the job may consume. Only an action without budgets has several tasks in a request."""
        together = self.action.keys_together
        return Limits(
            workers=self.workers,
            prices=self.prices,
            budget=bounded(None, self.max_write_units, self.max_dollars),
            least=self.consumed_by(together * self.key_units, together),
            page=self.consumed_by(together * self.worst_key_units, together),
            writes=SharedRate(self.max_units_per_second, together * self.worst_key_units),
        )

    @property
    def request_keys(self) -> int:
        """Return the keys of one request: as many as the action and the rate allow."""
        keys, tasks, rate = self.action.keys_together, self.action.tasks_together, self.limits.worker_writes
        return keys * max(1, min(tasks, int(PAGE_SECONDS * rate / (keys * self.most_key_units))) if rate else tasks)

    def checked(self, *, workers: int = 1) -> Self:
        """Return the plan; raise `InputError` for a budget that is too small for one request.

        `workers`: see `Limits.check`.
        """
        reasons = {
            "write_units": "a request takes about that many, estimated from the sample of keys",
            "dollars": "the other services cost about that much for one request",
        }
        self.limits.check(f'an act on table "{self.table}"', self.limits.least, reasons, workers=workers)
        return self

    def consumed_by(self, units: float, keys: int) -> Amounts:
        """Return the maximum cost of `units` of the rate, with reads of `keys` collections.

        The units of an action that writes nothing are keys. A look reads the first item of a collection, or the item
        that a job may delete, and those to keep of its group.
        """
        looks = float(keys * ITEM_STEPS * (1 + (self.kept.items if self.kept else 0))) if self.looks else 0.0
        return amounts(self.prices, looks, units if self.action.writes else 0.0)

    @property
    def looks(self) -> bool:
        """Whether a worker reads an item of each key before the action."""
        return self.skips_ended or self.action.reads_items

    @property
    def bounds(self) -> dict[str, float | None]:
        return {"max_write_units": self.max_write_units, "max_dollars": self.max_dollars}

    @property
    def stated(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "identity": form.write(self.identity),
            "run": self.run,
            "action": {self.action.name: form.write(self.action)},
            "skips_ended": self.skips_ended,
        }


def check_run(of: "DoneAct | ActPlan", manifest: Mapping[str, Any], what: str) -> None:
    """Raise `InputError` unless the manifest is that of the run whose keys the act has.

    A place in other parts means nothing. `what`: whose plan this is, for messages.
    """
    if digest_of(manifest) != of.manifest_sha256:
        raise InputError(
            "run",
            of.run,
            f"{what} belongs to an earlier run of this name, whose results are not on S3 any more (the "
            f"run that is there started {manifest.get('started')})",
            "start a new act on it",
        )


def digest_of(manifest: Mapping[str, Any]) -> str:
    """Return the digest of a run's manifest, which names its execution and has the digest of each part."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def rate(
    action_input: ActionInput, action: Action, description: TableDescription, *, skips_ended: bool
) -> float | None:
    """Return the units a second that the job may consume: the input's, or a gentle rate.

    `skips_ended`: it looks at each key's collection, for at least one read unit.
    """
    if not action.writes:
        looks = gentle_read_rate(description, None) if skips_ended else None
        return action_input.max_keys_per_second or looks
    return action_input.max_write_units_per_second or gentle_write_rate(description)


def repeated_keys(action: Action, keys: int, workers: int) -> int:
    """Return how many keys a worker may do between two commits."""
    fewest = IDEMPOTENT_KEYS if action.is_idempotent else REPEATED_KEYS
    at_once = THREADS * action.tasks_together * action.keys_together
    return max(fewest, at_once, ceil(keys / workers / TURNS))


def plan_act(
    action_input: ActionInput,
    action: AnyAction,
    manifest: Mapping[str, Any],
    description: TableDescription,
    *,
    units: WriteUnits,
    prices: Prices,
    mark: str,
) -> ActPlan:
    """Return the plan of a job over the run of a manifest, for the described table. `units`: of a key.

    Raises `InputError` for a budget that is too small.
    """
    slices = len(cut(manifest))
    units_per_second = rate(action_input, action, description, skips_ended=action_input.skips_ended)
    served = served_write_units(description) if action.writes else None
    workers = choose_workers(action_input.workers, slices, units_per_second or served)
    decided = ActPlan(
        table=action_input.table,
        identity=description.identity,
        run=action_input.run,
        manifest_sha256=digest_of(manifest),
        partition_key=partition_key_of(manifest),
        sort_key=description.sort_key,
        format=manifest["format"],
        action=action,
        keys=manifest["keys"],
        slices=slices,
        workers=workers,
        repeated_keys=0,  # set below: it depends on how many workers the limits allow
        key_units=units.each,
        most_key_units=units.largest,
        worst_key_units=action.most_units(WrittenTable.described(description), units.largest),
        max_units_per_second=units_per_second,
        max_write_units=action_input.max_write_units,
        max_dollars=action_input.max_dollars,
        prices=prices,
        mark=mark,
        skips_ended=action_input.skips_ended,
        has_items=has_items(manifest),
        has_level=bool(manifest.get("level")),
        kept=Kept.of_manifest(manifest, action_input.table, description) if isinstance(action, DeleteListed) else None,
    )
    decided = replace(decided, workers=decided.limits.fitting)
    return replace(decided, repeated_keys=repeated_keys(action, manifest["keys"], decided.workers)).checked()
