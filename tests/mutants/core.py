"""The core of a listing: the modules of which random mutants are drawn, and the fast tests that answer for each."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path

from tests.mutants.mutant import Chosen
from tests.mutants.sample import Variation, changes, defining

POLICY = (
    "tests/unit/limit/test_rules.py",
    "tests/unit/limit/test_trying.py",
    "tests/unit/limit/test_request_price.py",
    "tests/unit/limit/test_counted.py",
    "tests/unit/limit/test_policy.py",
)

CORE = {
    "Walk": ("tests/unit/test_walk.py",),
    "Batch": (
        "tests/unit/test_batch.py",
        "tests/unit/test_batch_refusals.py",
        "tests/unit/test_last.py",
        "tests/unit/test_last_queries.py",
        "tests/unit/test_width.py",
        "tests/unit/test_pace.py",
    ),
    "Cursor": ("tests/unit/test_cursor.py", "tests/unit/test_walk.py"),
    "Progress.start": ("tests/unit/test_progress.py", "tests/unit/test_batch.py", "tests/unit/test_proof.py"),
    "Plan": ("tests/unit/test_plan.py", "tests/unit/test_execution_input.py"),
    "held": ("tests/unit/test_shares.py", "tests/unit/estimate/test_job_warning.py", "tests/unit/test_plan.py"),
    "sealed": ("tests/unit/test_seal.py",),
    "last_parts": ("tests/unit/test_proof.py",),
    "run_turn": (
        "tests/handlers/test_logs.py",
        "tests/handlers/test_exactly_once.py",
        "tests/handlers/test_metrics.py",
        "tests/handlers/test_budget.py",
    ),
    "budget_error": (
        "tests/unit/loop/test_finish.py",
        "tests/unit/test_proof.py",
        "tests/handlers/test_logs.py",
        "tests/handlers/test_exactly_once.py",
        "tests/handlers/test_metrics.py",
        "tests/handlers/test_execution.py",
        "tests/handlers/test_results_reference.py",
        "tests/handlers/test_budget.py",
    ),
    "Results": ("tests/aws/test_results.py", "tests/inputs/test_console.py"),
    "Bucket": ("tests/aws/test_bucket.py", "tests/aws/test_results.py"),
    "LimitPolicy": POLICY,
    "KeyRate": ("tests/unit/limit/test_key_rate.py", *POLICY),
    "ItemSize": ("tests/unit/limit/test_item_size.py", "tests/unit/limit/test_likely_sizes.py", *POLICY),
    "Budget": ("tests/unit/test_budget.py",),
    "Spending": ("tests/unit/test_spending.py",),
    "Amounts": ("tests/unit/test_amounts.py",),
    "affordable_reads": (
        "tests/unit/test_bill.py",
        "tests/cli/test_sheet.py",
    ),
    "Width": ("tests/unit/test_width.py",),
    "stride": ("tests/unit/test_segments.py",),
    "Pace": ("tests/unit/test_batch.py", "tests/unit/test_batch_refusals.py", "tests/unit/test_pace.py"),
    "Rate": ("tests/unit/test_rate.py", "tests/unit/test_pace.py"),
    "Backoff": ("tests/unit/test_backoff.py", "tests/unit/test_pace.py"),
}
"""By a class or function that only one module defines: the tests of that module, fastest first."""

WHOLE = ("Budget", "Spending", "Amounts", "affordable_reads")
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
