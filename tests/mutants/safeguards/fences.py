"""Safeguards that distinguish jobs' items, decide when a copy may be cut over, and reject wrong answers and walks."""

from tests.mutants.mutant import Chosen, mutant

MARKS = Chosen(("tests/unit/test_mark.py",))
CUT_OVER = Chosen(("tests/unit/copy/test_cut_over.py",))
COMMAND = Chosen(("tests/runs/test_cut_over.py",))
PROGRESSION = Chosen(("tests/unit/test_progression.py",))

SAFEGUARDS = (
    mutant(
        "a mark of one table as long as it lives",
        "identity = [partition, region, account, environment, description.arn, description.table_id]",
        "identity = [partition, region, account, environment, description.arn]",
        MARKS,
    ),
    mutant(
        "a mark of one job, whatever name comes back",
        '    return f"{home}/{name}/{started}"\n',
        '    return f"{home}/{name}"\n',
        MARKS,
    ),
    mutant(
        "a cut-over after the last request that AWS takes",
        "QUIET_SECONDS = 300.0\n",
        "QUIET_SECONDS = 30.0\n",
        CUT_OVER,
    ),
    mutant(
        "a cut-over after the last request of a copy",
        "        if self._copy_ended is not None:\n            waits",
        "        if False:\n            waits",
        CUT_OVER,
    ),
    mutant(
        "a queue that was empty at two looks",
        "or is_gap or not self._was_empty:",
        "or is_gap:",
        CUT_OVER,
    ),
    mutant(
        "two looks that are near enough",
        "or is_gap or not self._was_empty:",
        "or not self._was_empty:",
        CUT_OVER,
    ),
    mutant(
        "late looks that are held back",
        "return self.available + self.in_flight + self.delayed",
        "return self.available + self.in_flight",
        CUT_OVER,
    ),
    mutant(
        "as many items in both tables",
        '    if counts["source_items"] != counts["target_items"]:\n',
        "    if False:\n",
        COMMAND,
    ),
    mutant(
        "a walk that goes in a circle",
        "        if self._repeats > MOST_REPEATS:\n",
        "        if False:\n",
        PROGRESSION,
    ),
)
