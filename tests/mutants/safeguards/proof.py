"""The proof that a run or a job is whole, one clause missing at a time."""

from tests.mutants.mutant import Chosen, mutant

ONCE = Chosen(("tests/handlers/test_exactly_once.py",))
PROOFS = Chosen(("tests/unit/test_manifest.py",))

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
        "if not progress.done(run.plan):",
        "if False:",
        PROOFS,
        ONCE,
    ),
    mutant(
        "the keys in the parts",
        "if sum(part.keys for part in own) != progress.counts.keys:",
        "if False:",
        PROOFS,
    ),
    mutant(
        "the worker's own report",
        "if told.pop(progress.worker, None) != Report(",
        "if told.pop(progress.worker, None) is None and Report(",
        PROOFS,
    ),
    mutant(
        "a missing report",
        "told.pop(progress.worker, None) != Report(",
        "told.pop(progress.worker, Report(progress.worker, len(own), progress.counts)) != Report(",
        PROOFS,
    ),
    mutant(
        "the parts of the report",
        "Report(progress.worker, len(own), ",
        "Report(progress.worker, 0, ",
        PROOFS,
    ),
    mutant(
        "an unclaimed report",
        (
            "if told:\n"
            '        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")\n'
            "    return counts\n"
        ),
        "return counts\n",
        PROOFS,
    ),
    mutant(
        "the end of act's worker",
        "if not progress.done(job.plan):",
        "if False:",
        PROOFS,
    ),
    mutant(
        "act's failed lines",
        "if sum(part.keys for part in own) != progress.counts.failed:",
        "if False:",
        PROOFS,
    ),
    mutant(
        "act's report",
        ('if told.pop(progress.worker, None) != {\n            "worker"'),
        ('if told.pop(progress.worker, None) is None and {\n            "worker"'),
        PROOFS,
    ),
    mutant(
        "an unclaimed report of act",
        (
            "if told:\n"
            '        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")\n'
            "    if not slices_left"
        ),
        "if not slices_left",
        PROOFS,
    ),
    mutant(
        "act's keys are the run's",
        "if not slices_left and counts.keys != job.plan.keys:",
        "if False:",
        PROOFS,
    ),
    mutant(
        "act's keys where slices are left",
        "if not slices_left and counts.keys",
        "if counts.keys",
        PROOFS,
    ),
    mutant(
        "the end of a walk over items",
        "if not progress.done(plan):",
        "if False:",
        PROOFS,
    ),
    mutant(
        "the lines about items",
        "!= progress.tally.lines:",
        "!= sum(part.keys for part in own):",
        PROOFS,
    ),
    mutant(
        "the report about items",
        "if told.pop(progress.worker, None) != report:",
        "if told.pop(progress.worker, None) is None and report:",
        PROOFS,
    ),
    mutant(
        "an unclaimed report about items",
        (
            "if told:\n"
            '        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")\n'
            "    return type("
        ),
        "return type(",
        PROOFS,
    ),
)
