"""The seal of a worker's state, without one of the things that it covers or is checked by."""

from tests.mutants.mutant import Chosen, Schedules, mutant

SEAL = Chosen(("tests/unit/test_seal.py",))

SAFEGUARDS = (
    mutant(
        "the seal",
        'state.get("seal") != _seal(bare, work)',
        "False",
        SEAL,
        Schedules(),
    ),
    mutant(
        "the seal's worker",
        ' or state.get("worker") != worker',
        "",
        SEAL,
    ),
    mutant(
        "the seal's name",
        "*astuple(work.execution), plan",
        "work.execution.arn, work.started, plan",
        SEAL,
    ),
    mutant(
        "the seal's execution",
        "*astuple(work.execution), plan",
        "work.name, work.started, plan",
        SEAL,
    ),
    mutant(
        "the seal's start",
        "*astuple(work.execution), plan",
        "work.name, work.execution.arn, plan",
        SEAL,
    ),
    mutant(
        "the seal's plan",
        "astuple(work.execution), plan, state]",
        "astuple(work.execution), state]",
        SEAL,
    ),
    mutant(
        "the seal's state",
        "astuple(work.execution), plan, state]",
        "astuple(work.execution), plan]",
        SEAL,
    ),
    mutant(
        "the seal's digits",
        'f"{value:.9g}"',
        'f"{value:.6g}"',
        SEAL,
    ),
    mutant(
        "whole numbers in one form",
        "int(value) if value.is_integer() else ",
        "",
        SEAL,
    ),
    mutant(
        "fields in any order",
        "json.dumps(plain, sort_keys=True)",
        "json.dumps(plain)",
        SEAL,
    ),
    mutant(
        "the plan of reading",
        ' | {"reading": _fixed(plan["reading"])} if "reading" in plan else fixed',
        "",
        SEAL,
    ),
    mutant(
        "the check of the seal",
        "        check(state, work, worker)\n",
        "",
        SEAL,
    ),
)
