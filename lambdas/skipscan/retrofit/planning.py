"""The planning of a retrofit: describe the table and sample a few items."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.function import Settings
from skipscan.dynamodb.delivery import reader_warnings
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import check_recovery, check_replicas, vector_warnings
from skipscan.errors import TableError
from skipscan.items.sample_requests import sample_items
from skipscan.listing import price_requests
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.work import ExecutionId
from skipscan.retrofit.forecast import Forecast, unfound
from skipscan.retrofit.input import RetrofitInput, parse_retrofit
from skipscan.retrofit.plan import RetrofitPlan, resumed_plan, retrofit_plan


@dataclass(frozen=True)
class RetrofitPlanning(Planning[RetrofitPlan]):
    """One input and its table. `recovery`: whether it has point-in-time recovery; `None`: unknown."""

    work_input: RetrofitInput
    recovery: bool | None
    prices: Prices
    client: DynamoDBClient
    warnings: list[str]

    @classmethod
    def open(cls, document: object, client: DynamoDBClient, pricing: Any, settings: Settings) -> "RetrofitPlanning":
        """Return the planning; raise `InputError` or `TableError` for a retrofit that must not start."""
        retrofit_input = parse_retrofit(document)
        description = table.describe(client, retrofit_input.table)
        if description.arn not in settings.retrofitted:
            name = description.name
            raise TableError(
                "table",
                name,
                "this environment does not allow retrofits of it",
                f'add "writing": {{"{name}": {{"retrofit": true}}}} to it in cdk.json, and deploy',
            )
        check_replicas(description, no_writes_elsewhere=retrofit_input.no_writes_elsewhere)
        recovery = table.has_recovery(client, retrofit_input.table)
        if not (retrofit_input.dry_run or retrofit_input.without_recovery):
            check_recovery(retrofit_input.table, recovery)
        prices = price_requests.of_table(pricing, client, description)
        warnings = [*reader_warnings(description, settings.followers), *vector_warnings(description)]
        return cls(retrofit_input, description, recovery, prices, client, warnings)

    def resumed(self, fixed: RetrofitPlan) -> RetrofitPlan:
        return resumed_plan(fixed, self.work_input, self.description, self.prices)

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[RetrofitPlan, Mapping[str, Any]]:
        decided = retrofit_plan(self.work_input, self.description, self.prices).described(attempt.sampled_units())
        sample = sample_items(self.client, decided, crc32(execution.arn.encode()), attempt)
        forecast = Forecast.of(decided.assignments, sample, decided.reading.segments, self.description)
        decided = decided.sampled(attempt.sampled_units(), forecast.item_bytes, forecast.units)
        explanation = forecast.to_json(
            decided, self.description, recovery=self.recovery, shows=self.work_input.show_items
        )
        general = decided.warnings(self.work_input.workers, explanation["minutes"])
        warnings = [*unfound(decided.assignments, sample.items), *self.warnings, *general]
        return decided, {"explanation": {**explanation, "warnings": warnings}}
