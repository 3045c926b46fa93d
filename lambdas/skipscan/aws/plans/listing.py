"""The planning of a run: the input checked, the table looked at, and sampled where that helps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from skipscan.aws import price_list, table
from skipscan.aws.price_list import PriceList
from skipscan.aws.sampling import take_sample
from skipscan.compare.finished_runs import FinishedRuns
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.estimate.explanation import explain
from skipscan.estimate.facts import Facts
from skipscan.estimate.sampling import LARGE_ITEMS
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.scope import Scope
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId
from skipscan.scan.plan import Plan, plan, resumed

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True)
class RunPlanning:
    """One input, and the table that it names. `results`: of the run of a name."""

    asked: ExecutionInput
    description: TableDescription
    client: "DynamoDBClient"
    pricing: PriceList
    region: str
    results: Callable[[str, str], Results]

    @classmethod
    def of(
        cls,
        document: object,
        client: "DynamoDBClient",
        pricing: PriceList,
        region: str,
        results: Callable[[str, str], Results],
    ) -> "RunPlanning":
        """Return the planning; raise `InputError` or `TableError` for what must not start."""
        asked = parse(document)
        return cls(asked, table.describe(client, asked.table), client, pricing, region, results)

    @property
    def table(self) -> str:
        return self.asked.table

    @property
    def identity(self) -> TableIdentity:
        return self.description.identity

    @property
    def resume(self) -> str | None:
        return self.asked.resume

    @property
    def dry_run(self) -> bool:
        return self.asked.dry_run

    @property
    def over(self) -> str:
        return f'table "{self.asked.table}"'

    def resumed(self, fixed: Plan) -> Plan:
        return resumed(fixed, self.asked, self.description, self._prices)

    def planned(self, execution: ExecutionId) -> tuple[Plan, Mapping[str, Any]]:
        asked, decided = self.asked, plan(self.asked, self.description, self._prices)
        compared = {}
        if asked.compare:
            scope = Scope.of(decided)
            earlier = FinishedRuns(self.results(asked.table, execution.name), scope).chosen(asked.compare)
            compared = {"compare": {"run": earlier}}
        facts = Facts.described(asked.table, self.description, asked.index)
        has_budget = decided.max_read_units is not None  # which a sample that nobody asked for must not use up
        if not (asked.dry_run or (facts.items >= LARGE_ITEMS and not has_budget)):
            return decided, {"facts": facts.to_json(), **compared}
        seed = crc32(execution.arn.encode())
        sample = take_sample(self.client, decided, items=facts.items, size_bytes=facts.size_bytes, seed=seed)
        explanation = explain(asked, decided, self.description, sample=sample, prices=self._prices())
        return explanation.plan, {"facts": facts.to_json(), "explanation": explanation.to_json(), **compared}

    def _prices(self) -> Prices:
        is_infrequent_access = self.description.is_infrequent_access
        return price_list.prices(self.pricing, self.region, is_infrequent_access=is_infrequent_access)

    def explanation(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        explanation: Mapping[str, Any] = document["explanation"]
        return explanation
