"""Rates, waits, and the default rate."""

from tests.mutants.mutant import Chosen, mutant

BATCH = Chosen(("tests/unit/test_batch.py", "tests/unit/test_batch_refusals.py"))
PACE = Chosen(("tests/unit/test_pace.py",))
PLAN = Chosen(("tests/unit/test_plan.py",))
RATE = Chosen(("tests/unit/test_rate.py",))
CAPACITY = Chosen(("tests/unit/test_capacity.py",))

RESUMED = Chosen(("tests/money/test_resumed_rate.py",))
FETCHED = Chosen(("tests/unit/act/test_batch.py::test_a_refused_fetch_waits_while_the_tasks_at_hand_go_on",))

SAFEGUARDS = (
    mutant(
        "fewer workers at once where a run is resumed at a lower rate",
        "return at_once(self.workers, self.read_rate)",
        "return self.workers",
        RESUMED,
    ),
    mutant(
        "fewer workers at once where a job over items is resumed at a lower rate",
        "return at_once(self.workers, *self.rates)",
        "return self.workers",
        RESUMED,
    ),
    mutant(
        "fewer workers at once where an act is resumed at a lower rate",
        "return at_once(self.workers, self.write_rate)",
        "return self.workers",
        RESUMED,
    ),
    mutant(
        "the place of a worker whose debts are not paid off",
        'if document["done"] and plan.workers_at_once < plan.workers:',
        "if False:",
        RESUMED,
    ),
    mutant(
        "the rate",
        ("Rate(units_per_second, paid_off) if units_per_second else None\n        self._random"),
        ("None\n        self._random"),
        PACE,
    ),
    mutant(
        "a page that never came",
        "self.settle(expected, 0.0, most)",
        "pass",
        PACE,
    ),
    mutant(
        "what a page did consume",
        "self._rate.settle(expected, consumed)",
        "pass",
        PACE,
    ),
    mutant(
        "capacity concerns all walks",
        ("if fault is Fault.CAPACITY:\n            self._all.refused(now)"),
        ("if fault is Fault.CAPACITY:\n            pass"),
        PACE,
    ),
    mutant(
        "a key range concerns its walk",
        "backoff = self._walks.setdefault(segment, Backoff(self._random))",
        "backoff = self._all",
        PACE,
    ),
    mutant(
        "the end of trying again",
        " or backoff.refusals <= PASSING_FAULTS",
        " or True",
        PACE,
    ),
    mutant(
        "a fault that does not pass",
        ("if fault not in {Fault.KEY_RANGE, Fault.PASSING}:\n            return False"),
        "pass",
        PACE,
    ),
    mutant(
        "time that is not saved up",
        "max(self.paid_off, now) + units",
        "self.paid_off + units",
        RATE,
    ),
    mutant(
        "small pages at a low rate",
        "for bound in (self._pace.page_units, self._scarce) if",
        "for bound in (self._scarce,) if",
        BATCH,
    ),
    mutant(
        "a quarter of the capacity for reads",
        "return units and units * GENTLE_SHARE",
        "return units and units * 1.0",
        PLAN,
    ),
    mutant(
        "no rate by provisioned units on demand for reads",
        "units = read.max_read_units if table.is_on_demand else read.read_units",
        "units = read.read_units or read.max_read_units",
        CAPACITY,
    ),
    mutant(
        "the index's own capacity for reads",
        "read = index.throughput if index and index.kind is Kind.GLOBAL_INDEX else table.throughput",
        "read = table.throughput",
        PLAN,
    ),
    mutant(
        "a quarter of the capacity for writes",
        "return min(known) * GENTLE_SHARE if known else None",
        "return float(min(known)) if known else None",
        CAPACITY,
    ),
    mutant(
        "the capacity of indexes",
        "for throughput in (table.throughput, *indexes) if",
        "for throughput in (table.throughput,) if",
        CAPACITY,
    ),
    mutant(
        "the scarcest capacity",
        "return min(known) * GENTLE_SHARE",
        "return max(known) * GENTLE_SHARE",
        CAPACITY,
    ),
    mutant(
        "no rate by provisioned units on demand for writes",
        "return written.max_write_units if table.is_on_demand else written.write_units",
        "return written.write_units or written.max_write_units",
        CAPACITY,
    ),
    mutant(
        "a fetch that is refused waits",
        " and not self._pace.walk_wait_seconds(FETCHES, now):",
        ":",
        FETCHED,
    ),
    mutant(
        "a fetch that is throttled slows nothing else down",
        "own = Fault.KEY_RANGE if fault is Fault.CAPACITY else fault",
        "own = fault",
        FETCHED,
    ),
)
