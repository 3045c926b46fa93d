"""The planning of a run: the input checked, the table looked at, and sampled where that helps."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from zlib import crc32

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.function import Settings
from skipscan.dynamodb.page import PAGE_BYTES, STEP_BYTES
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import SourceKind
from skipscan.errors import InputError, rendered
from skipscan.inputs.fields import MOST_FILE_BYTES
from skipscan.inputs.relative_bound import is_since_previous
from skipscan.lines.convert import bodies
from skipscan.lines.given_keys import GivenKeys, check_size, keys_of_file, keys_of_run
from skipscan.listing import price_requests
from skipscan.listing.compare.finished_runs import FinishedRuns, finished_run, to_compare
from skipscan.listing.concurrency_requests import FreeFunctions
from skipscan.listing.estimate.cost import unit_seconds, worker_seconds
from skipscan.listing.estimate.explanation import Explanation, explain
from skipscan.listing.estimate.offer import Facts, is_expected
from skipscan.listing.estimate.warning import bounds_stated, costly_queries
from skipscan.listing.estimate.ways import given_requests
from skipscan.listing.execution_input import ExecutionInput, check_taken, fixed_fields, parse, resolve_bounds
from skipscan.listing.fields import LEVEL, MAX_WORKERS, ONLY, ONLY_PREFIX, RANGE
from skipscan.listing.plan import held_workers, plan_listing, resumed
from skipscan.listing.scope import Scope
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId
from skipscan.pace.bill import affordable_reads
from skipscan.pace.bounds import Bounds
from skipscan.sample.requests import take_sample
from skipscan.sample.sample import Sample
from skipscan.scan.history import Fitted, Workload, fitted
from skipscan.scan.plan import Plan

LARGE_ITEMS = 10_000_000
"""From this number of items on, every run takes a sample: it costs little of the run, and decides its segments."""

SCOPED = {"index", *LEVEL, "depth", "take", *RANGE, *ONLY}
"""The fields that say what is listed. The others, such as workers, may change within a series."""


@dataclass(frozen=True)
class RunPlanning(Planning[Plan]):
    """One input, and the table that it names. `results`: of the run of a name. `slots`: of Lambda, read when needed.

    `settings`: of the environment, whose bounds end a batch.
    """

    work_input: ExecutionInput
    client: DynamoDBClient
    pricing: Any
    results: Callable[[str, str], Results]
    slots: Callable[[], FreeFunctions]
    settings: Settings

    @classmethod
    def open(
        cls,
        document: object,
        client: DynamoDBClient,
        pricing: Any,
        results: Callable[[str, str], Results],
        *,
        slots: Callable[[], FreeFunctions],
        settings: Settings,
    ) -> "RunPlanning":
        """Return the planning; raise `InputError` or `TableError` for what must not start."""
        listing_input = parse(document)
        check_taken(listing_input, settings.key_attributes)
        description = table.describe(client, listing_input.table)
        return cls(listing_input, description, client, pricing, results, slots, settings)

    def resumed(self, fixed: Plan) -> Plan:
        return resumed(fixed, self.work_input, self.description, self._prices())

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[Plan, Mapping[str, Any]]:
        given = self._given()
        slots = self.slots()
        listing_input, document, sentences = self._resolved(execution, slots)
        decided = plan_listing(listing_input, self.description, self._prices(), only=given.only)
        if not self.work_input.dry_run:
            given.store(self.results(self.work_input.table, execution.name))
        facts = Facts.described(listing_input.table, self.description, listing_input.index)
        document |= {"facts": facts.to_json(), "concurrency": slots.to_json()}
        if listing_input.compare:
            run = self.results(listing_input.table, execution.name)
            earlier, warning = to_compare(listing_input.compare, run, Scope.of(decided))
            document["compare"] = {"run": earlier}
            sentences.append(warning)
        whole = whole_workload(decided, facts, self.settings.batch)
        if self._needs_sample(listing_input, decided, facts, whole):
            seed = crc32(execution.arn.encode())
            of_all, is_followed = replace(decided, only=None), not listing_input.dry_run
            sample = take_sample(self.client, of_all, items=facts.items, seed=seed, is_followed=is_followed)
            fitting, explanation = self._explained(listing_input, decided, sample, whole, slots)
            explanation["warnings"] = [*filter(None, sentences), *explanation["warnings"]]
            return fitting, {**document, "explanation": explanation}
        fit = self._fit(decided, whole, slots)
        fitting = replace(decided, workers=fit.workers, batch_seconds=fit.batch_seconds)
        sentences += [*bounds_stated(listing_input, fitting), *costly_queries(decided, facts)]
        return fitting, {**document, "warnings": [*filter(None, sentences)]}

    def _resolved(
        self, execution: ExecutionId, slots: FreeFunctions
    ) -> tuple[ExecutionInput, dict[str, Any], list[str | None]]:
        """Return the input with absolute bounds and no more workers than are free, and what to store and to warn of."""
        started = datetime.fromisoformat(execution.started)
        wanted = self.work_input.workers
        sentences = [None if wanted is None else slots.lowered(wanted)]
        series = self._series() if is_since_previous(self.work_input.since) else ""
        resolved = resolve_bounds(self.work_input, started, lambda: self._previous_start(execution, series))
        if series and resolved.since is None:
            sentences.append("No complete run of this input is known yet, so this one has no bound: it lists all.")
        if wanted is not None:
            resolved = replace(resolved, workers=min(wanted, slots.most_workers))
        return resolved, {"series": series} if series else {}, sentences

    def _needs_sample(self, listing_input: ExecutionInput, decided: Plan, facts: Facts, whole: Workload) -> bool:
        """Return whether DescribeTable says too little of the run; a sample must not use up the run's own budget."""
        is_long = not whole.fits(decided.workers, self.settings.batch_seconds)
        is_unknown = decided.only is None and (facts.items >= LARGE_ITEMS or is_long)
        return listing_input.dry_run or (is_unknown and not decided.limits.budget.is_bounded)

    def _explained(
        self, listing_input: ExecutionInput, decided: Plan, sample: Sample, whole: Workload, slots: FreeFunctions
    ) -> tuple[Plan, dict[str, Any]]:
        """Return the plan that fits what the sample found, and its explanation."""

        def explained(workers: int | None) -> Explanation:
            return explain(replace(listing_input, workers=workers), decided, self.description, sample=sample)

        explanation = explained(listing_input.workers)
        workers = explanation.plan.workers
        if workers > slots.most_workers:
            explanation = explained(slots.most_workers)
        fit = self._fit(explanation.plan, sampled_workload(explanation, self.settings.batch) or whole, slots)
        if fit.workers != explanation.plan.workers:
            explanation = explained(fit.workers)
        document = explanation.to_json()
        sentences = slots.lowered(workers), fit.refusal and rendered(f"{fit.refusal}: {fit.remedy}")
        document["warnings"] = [*filter(None, sentences), *document["warnings"]]
        return replace(explanation.plan, batch_seconds=fit.batch_seconds), document

    def _given(self) -> GivenKeys:
        """Return the keys of the list that the input names; raise `InputError` for one that cannot be used."""
        of = self.work_input
        partition_key = Source.described(of.table, self.description, of.index).partition_key
        if of.only_run is not None:
            run = self.results(of.table, of.only_run)
            manifest = finished_run("only_run", run, self.description.identity)
            return keys_of_run(manifest, bodies(run.storage, manifest), partition_key, "only_run")
        if not isinstance(of.only, str):
            return GivenKeys()
        # Of any run: the lists belong to the environment.
        storage, name = self.results(of.table, "any").storage, f"{ONLY_PREFIX}{of.only}"
        found = storage.look(name)
        if found is None:
            raise InputError(
                "only", of.only, f"the results bucket has no object {name}", "correct it, or put the list of keys there"
            )
        check_size(found.bytes, MOST_FILE_BYTES, "only")
        return keys_of_file(storage.get(name) or b"", partition_key)

    def _series(self) -> str:
        """Return the id of the runs that ask for the same of the same table, whatever range that came to."""
        scoped = {
            name: value for name, value in fixed_fields(self.work_input).items() if name in SCOPED and value is not None
        }
        document = {**vars(self.description.identity), **scoped}
        return sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()[:16]

    def _previous_start(self, execution: ExecutionId, series: str) -> datetime | None:
        """Return the start of the last complete run of the series; `None` without one."""
        newest = FinishedRuns(self.results(self.work_input.table, execution.name), series).newest()
        return None if newest is None else datetime.fromisoformat(newest["started"])

    def _fit(self, decided: Plan, workload: Workload, slots: FreeFunctions) -> Fitted:
        """Return how the run fits into its workers' histories; raise `InputError` if nothing makes it fit.

        It has no more workers for that than hold its rate and its budgets.
        """
        most = held_workers(decided, min(slots.most_workers, MAX_WORKERS, decided.segments))
        is_fixed = self.work_input.workers is not None
        fit = fitted(workload, decided.workers, self.settings.batch_seconds, is_fixed=is_fixed, most_workers=most)
        if fit.refusal and not self.work_input.dry_run:
            raise InputError("table", self.work_input.table, fit.refusal, fit.remedy)
        return fit

    def _prices(self) -> Prices:
        return price_requests.of_table(self.pricing, self.client, self.description)


