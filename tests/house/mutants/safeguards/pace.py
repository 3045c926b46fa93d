"""Rates, waits, and the default rate."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import (
    arithmetic,
    assignment,
    attribute,
    call,
    choice,
    comparison,
    elements,
    if_,
    named,
    negation,
    statement,
)
from tests.house.mutants.operators import always, becomes, drop, instead, keep, never, set_value

BATCH = Chosen(("tests/unit/scan/batch/test_batch.py", "tests/unit/scan/batch/test_batch_refusals.py"))
PACE = Chosen(("tests/unit/pace/test_pace.py",))
PLAN = Chosen(("tests/unit/scan/plan/test_plan.py",))
RATE = Chosen(("tests/unit/pace/test_rate.py",))
CAPACITY = Chosen(("tests/unit/dynamodb/test_capacity.py",))

RESUMED = Chosen(("tests/simulation/money/test_resumed_rate.py",))
FETCHED = Chosen(("tests/unit/act/test_batch.py::test_a_refused_fetch_waits_while_the_tasks_at_hand_go_on",))

SAFEGUARDS = (
    mutant(
        "fewer workers at once where a run is resumed at a lower rate",
        "Plan.workers_at_once",
        keep(call("at_once"), "args.0"),
        RESUMED,
    ),
    mutant(
        "fewer workers at once where a job over items is resumed at a lower rate",
        "ItemPlan.workers_at_once",
        keep(call("at_once"), "args.0"),
        RESUMED,
    ),
    mutant(
        "fewer workers at once where an act is resumed at a lower rate",
        "ActPlan.workers_at_once",
        keep(call("at_once"), "args.0"),
        RESUMED,
    ),
    mutant("the place of a worker whose debts are not paid off", "loop.kind:worker_state", never(if_("done")), RESUMED),
    mutant("the rate", "Pace.__init__", set_value(assignment("_rate"), "None"), PACE),
    mutant("a page that never came", "Pace.refused", drop(statement("settle")), PACE),
    mutant("what a page did consume", "Pace.settle", drop(statement("settle")), PACE),
    mutant("capacity concerns all walks", "Pace.refused", drop(statement("_all")), PACE),
    mutant("a key range concerns its walk", "Pace.refused", becomes(call("setdefault"), "self._all"), PACE),
    mutant("the end of trying again", "Pace.refused", always(comparison("refusals")), PACE),
    mutant("a fault that does not pass", "Pace.refused", drop(if_("KEY_RANGE")), PACE),
    mutant("time that is not saved up", "Rate.reserve", keep(call("max"), "args.0"), RATE),
    mutant("small pages at a low rate", "Batch._size", drop(attribute("page_units")), BATCH),
    mutant(
        "a quarter of the capacity for reads",
        "dynamodb.capacity:gentle_read_rate",
        becomes(named("GENTLE_SHARE"), "1.0"),
        PLAN,
    ),
    mutant(
        "no rate by provisioned units on demand for reads",
        "dynamodb.capacity:gentle_read_rate",
        becomes(choice("is_on_demand"), "read.read_units or read.max_read_units"),
        CAPACITY,
    ),
    mutant(
        "the index's own capacity for reads", "dynamodb.capacity:gentle_read_rate", keep(choice("kind"), "orelse"), PLAN
    ),
    mutant(
        "a quarter of the capacity for writes",
        "dynamodb.capacity:gentle_write_rate",
        becomes(arithmetic("GENTLE_SHARE"), "float(min(known))"),
        CAPACITY,
    ),
    mutant(
        "the capacity of indexes",
        "dynamodb.capacity:gentle_write_rate",
        drop(elements("throughput").part("elts.1")),
        CAPACITY,
    ),
    mutant("the scarcest capacity", "dynamodb.capacity:gentle_write_rate", instead(call("min"), "max"), CAPACITY),
    mutant(
        "no rate by provisioned units on demand for writes",
        "dynamodb.capacity:gentle_write_rate.units",
        becomes(choice("is_on_demand"), "written.write_units or written.max_write_units"),
        CAPACITY,
    ),
    mutant("a fetch that is refused waits", "ActBatch.take", drop(negation("_fetches")), FETCHED),
)
