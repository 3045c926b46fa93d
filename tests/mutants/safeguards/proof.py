"""The proof that work is whole, one clause missing at a time."""

from tests.mutants.mutant import Chosen, Edit, Mutant, Schedules, mutant

ONCE = Chosen(("tests/handlers/test_exactly_once.py",))
PROOFS = Chosen(("tests/unit/test_proof.py",))

SAFEGUARDS = (
    mutant(
        "a part of no worker",
        "if part.worker not in by_worker:",
        "if False:",
        PROOFS,
    ),
    mutant(
        "a gap in the parts",
        "[part.batch for part in own] != list(range(len(own)))",
        "False",
        PROOFS,
    ),
    mutant(
        "a worker without parts",
        "if not own or [part.batch",
        "if own and [part.batch",
        PROOFS,
    ),
    mutant(
        "the end of a worker",
        ("if not progress.done(plan):\n            raise"),
        ("if False:\n            raise"),
        PROOFS,
    ),
    mutant(
        "the lines in the parts",
        "if sum(part.keys for part in own) != progress.counts.lines:",
        "if False:",
        PROOFS,
    ),
    mutant(
        "parts of the same worker",
        "own = [part for part in parts if part.worker == worker]",
        "own = list(parts)",
        PROOFS,
    ),
    mutant(
        "the worker's own report",
        "if unheard.pop(worker, None) != {",
        "if unheard.pop(worker, None) is None and {",
        PROOFS,
    ),
    mutant(
        "a missing report",
        "unheard.pop(worker, None) != {",
        'unheard.pop(worker, {**report(progress), "parts": len(own)}) != {',
        PROOFS,
    ),
    mutant(
        "the parts of the report",
        '{**report(progress), "parts": len(own)}:',
        "{**report(progress)}:",
        PROOFS,
    ),
    mutant(
        "an unclaimed report",
        "    if unheard:\n",
        "    if False:\n",
        PROOFS,
    ),
    mutant(
        "an act's keys are its run's",
        "if settles is not None and counts.moved != settles and",
        "if False and",
        PROOFS,
    ),
    mutant(
        "an act that has slices left",
        " and not any(progress.left(plan) for progress in reached)",
        "",
        PROOFS,
    ),
    Mutant(
        "proof that every worker came to its end",
        (
            Edit("if not progress.done(plan):\n            raise", "if False:\n            raise"),
            Edit("left = sum(progress.left(plan) for progress in reached)\n    started", "left = 0\n    started"),
        ),
        (Schedules(),),
    ),
)
