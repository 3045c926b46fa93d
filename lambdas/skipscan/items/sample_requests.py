"""Takes the sample of a retrofit's or a copy's forecast, one page after the other."""

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault, scrub
from skipscan.dynamodb.page import Page
from skipscan.items.forecast import Sampled
from skipscan.items.heads import Heads, SampleBudget
from skipscan.items.plan import ItemPlan
from skipscan.loop.allotment import PlanAttempt
from skipscan.pace.ledger import Booking
from skipscan.pace.pace import Fault
from skipscan.sample.requests import due, paced, pay_off, read_sample, sampling, whole_items
from skipscan.sample.sampler import SegmentPage


def sample_items(client: DynamoDBClient, decided: ItemPlan, seed: int, attempt: PlanAttempt) -> Sampled:
    """Return all items of a table of one page, else the first items of random segments."""
    plan, budget = decided.reading, SampleBudget(decided, attempt)
    account = sampling(plan.max_read_units_per_second)
    if budget.is_bounded:
        attempt.declare(budget.ceiling)

    def page(ask: SegmentPage) -> Page:
        def scan() -> Page:
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

        return paced(account, Booking(ask.segment, plan.step_units), scan)

    heads = Heads(plan.segments, budget, seed, lambda: due(account))
    for _ in read_sample(heads, page):
        pass
    pay_off(account)
    return heads.sample
