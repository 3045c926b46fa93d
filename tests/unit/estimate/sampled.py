"""A sample of a table in arrays, taken without a client."""

from skipscan.estimate.sample import Sample
from skipscan.estimate.sampling import sampling
from skipscan.scan.plan import Plan
from tests.unit.estimate.hashed_table import HashedTable


def sampled(table: HashedTable, plan: Plan, *, items: int | None = None, seed: int = 0, knows: bool = True) -> Sample:
    """Return the sample. `items`: as DescribeTable counts them; the truth if left out, 0 unless it `knows`."""
    counted = 0 if not knows else table.items if items is None else items
    steps = sampling(plan, counted, seed, size_is_known=knows)
    try:
        ask = next(steps)
        while True:
            ask = steps.send(table.scan(ask.segments, ask.request))
    except StopIteration as end:
        sample: Sample = end.value
        return sample
