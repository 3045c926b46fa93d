"""The core of a listing: the modules of which random mutants are drawn, and the fast tests that answer for each."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path

from tests.house.mutants.mutant import Chosen
from tests.house.mutants.sample import Variation, changes, defining

CORE = {
    "Walk": ("tests/unit/scan/walk/test_walk.py",),
    "Groups": (
        "tests/unit/scan/test_groups.py",
        "tests/unit/scan/walk/test_walk.py",
        "tests/unit/scan/take/test_range.py",
        "tests/unit/scan/take/test_groups_taken.py",
    ),
    "Batch": (
        "tests/unit/scan/batch/test_batch.py",
        "tests/unit/scan/batch/test_batch_refusals.py",
        "tests/unit/scan/take/test_last.py",
        "tests/unit/scan/test_item_reader.py",
        "tests/unit/scan/test_counting.py",
        "tests/unit/scan/test_width.py",
        "tests/unit/pace/test_pace.py",
    ),
    "Cursor": ("tests/unit/scan/test_cursor.py", "tests/unit/scan/walk/test_walk.py"),
    "ScanProgress.start": (
        "tests/unit/scan/test_progress.py",
        "tests/unit/scan/batch/test_batch.py",
        "tests/unit/loop/test_proof.py",
    ),
    "Plan": (
        "tests/unit/scan/plan/test_segments.py",
        "tests/unit/scan/plan/test_plan.py",
        "tests/unit/listing/test_execution_input.py",
    ),
    "workers_that_fit": (
        "tests/unit/pace/test_shares.py",
        "tests/unit/listing/estimate/test_warning.py",
        "tests/unit/scan/plan/test_plan.py",
    ),
    "sealed": ("tests/unit/loop/test_seal.py",),
    "StoredParts": ("tests/unit/loop/test_proof.py",),
    "run_turn": (
        "tests/unit/handlers/listing/test_logs.py",
        "tests/unit/handlers/listing/test_exactly_once.py",
        "tests/unit/handlers/listing/test_metrics.py",
        "tests/unit/handlers/listing/test_budget.py",
    ),
    "budget_error": (
        "tests/unit/loop/test_finish.py",
        "tests/unit/loop/test_proof.py",
        "tests/unit/handlers/listing/test_logs.py",
        "tests/unit/handlers/listing/test_exactly_once.py",
        "tests/unit/handlers/listing/test_metrics.py",
        "tests/unit/handlers/listing/test_execution.py",
        "tests/unit/handlers/listing/test_results_reference.py",
        "tests/unit/handlers/listing/test_budget.py",
    ),
    "Results": ("tests/unit/loop/results/test_results.py", "tests/unit/loop/results/test_console.py"),
    "Bucket": ("tests/unit/aws/test_bucket.py", "tests/unit/loop/results/test_results.py"),
    "LimitPolicy": ("tests/unit/scan/test_limit.py",),
    "Budget": ("tests/unit/pace/test_budget.py",),
    "affordable_reads": (
        "tests/unit/pace/test_amounts.py",
        "tests/unit/pace/test_spending.py",
        "tests/unit/pace/test_bill.py",
        "tests/unit/cli/test_preview.py",
    ),
    "Width": ("tests/unit/scan/test_width.py",),
    "Pace": (
        "tests/unit/scan/batch/test_batch.py",
        "tests/unit/scan/batch/test_batch_refusals.py",
        "tests/unit/pace/test_pace.py",
        "tests/unit/pace/test_backoff.py",
    ),
    "Rate": ("tests/unit/pace/test_rate.py", "tests/unit/pace/test_pace.py"),
}
"""By a class or function that only one module defines: the tests of that module, fastest first."""

WHOLE = ("Budget", "affordable_reads")
"""Of these modules every change was tried (2026-11): each dies, or is on the list of harmless ones. They have no loop
that a change could let run for ever, and their tests are fast. So `make test` draws from them, and a survivor is news:
try all with `--modules`, and write the test that is missing."""


def drawn(
    number: int, seed: int, sources: Mapping[Path, str], names: Collection[str] = CORE
) -> list[tuple[Variation, Chosen]]:
    """Return so many random changes of the core (all of them, if there are fewer), the same for the same seed.

    `names`: of the modules to change, as in `CORE`.

    Each change has a number of its own, which follows from the seed and its line; the smallest numbers are drawn. So an
    edit of the core changes the sample in the lines of the edit only.
    """
    possible = [
        (change, Chosen(paths))
        for name, paths in CORE.items()
        if name in names
        for path in [defining(name, sources)]
        for change in changes(path, sources[path])
    ]
    return sorted(possible, key=lambda each: sha256(f"{seed} {each[0].name}".encode()).digest())[:number]
