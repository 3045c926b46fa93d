"""The seal of a worker's state, without one of the things that it covers or is checked by."""

from tests.house.mutants.mutant import Chosen, Schedules, mutant
from tests.house.mutants.nodes import choice, comparison, constant, elements, statement
from tests.house.mutants.operators import becomes, drop, drop_keyword, keep, never

SEAL = Chosen(("tests/unit/loop/test_seal.py",))

SAFEGUARDS = (
    mutant("the seal", "loop.work:check_seal", never(comparison("_seal")), SEAL, Schedules()),
    mutant("the seal's worker", "loop.work:check_seal", drop(comparison("worker")), SEAL),
    mutant(
        "the seal's name",
        "loop.work:_seal",
        becomes(elements("astuple"), "[work.execution.arn, work.started, plan, state]"),
        SEAL,
    ),
    mutant(
        "the seal's execution",
        "loop.work:_seal",
        becomes(elements("astuple"), "[work.name, work.started, plan, state]"),
        SEAL,
    ),
    mutant(
        "the seal's start",
        "loop.work:_seal",
        becomes(elements("astuple"), "[work.name, work.execution.arn, plan, state]"),
        SEAL,
    ),
    mutant("the seal's plan", "loop.work:_seal", drop(elements("astuple").part("elts.1")), SEAL),
    mutant("the seal's state", "loop.work:_seal", drop(elements("astuple").part("elts.2")), SEAL),
    mutant("the seal's digits", "loop.work:_figure", becomes(constant(".9g"), "'.6g'"), SEAL),
    mutant("whole numbers in one form", "loop.work:_figure", keep(choice("is_integer"), "orelse"), SEAL),
    mutant("fields in any order", "loop.work:_seal", drop_keyword("dumps", "sort_keys"), SEAL),
    mutant("the plan of reading", "loop.work:_fixed", keep(choice("reading"), "orelse"), SEAL),
    mutant("the check of the seal", "loop.event:turn_of", drop(statement("check_seal")), SEAL),
)
