"""Budgets and rates of every kind of work, and what they are counted in."""

from tests.mutants.mutant import Chosen, mutant

BUDGET = Chosen(("tests/unit/test_budget.py",))
PLAN = Chosen(("tests/unit/test_plan.py",))
EXECUTION = Chosen(("tests/handlers/test_execution.py",))
WHOLE = Chosen(("tests/money/test_whole_run.py",))
LEAST = Chosen(("tests/money/test_least_budget.py",))
ESTIMATE = Chosen(("tests/unit/estimate/test_estimate.py",))
TRIAL = Chosen(("tests/aws/lean/test_trial.py",))
SAMPLE = Chosen(("tests/unit/estimate/test_sample.py",))
SAMPLE_COST = Chosen(("tests/unit/estimate/test_sample_cost.py",))
SAMPLE_RATE = Chosen(("tests/aws/test_sampling.py",))
EXPLANATION = Chosen(("tests/unit/estimate/test_explanation.py",))
STATED = Chosen(("tests/handlers/test_budget.py",))
DENIED = Chosen(("tests/hostile/test_documented.py",))

SAFEGUARDS = (
    mutant("time that costs dollars", "turn + second * (clock() - begun)", "turn", BUDGET),
    mutant("what a lost answer may have taken", "self.unseen += most", "pass", BUDGET),
    mutant("what surrounds the workers", "(plan.budget - fixed).times", "plan.budget.times", PLAN),
    mutant("capacity that is paid for by the hour", "dollars_per_million=0.0)", "dollars_per_million=1.0)", PLAN),
    mutant(
        "what a batch takes besides units",
        "reached.spending.services + lap.services",
        "lap.services.times(0)",
        EXECUTION,
    ),
    mutant(
        "debts of an act's writes",
        "after(self._budget.unseen, writes_paid_off=paid_off)",
        "after(self._budget.unseen)",
        WHOLE,
    ),
    mutant(
        "debts of a retrofit's writes",
        "writes_paid_off=self._writing.paid_off + self._epoch,",
        "",
        WHOLE,
    ),
    mutant(
        "debts of a retrofit's reads",
        "reads_paid_off=self._reading.paid_off + self._epoch,",
        "",
        WHOLE,
    ),
    mutant(
        "a request's room in a retrofit's budget",
        "self._budget.may_begin(most) and pace.may_begin(most.units)",
        "pace.may_begin(most.units)",
        WHOLE,
    ),
    mutant("workers that begin in turn", "now + PAGE_SECONDS * (worker % workers) / workers", "now", WHOLE),
    mutant("a budget that no request fits into", "if asked < needed:", "if asked < 0:", LEAST),
    mutant("a trial that pays for one item", 'asked if is_whole else {**asked, "Limit": 1}', "asked", TRIAL),
    mutant("sizes that few collections decide", "return times if times > RARE_TIMES else 1.0", "return 1.0", ESTIMATE),
    mutant("a small table is read whole", "0 < whole_units <= LEAST_UNITS and", "False and", SAMPLE),
    mutant("the sample's own budget", "sample.read_units < self._budget() and sample", "sample", SAMPLE),
    mutant(
        "a small table in one page", "self._part, self._page_items = 1.0, MOST_ITEMS", "self._part = 1.0", SAMPLE_COST
    ),
    mutant(
        "the sample's part of a run",
        "BUDGET_PART, LARGE_UNITS, LARGE_PART = 0.035, 500.0, 0.02",
        "BUDGET_PART, LARGE_UNITS, LARGE_PART = 0.2, 500.0, 0.02",
        SAMPLE_COST,
    ),
    mutant("what would bound the keys", "if not estimate.keys.is_bounded:", "if False:", EXPLANATION),
    mutant(
        "the capacity of a resumed index",
        "gentle_read_rate(description, read)",
        "gentle_read_rate(description, None)",
        PLAN,
    ),
    mutant("the overrun of a plan", '"overrun": overrun_stated(plan), **beside', "**beside", STATED),
    mutant(
        "a budget that bounds a long run",
        "return min(units, affordable_reads(decided.prices, decided.budget))",
        "return min(units, budget.read_units)",
        STATED,
    ),
    mutant("what a sample owes its rate", "if is_followed:", "if False:", SAMPLE_RATE),
    mutant("a sample that would wait too long", "clock=lambda: due(pace)", "clock=time.monotonic", SAMPLE_RATE),
    mutant("a key that is denied", 'return "kms" in ', 'return "" not in ', DENIED),
)
