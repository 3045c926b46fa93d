"""Takes the sample of a retrofit's or a copy's forecast, one page after the other."""

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault, scrub
from skipscan.dynamodb.page import Page
from skipscan.items.forecast import Sampled
from skipscan.items.heads import Heads, SampleBudget
from skipscan.items.plan import ItemPlan
from skipscan.loop.allotment import PlanAttempt
from skipscan.pace.pace import Fault
from skipscan.sample.requests import Sampling, whole_items
from skipscan.sample.sampler import SegmentPage


def sample_items(client: DynamoDBClient, decided: ItemPlan, seed: int, attempt: PlanAttempt) -> Sampled:
    """Return all items of a table of one page, else the first items of random segments."""
    plan, budget = decided.reading, SampleBudget(decided, attempt)
    if budget.is_bounded:
        attempt.declare(budget.ceiling)

    def scan(ask: SegmentPage) -> Page:
        try:
            # An attempt that was lost leaves room for fewer items.
            page = whole_items(client, plan.source.table, ask._replace(limit=budget.limit))
        except Exception as error:
            if fault(error) is Fault.PASSING:
                budget.lose()
                if not budget.limit:  # of its part, which another page would exceed
                    raise scrub(error) from None
            raise
        budget.receive(page)
        return page

    sampling = Sampling(plan.max_read_units_per_second, plan.step_units)
    heads = Heads(plan.segments, budget, seed, sampling.due)
    for _ in sampling.read(heads, scan):
        pass
    sampling.pay_off()
    return heads.sample
