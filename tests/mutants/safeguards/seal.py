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
        "[work.name, work.execution, ",
        "[work.execution, ",
        SEAL,
    ),
    mutant(
        "the seal's execution",
        "[work.name, work.execution, ",
        "[work.name, ",
        SEAL,
    ),
    mutant(
        "the seal's start",
        "work.execution, work.started, plan",
        "work.execution, plan",
        SEAL,
    ),
    mutant(
        "the seal's plan",
        "work.started, plan, state]",
        "work.started, state]",
        SEAL,
    ),
    mutant(
        "the seal's state",
        "work.started, plan, state]",
        "work.started, plan]",
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
        "the plan of reading",
        ' | {"reading": _standing(plan["reading"])} if "reading" in plan else standing',
        "",
        SEAL,
    ),
    mutant(
        "the seal of a listing",
        "check(standing, run, worker)",
        "pass",
        SEAL,
    ),
    mutant(
        "the seal of act",
        ("check(standing, job, worker)\n            return cls("),
        "return cls(",
        SEAL,
    ),
    mutant(
        "the seal of a walk over items",
        ("check(standing, job, worker)\n            return ItemTurn("),
        "return ItemTurn(",
        SEAL,
    ),
)
