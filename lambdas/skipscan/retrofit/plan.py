"""What a retrofit is going to do, decided once: every worker and Finish rest on it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, Self

from skipscan.act.plan import choose_workers
from skipscan.errors import TableError
from skipscan.execution_input import MAX_SEGMENTS, ExecutionInput, Strategy
from skipscan.plan import Plan, plan, resumed
from skipscan.prices import Prices
from skipscan.retrofit.concatenation import Separator
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.targets import KeyRole, Target, Targets
from skipscan.segments import share
from skipscan.write_rate import gentle_write_rate


@dataclass(frozen=True)
class RetrofitPlan:
    """The decisions of a retrofit; the bounds are those of all workers together.

    `reading`: how the table is walked, at which rate and budget of read units. `templates`: by target. `roles`: what
    indexes ask of a target. `update_units`: the write units that an update is expected to consume. `read_unit_dollars`,
    `write_unit_dollars`: what `max_dollars` is counted in.
    """

    reading: Plan
    templates: Mapping[str, str]
    separator: Separator
    roles: Mapping[str, tuple[KeyRole, ...]]
    verify: bool
    update_units: float
    max_write_units_per_second: float | None
    max_write_units: float | None
    max_dollars: float | None
    read_unit_dollars: float
    write_unit_dollars: float

    @cached_property
    def targets(self) -> Targets:
        parsed = Targets.parse(self.templates, self.separator)
        return Targets(tuple(Target(t.name, t.value, self.roles.get(t.name, ())) for t in parsed.targets))

    @property
    def projected(self) -> tuple[str, ...]:
        """The attributes that a page must bring: of the key, the sources and the targets."""
        key = (attribute.name for attribute in self.reading.source.key)
        return tuple(dict.fromkeys((*key, *self.targets.sources, *self.targets.names)))

    @property
    def passes(self) -> int:
        """How often every segment is walked: once to write, and once to verify if that is asked for."""
        return 2 if self.verify else 1

    def segments_of(self, worker: int) -> int:
        return share(worker, self.workers, self.reading.segments)

    @property
    def worker_write_units_per_second(self) -> float | None:
        """One worker's share of the rate: segments are spread so that all have the same amount to write."""
        return self.max_write_units_per_second and self.max_write_units_per_second / self.workers

    @property
    def workers(self) -> int:
        return self.reading.workers

    def has_spent(self, read_units: float, write_units: float) -> bool:
        """Tell whether one worker that consumed so much has used up its share of a budget."""
        dollars = read_units * self.read_unit_dollars + write_units * self.write_unit_dollars
        return (
            read_units >= self.reading.worker_read_units
            or write_units * self.workers >= (inf if self.max_write_units is None else self.max_write_units)
            or dollars * self.workers >= (inf if self.max_dollars is None else self.max_dollars)
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "reading": self.reading.to_json(),
            "roles": {name: [asdict(role) for role in roles] for name, roles in self.roles.items()},
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            **{
                **document,
                "reading": Plan.from_json(document["reading"]),
                "separator": Separator(document["separator"]),
                "roles": {n: tuple(KeyRole(**role) for role in roles) for n, roles in document["roles"].items()},
            }
        )


def retrofit_plan(asked: RetrofitInput, description: Mapping[str, Any], prices: Prices) -> RetrofitPlan:
    """Return the plan for a table that DescribeTable describes so (its `Table` document).

    Raises `InputError` for targets that the table's keys or indexes forbid, `TableError` for a table in no state.
    """
    targets = Targets.parse(asked.templates, asked.separator).described(description)
    rate = asked.max_write_units_per_second or gentle_write_rate(description)
    reading = ExecutionInput(
        table=asked.table,
        segments=asked.segments,
        workers=choose_workers(asked.workers, asked.segments or MAX_SEGMENTS, rate),
        consistent_read=asked.consistent_read,
        strategy=Strategy.PAGE,
        max_read_units_per_second=asked.max_read_units_per_second,
        max_read_units=asked.max_read_units,
    )
    return RetrofitPlan(
        reading=plan(reading, description),
        templates=asked.templates,
        separator=asked.separator,
        roles={target.name: target.roles for target in targets.targets},
        verify=asked.verify,
        update_units=1.0,
        max_write_units_per_second=rate,
        max_write_units=asked.max_write_units,
        max_dollars=asked.max_dollars,
        read_unit_dollars=prices.read_units.of(1),
        write_unit_dollars=prices.write_units.of(1),
    )


def resumed_plan(
    standing: RetrofitPlan, asked: RetrofitInput, description: Mapping[str, Any], prices: Prices
) -> RetrofitPlan:
    """Return the plan with which a retrofit goes on: as it was planned, at the rates and budgets asked for now.

    Raises `TableError` if the keys of the table, or what its indexes ask of a target, are no longer what they were.
    """
    reading = ExecutionInput(
        table=asked.table,
        max_read_units_per_second=asked.max_read_units_per_second,
        max_read_units=asked.max_read_units,
    )
    roles = {target.name: target.roles for target in standing.targets.described(description).targets}
    if roles != standing.roles:
        raise TableError(
            f'table "{asked.table}" has other indexes on {", ".join(roles)} than when the retrofit began: start a new '
            "one; items that are right already cost it no write"
        )
    return replace(
        standing,
        reading=resumed(standing.reading, reading, description),
        max_write_units_per_second=asked.max_write_units_per_second or gentle_write_rate(description),
        max_write_units=asked.max_write_units,
        max_dollars=asked.max_dollars,
        read_unit_dollars=prices.read_units.of(1),
        write_unit_dollars=prices.write_units.of(1),
    )
