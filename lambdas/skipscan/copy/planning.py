"""The planning of a copy: describe both tables, sample a few items, create the new table on request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from skipscan.aws import table
from skipscan.aws.services import DynamoDBClient
from skipscan.copy.input import CopyInput, parse_copy
from skipscan.copy.plan import CopyForecast, CopyPlan, copy_plan
from skipscan.copy.replica import Replica, check_apart, target_warnings
from skipscan.copy.target_requests import Keys, target_of
from skipscan.dynamodb.delivery import reader_warnings
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription, check_recovery, vector_warnings
from skipscan.errors import TableError
from skipscan.inputs.names import table_name
from skipscan.items.sample_requests import sample_items
from skipscan.listing import price_requests
from skipscan.listing.estimate.warning import job_warnings
from skipscan.listing.price_requests import PriceList
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.work import ExecutionId


@dataclass(frozen=True)
class CopyPlanning(Planning[CopyPlan]):
    """One input and both tables. `recovery`: the target's point-in-time recovery; `None` if unknown.

    `check_on`: raises `TableError` if the replicator is switched off.
    """

    work_input: CopyInput
    replica: Replica
    target: TableDescription
    recovery: bool | None
    prices: Prices
    client: DynamoDBClient
    warnings: list[str]
    check_on: Callable[[Replica], object]

    @classmethod
    def open(
        cls,
        document: object,
        client: DynamoDBClient,
        pricing: PriceList,
        region: str,
        replicas: Sequence[Mapping[str, Any]],
        *,
        keys: Keys,
        followers: Mapping[str, Sequence[str]],
        retrofitted: Sequence[str],
        check_on: Callable[[Replica], object],
    ) -> "CopyPlanning":
        """Return the planning; raise `InputError` or `TableError` for a copy that must not start.

        `replicas`: the pairs that the environment names, as `Replica` documents. `followers`: by table name, the
        readers of its stream. `retrofitted`: the names of the tables that retrofits may write to.
        """
        copy_input = parse_copy(document)
        description = table.describe(client, copy_input.table)
        replica = replica_of(copy_input, description, replicas)
        if not copy_input.compare_only:
            others = [pair for pair in map(Replica.from_json, replicas) if pair != replica]
            check_apart(replica, others, followers, retrofitted)
        if not (copy_input.compare_only or copy_input.resume):
            check_on(replica)  # before a table is created
        name = table_name(replica.target)
        target = target_of(client, keys, description, name, create=copy_input.create, dry_run=copy_input.dry_run)
        replica.check(description, target)
        recovery = table.has_recovery(client, replica.target)
        if not (copy_input.dry_run or copy_input.compare_only or copy_input.without_recovery):
            check_recovery(copy_input.to, recovery)
        prices = price_requests.prices(pricing, region, is_infrequent_access=description.is_infrequent_access)
        vectors = [] if copy_input.compare_only else vector_warnings(target)
        warnings = [*reader_warnings(description, followers), *target_warnings(target), *vectors]
        return cls(copy_input, description, replica, target, recovery, prices, client, warnings, check_on)

    def resumed(self, fixed: CopyPlan) -> CopyPlan:
        if not fixed.compare_only:
            self.check_on(self.replica)
        if fixed.replica != self.replica:
            raise TableError(
                "resume",
                self.work_input.resume,
                "the environment has another target, stream or set for the table since",
                "start a new copy; items that are already correct cost one write unit per KB and are not written again",
            )
        fixed.target.check(self.target.identity, f'resume is "{self.work_input.resume}"; what that copy writes')
        return fixed.resumed(self.work_input, self.description, self.target, self.prices)

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[CopyPlan, Mapping[str, Any]]:
        decided = copy_plan(self.work_input, self.replica, self.description, self.target, self.prices)
        decided = decided.described(attempt.sampled_units())
        reading = decided.reading
        sample = sample_items(self.client, decided, crc32(execution.arn.encode()), attempt)
        forecast = CopyForecast.of(decided.transform, sample, reading.segments, self.description, self.target)
        decided = forecast.known(decided, attempt.sampled_units()).over(forecast.items)
        explanation = forecast.to_json(decided, recovery=self.recovery)
        general = job_warnings(decided, self.work_input.workers, reading.segments, explanation["minutes"])
        return decided, {"explanation": {**explanation, "warnings": [*self.warnings, *general]}}


def replica_of(copy_input: CopyInput, description: TableDescription, replicas: Sequence[Mapping[str, Any]]) -> Replica:
    """Return the pair that the environment names for the table.

    Raises `TableError` if it names none, or another target than the input.
    """
    name = description.name
    for document in replicas:
        replica = Replica.from_json(document)
        if replica.source in (name, description.arn):
            if copy_input.to not in (replica.target, table_name(replica.target)):
                raise TableError(
                    "to",
                    copy_input.to,
                    f'this environment copies table "{name}" to {table_name(replica.target)}, and its '
                    "replicator writes there",
                    "use that table, or change it in cdk.json and deploy",
                )
            return replica
    raise TableError(
        "table",
        name,
        "this environment does not copy it",
        f'add "writing": {{"{name}": {{"copy": {{"to": "<target>", "stream": "<ARN>"}}}}}} to it in cdk.json, '
        "and deploy",
    )
