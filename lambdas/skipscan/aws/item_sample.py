"""Whole items of some random segments: the sample of a retrofit's or a copy's forecast."""

import random
import time
from dataclasses import replace
from typing import Any

from skipscan.aws.answer import page
from skipscan.aws.faults import fault, scrub
from skipscan.aws.sampling import due, pay_off
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.estimate.sampling import MOST_SECONDS
from skipscan.items.forecast import Sampled
from skipscan.items.plan import ItemPlan
from skipscan.pace.bill import amounts
from skipscan.pace.pace import Pace
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.scan.plan import Plan

SEGMENTS, ITEMS = 8, 250
"""How many segments are read, and how many items of each: mostly some KB a segment, 1 MB at most."""

BUDGET_PART = 0.05
ATTEMPTS = 6


def sample_items(client: DynamoDBClient, decided: ItemPlan, seed: int) -> Sampled:
    """Return all items of a table of one page, else the first items of random segments.

    Partition keys are spread by a hash, so segments differ in size only. With a budget, the sample ends when it has
    consumed a twentieth of it. With a rate, it ends when it would have to wait too long for its next page.
    """
    plan, budget = decided.reading, decided.budget.times(BUDGET_PART)
    pace, begun = Pace(plan.max_read_units_per_second, random.random), time.monotonic()
    rates = [rate for rate in (plan.max_read_units_per_second,) if rate]
    most = min([budget.read_units, *(PAGE_SECONDS * rate for rate in rates)])
    limit = max(1, min(ITEMS, int(min(most, 1e9) / max(plan.item_bytes * plan.step_units / STEP_BYTES, 1e-9))))
    whole = _page(client, replace(plan, segments=1), 0, pace, limit)
    if "LastEvaluatedKey" not in whole:
        pay_off(pace)
        return Sampled(tuple(whole["Items"]), plan.segments, True, whole["ConsumedCapacity"]["CapacityUnits"])
    chosen = random.Random(seed).sample(range(plan.segments), min(SEGMENTS, plan.segments))
    items: list[Item] = []
    read_units, ended = whole["ConsumedCapacity"]["CapacityUnits"], True
    for number, segment in enumerate(chosen):
        if due(pace) - begun > MOST_SECONDS or not amounts(plan.prices, read_units).fits(budget):
            pay_off(pace)
            return Sampled(tuple(items or whole["Items"]), number or 1, False, read_units)
        answer = _page(client, plan, segment, pace, limit)
        items += answer["Items"]
        read_units += answer["ConsumedCapacity"]["CapacityUnits"]
        ended = ended and "LastEvaluatedKey" not in answer
    pay_off(pace)
    return Sampled(tuple(items), len(chosen), ended, read_units)


def _page(client: DynamoDBClient, plan: Plan, segment: int, pace: Pace, limit: int) -> Any:
    for attempt in range(ATTEMPTS):
        now = time.monotonic()
        time.sleep(max(pace.wait_seconds(now), pace.walk_wait_seconds(segment, now)))
        pace.begin(time.monotonic(), plan.step_units)
        try:
            answer = client.scan(
                TableName=plan.source.table,
                Segment=segment,
                TotalSegments=plan.segments,
                Limit=limit,
                ReturnConsumedCapacity="TOTAL",
            )
            consumed = page(answer).read_units
        except Exception as error:
            if not pace.refused(segment, plan.step_units, fault(error), time.monotonic()) or attempt == ATTEMPTS - 1:
                raise scrub(error) from None
        else:
            pace.accepted(segment, plan.step_units, consumed)
            return answer
    raise AssertionError("unreachable")