def whole_workload(decided: Plan, facts: Facts, batch: Bounds) -> Workload:
    """Return what the run takes at most, about: a full scan, or all of its budget; of given keys, at least."""
    keys = keys_described(facts)
    # The least pages of a full scan; those of a run that skips are shorter and fewer.
    pages = 0.0 if decided.skips else facts.size_bytes / PAGE_BYTES
    steps = facts.size_bytes / STEP_BYTES + decided.segments
    if decided.only is not None:
        keys, steps = decided.only.keys, given_requests(decided)
        pages = steps
    units = affordable(decided, steps * decided.step_units)
    part = units / (steps * decided.step_units)
    return Workload(
        units,
        worker_seconds(units, units / decided.step_units, unit_seconds(decided)),
        decided.max_read_units_per_second,
        full_batches(batch, keys=part * keys, pages=part * pages),
    )


def keys_described(facts: Facts) -> int:
    """Return the number of keys if DescribeTable shows it: each item of a table without a sort key is one. Else 0."""
    is_each = facts.source.kind is SourceKind.TABLE and not facts.source.sort_key
    return facts.items if is_each else 0


def full_batches(batch: Bounds, *, keys: float, pages: float, line_bytes: float = 0.0) -> float:
    """Return how many batches the results fill, if time ends none of them. `line_bytes`: of each key."""
    held = (keys, batch.keys), (keys * line_bytes, batch.bytes), (pages, batch.pages)
    return max(amount / most if most else 0.0 for amount, most in held)


def affordable(decided: Plan, units: float) -> float:
    """Return the read units of a run that would take so many, as far as its budgets go."""
    return min(units, affordable_reads(decided.prices, decided.limits.budget))


def sampled_workload(explanation: Explanation, batch: Bounds) -> Workload | None:
    """Return the expected consumption of the run by its sample; `None` if the sample was too small."""
    if explanation.chosen is None or not is_expected(explanation.chosen, explanation.sample):
        return None
    decided, found, sample = explanation.plan, explanation.lines, explanation.sample
    expected = explanation.chosen.read_units.estimate
    requests = explanation.chosen.requests.estimate
    units = affordable(decided, expected)
    part = units / expected if expected else 1.0
    keys = found.estimate if found.is_bounded else keys_described(explanation.facts)
    return Workload(
        units,
        worker_seconds(units, requests, unit_seconds(decided)),
        decided.max_read_units_per_second,
        full_batches(
            batch,
            keys=part * keys,
            pages=part * requests,
            line_bytes=sample.line_bytes / max(1, sample.lines) + decided.take.line_bytes(sample.item_bytes),
        ),
    )
