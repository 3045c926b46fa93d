"""Safeguards of a batch's end, and of what batches share."""

from tests.house.mutants.mutant import Chosen, Schedules, mutant
from tests.house.mutants.nodes import (
    arithmetic,
    assignment,
    attribute,
    boolean,
    call,
    choice,
    comparison,
    elements,
    if_,
    named,
    negation,
    statement,
)
from tests.house.mutants.operators import add_arguments, always, becomes, drop, keep, never

ACT_BATCH = Chosen(("tests/unit/act/test_batch.py::test_a_batch_ends_when_its_list_of_failed_keys_is_long_enough",))
BATCH = Chosen(("tests/unit/scan/batch/test_batch.py", "tests/unit/scan/batch/test_batch_refusals.py"))
FEW_WALKS = Schedules(seed=3, setting={"batch_pages": 50})
ITEM_BATCH = Chosen(("tests/unit/retrofit/test_batch.py::test_a_batch_ends_when_its_list_is_long_enough",))
ONCE = Chosen(("tests/unit/handlers/listing/test_exactly_once.py",))
PLAN = Chosen(("tests/unit/scan/plan/test_plan.py",))
STATE = Chosen(("tests/unit/handlers/listing/test_execution.py",))
WIDTH = Chosen(("tests/unit/scan/test_width.py",))

HISTORY = Chosen(("tests/unit/handlers/listing/test_concurrency.py", "tests/unit/scan/test_history.py"))
WORKLOAD = Chosen(("tests/unit/listing/test_planning.py", "tests/unit/handlers/listing/test_concurrency.py"))

SETTINGS = Chosen(("tests/unit/aws/test_settings.py",))

SAFEGUARDS = (
    mutant(
        "the longer batches of a worker that comes far",
        "Settings.bounds",
        keep(choice("LONG_AFTER"), "orelse"),
        SETTINGS,
    ),
    mutant("the history of full batches", "Workload.turns", drop(arithmetic("batches")), HISTORY),
    mutant("the batches of a sampled run", "listing.planning:full_batches", drop(elements("bytes")), WORKLOAD),
    mutant("the bound of pages", "Batch._is_full", never(comparison("_pages_taken")), BATCH),
    mutant("the bound of keys", "Batch._is_full", never(comparison("counts")), BATCH),
    mutant("the bound of bytes", "Batch._is_full", never(comparison("_bytes")), BATCH),
    mutant("the bound of act's bytes", "ActBatch._is_full", never(comparison("_bytes")), ACT_BATCH),
    mutant("the bound of bytes about items", "ItemBatch._is_full", never(boolean("bytes")), ITEM_BATCH),
    mutant("the bound of seconds", "Batch._is_full", never(comparison("_seconds")), BATCH),
    mutant("the budget", "Batch._is_full", drop(negation("has_room")), BATCH, ONCE),
    mutant("what batches before consumed", "Budget.of_batch", drop(named("consumed")), BATCH),
    mutant("the bytes of a page", "Batch._count", becomes(assignment("_bytes"), "self._write(lines.lines)"), BATCH),
    mutant("the end of a batch that failed", "Batch.fail", drop(statement("stop")), BATCH),
    mutant("nothing after the end", "Batch.take", drop(attribute("_stopped")), BATCH),
    mutant("walk of a failed page", "Batch.fail", becomes(attribute("append"), "self._walks.remove"), BATCH, FEW_WALKS),
    mutant(
        "count of pages that came",
        "Batch.fail",
        add_arguments(call("ScanCounts", "throttles="), "requests=1"),
        BATCH,
        FEW_WALKS,
    ),
    mutant("a share of the rate for each worker", "SharedRate.share", drop(arithmetic("units_per_second")), PLAN),
    mutant(
        "a share of the budget for each worker", "pace.shares:worker_share", keep(arithmetic("workers"), "left"), PLAN
    ),
    mutant("cursors that fit into state", "Plan.walks", keep(call("min"), "args.0"), PLAN),
    mutant("room in state for all that may be opened", "Batch._openable", drop(assignment("", "walks")), WIDTH),
    mutant(
        "a state that is too long", "loop.kind:worker_state", keep(comparison("dumps"), "left.args.0.args.0"), STATE
    ),
    mutant("a width that does not pay", "Width._judge", never(if_("PAYS")), WIDTH),
    mutant("a width timed for long enough", "Width._is_timed", drop(comparison("TIMED_SECONDS")), WIDTH),
    mutant("a width that is tried again", "Width._judge", becomes(elements("HOLDS").part("elts.0"), "1 << 30"), WIDTH),
    mutant("pages that a rate holds back", "Width.receive", always(if_("FULL")), WIDTH),
    mutant(
        "few pages under way as long as Limits are learnt", "Width.after", keep(choice("START_WALKS"), "orelse"), WIDTH
    ),
)
