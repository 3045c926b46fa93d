"""Rates, waits, and what is taken unless a rate is asked for."""

from tests.mutants.mutant import Chosen, mutant

BATCH = Chosen(("tests/unit/test_batch.py",))
PACE = Chosen(("tests/unit/test_pace.py",))
PLAN = Chosen(("tests/unit/test_plan.py",))
RATE = Chosen(("tests/unit/test_rate.py",))
WRITE_RATE = Chosen(("tests/unit/test_write_rate.py",))

SAFEGUARDS = (
    mutant(
        "the rate",
        ("Rate(units_per_second) if units_per_second else None\n        self._random"),
        ("None\n        self._random"),
        PACE,
    ),
    mutant(
        "a page that never came",
        "self._rate.settle(expected, 0.0)",
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
        "max(self._paid_off, now) + units",
        "self._paid_off + units",
        RATE,
    ),
    mutant(
        "small pages at a low rate",
        "most = self._pace.page_units\n",
        "most = None\n",
        BATCH,
    ),
    mutant(
        "a quarter of what is provisioned for reads",
        "return provisioned / 4 or None\n",
        "return provisioned or None\n",
        PLAN,
    ),
    mutant(
        "no rate on demand for reads",
        'if table.get("BillingModeSummary", {}).get("BillingMode") == "PAY_PER_REQUEST":',
        "if False:",
        PLAN,
    ),
    mutant(
        "a quarter of what is provisioned for writes",
        "default=0) / 4 or None",
        "default=0) or None",
        WRITE_RATE,
    ),
    mutant(
        "the capacity of indexes",
        '(description, *description.get("GlobalSecondaryIndexes", ()))',
        "(description,)",
        WRITE_RATE,
    ),
    mutant(
        "the scarcest capacity",
        "return min(filter(None, provisioned)",
        "return max(filter(None, provisioned)",
        WRITE_RATE,
    ),
    mutant(
        "no rate on demand for writes",
        'if description.get("BillingModeSummary", {}).get("BillingMode") == "PAY_PER_REQUEST":',
        "if False:",
        WRITE_RATE,
    ),
)
