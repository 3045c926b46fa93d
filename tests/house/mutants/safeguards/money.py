"""Budgets and rates of every kind of work, and what they are counted in."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import argument, arithmetic, assignment, call, choice, comparison, constant, if_
from tests.house.mutants.operators import becomes, drop, drop_key, drop_keyword, keep, never, set_value

BUDGET = Chosen(("tests/unit/pace/test_budget.py",))
PLAN = Chosen(("tests/unit/scan/plan/test_plan.py",))
EXECUTION = Chosen(("tests/unit/handlers/listing/test_execution.py",))
WHOLE = Chosen(("tests/simulation/money/test_whole_run.py",))
LEAST = Chosen(("tests/simulation/money/test_least_budget.py",))
ESTIMATE = Chosen(("tests/unit/listing/estimate/test_estimate.py",))
TRIAL = Chosen(("tests/unit/aws/lean/test_trial.py",))
SAMPLE = Chosen(("tests/unit/listing/estimate/sample/test_sample.py",))
SAMPLE_COST = Chosen(("tests/unit/listing/estimate/test_sampling.py",))
SAMPLE_RATE = Chosen(("tests/unit/listing/test_sample_requests.py",))
EXPLANATION = Chosen(("tests/unit/listing/estimate/test_explanation.py",))
STATED = Chosen(("tests/unit/handlers/listing/test_budget.py",))
DENIED = Chosen(("tests/unit/aws/faults/test_documented.py",))

SAFEGUARDS = (
    mutant("time that costs dollars", "Budget.of_batch", drop(choice("inf").part("body.body.right")), BUDGET),
    mutant("what a lost answer may have taken", "Budget.fail", drop(assignment("unseen")), BUDGET),
    mutant("what surrounds the workers", "pace.shares:worker_share", keep(arithmetic("budget"), "left"), PLAN),
    mutant(
        "capacity that is paid for by the hour", "Prices._free", set_value(argument("dollars_per_million"), "1.0"), PLAN
    ),
    mutant(
        "what a batch takes besides units",
        "loop.turn:_counted",
        set_value(argument("services"), "invocation.services.times(0)"),
        EXECUTION,
    ),
    mutant("debts of writes", "Ledger.spending", drop_keyword("after", "writes_paid_off"), WHOLE),
    mutant(
        "debts of reads",
        "Ledger.spending",
        drop_keyword("after", "reads_paid_off"),
        Chosen(("tests/unit/pace/test_pace.py",)),
    ),
    mutant(
        "a request's room in the budget",
        "Account.reserve",
        never(if_("_budget")),
        WHOLE,
        Chosen(("tests/engines/jobs/test_index_count.py::test_pages_are_reserved_before_they_are_read",)),
    ),
    mutant(
        "workers that begin in turn",
        "pace.rate:first_request_at",
        drop(choice("PAGE_SECONDS").part("orelse.right")),
        WHOLE,
    ),
    mutant(
        "a budget that no request fits into",
        "pace.shares:check_budget",
        becomes(if_(raises="InputError").part("test.comparators.0"), "0"),
        LEAST,
    ),
    mutant("a trial that pays for one item", "Trial._compare", keep(choice("Limit"), "body"), TRIAL),
    mutant("sizes that few collections decide", "Estimate.size_doubt", keep(choice("RARE_TIMES"), "orelse"), ESTIMATE),
    mutant(
        "a small table is read whole", "listing.estimate.sampling:sampling", never(comparison("LEAST_UNITS")), SAMPLE
    ),
    mutant("the sample's own budget", "_Sampler._may_go_on", drop(comparison("read_units")), SAMPLE),
    mutant(
        "a small table in one page",
        "_Sampler.read_whole",
        becomes(assignment("_page_items", "MOST_ITEMS"), "self._part = 1.0"),
        SAMPLE_COST,
    ),
    mutant("the sample's part of a run", "listing.estimate.sampling:", becomes(constant("0.035"), "0.2"), SAMPLE_COST),
    mutant(
        "what would bound the keys", "listing.estimate.warning:_unbounded", never(if_("keys", number=1)), EXPLANATION
    ),
    mutant(
        "the capacity of a resumed index",
        "listing.plan:resumed",
        becomes(call("gentle_read_rate").part("args.1"), "None"),
        PLAN,
    ),
    mutant("the overrun of a plan", "loop.begin:begin", drop_key("overrun"), STATED),
    mutant(
        "a budget that bounds a long run",
        "listing.planning:affordable",
        becomes(call("affordable_reads"), "decided.budget.read_units"),
        STATED,
    ),
    mutant(
        "what a sample owes its rate", "listing.sample_requests:take_sample", never(if_(then="pay_off")), SAMPLE_RATE
    ),
    mutant(
        "a sample that would wait too long",
        "listing.sample_requests:take_sample",
        set_value(argument("clock"), "time.monotonic"),
        SAMPLE_RATE,
    ),
    mutant(
        "a key that is denied",
        "aws.faults:is_of_key",
        becomes(comparison("kms"), "'' not in f\"{said.get('Code')} {said.get('Message')}\".lower()"),
        DENIED,
    ),
)
