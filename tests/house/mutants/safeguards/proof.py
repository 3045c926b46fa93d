"""The proof that work is whole, one clause missing at a time."""

from tests.house.mutants.mutant import Chosen, Defect, Mutant, Schedules, mutant
from tests.house.mutants.nodes import boolean, call, comparison, if_, negation
from tests.house.mutants.operators import becomes, drop, drop_key, never

PROOFS = Chosen(("tests/unit/loop/test_proof.py",))

SAFEGUARDS = (
    mutant("a part of no worker", "loop.proof:StoredParts.__init__", never(if_("worker")), PROOFS),
    mutant("a gap in the parts", "loop.proof:StoredParts.__init__", never(comparison("sorted")), PROOFS),
    mutant(
        "a worker without parts",
        "loop.proof:StoredParts.__init__",
        becomes(boolean("sorted"), "own and sorted(own) != list(range(len(own)))"),
        PROOFS,
    ),
    mutant("the end of a worker", "loop.proof:prove", never(if_("done")), PROOFS),
    mutant("the lines in the parts", "loop.proof:prove", never(if_("lines")), PROOFS),
    mutant(
        "parts of the same worker",
        "loop.proof:prove",
        becomes(comparison("lines"), "stored.lines.total() != progress.counts.lines"),
        PROOFS,
    ),
    mutant(
        "the worker's own report",
        "loop.proof:prove",
        becomes(
            comparison("pop"),
            "unheard.pop(worker, None) is None and {**worker_report(progress), 'parts': stored.counts[worker]}",
        ),
        PROOFS,
    ),
    mutant(
        "a missing report",
        "loop.proof:prove",
        becomes(call("pop").part("args.1"), "{**worker_report(progress), 'parts': stored.counts[worker]}"),
        PROOFS,
    ),
    mutant("the parts of the report", "loop.proof:prove", drop_key("parts"), PROOFS),
    mutant("an unclaimed report", "loop.proof:prove", never(if_(then="sorted")), PROOFS),
    mutant("an act's keys are its run's", "loop.proof:prove", never(if_("units_done")), PROOFS),
    mutant("an act that has slices left", "loop.proof:prove", drop(negation("left")), PROOFS),
    Mutant(
        "proof that every worker came to its end",
        (
            Defect("loop.proof:prove", never(if_("done"))),
            Defect("loop.finish:manifest", becomes(call("sum"), "0")),
        ),
        (Schedules(),),
    ),
)
