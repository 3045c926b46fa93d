"""Safeguards that distinguish jobs' items, decide when a copy may be cut over, and reject wrong answers and walks."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import (
    assignment,
    attribute,
    boolean,
    call,
    comparison,
    constant,
    if_,
    named,
    negation,
    returned,
    statement,
    with_,
)
from tests.house.mutants.operators import becomes, drop, keep, never, set_value, unwrap

MARKS = Chosen(("tests/unit/items/test_mark.py",))
CUT_OVER = Chosen(("tests/unit/copy/test_cut_over.py",))
SWITCHED_OFF = Chosen(("tests/unit/copy/test_mappings.py",))
RESUMED = Chosen(("tests/unit/copy/planning/test_planning.py",))
STREAM = Chosen(("tests/unit/copy/test_stream_requests.py",))
COMMAND = Chosen(("tests/unit/cli/test_cut_over.py",))
PROGRESSION = Chosen(("tests/unit/dynamodb/test_page.py",))
CANARY = Chosen(("tests/simulation/states/test_canary.py",))
CRASHES = Chosen(
    ("tests/simulation/states/test_crashes.py::test_a_state_that_dies_anywhere_is_completed_by_its_retry",)
)

SAFEGUARDS = (
    mutant("a mark of one table as long as it lives", "items.mark:home", drop(attribute("table_id")), MARKS),
    mutant(
        "a mark of one job, whatever name comes back",
        "items.mark:of_job",
        set_value(returned(), "f'{home}/{name}'"),
        MARKS,
    ),
    mutant(
        "a cut-over after the last request that AWS takes",
        "copy.cut_over:",
        set_value(assignment("QUIET_SECONDS"), "30.0"),
        CUT_OVER,
    ),
    mutant(
        "a cut-over after the last request of a copy", "QuietTime.wait_seconds", never(if_("_copy_ended")), CUT_OVER
    ),
    mutant("no copy over a new table that was cut over to", "CopyPlanning.open", drop(call("check_on")), SWITCHED_OFF),
    mutant(
        "no resumed copy over a new table that was cut over to",
        "CopyPlanning.resumed",
        drop(if_("compare_only")),
        RESUMED,
    ),
    mutant(
        "a resumed comparison after the replicator is switched off",
        "CopyPlanning.resumed",
        becomes(if_("compare_only"), "self.check_on(self.replica)"),
        RESUMED,
    ),
    mutant("a mapping that is being deleted", "copy.cut_over_requests:check_on", never(if_("DELETING")), SWITCHED_OFF),
    mutant(
        "a comparison after the replicator is switched off",
        "CopyPlanning.open",
        keep(boolean("resume", number=1), "values.1"),
        SWITCHED_OFF,
    ),
    mutant(
        "a replicator that is being switched off", "copy.cut_over_requests:", drop(constant("Disabling")), SWITCHED_OFF
    ),
    mutant(
        "every mapping of a replicator",
        "copy.cut_over_requests:check_on",
        becomes(named("mappings"), "mappings[:1]"),
        SWITCHED_OFF,
    ),
    mutant("a queue that was empty at two looks", "QuietTime.take", drop(negation("_was_empty")), CUT_OVER),
    mutant("two looks that are near enough", "QuietTime.take", drop(boolean("late_looks").part("values.1")), CUT_OVER),
    mutant("late looks that are held back", "CutOverState.late_looks", drop(attribute("delayed")), CUT_OVER),
    mutant("a closed shard until its child is listed", "StreamWatch._read", drop(statement("add")), STREAM),
    mutant(
        "a shard that was closed before the watch until its child is listed",
        "StreamWatch._begin",
        set_value(assignment("_childless"), "set()"),
        STREAM,
    ),
    mutant(
        "a comparison until the last shard is listed",
        "cli.cut_over:_compare",
        keep(boolean("LAST_LOOKS"), "values.0"),
        COMMAND,
    ),
    mutant(
        "looks at the stream after a comparison", "cli.cut_over:", set_value(assignment("LAST_LOOKS"), "1"), COMMAND
    ),
    mutant("as many items in both tables", "copy.cut_over:found_difference", never(if_("source_items")), COMMAND),
    mutant(
        "a copy that has the name of a comparison",
        "cli.cut_over:_only_compares",
        becomes(comparison("document"), "execution.name.startswith(COMPARISON)"),
        COMMAND,
    ),
    mutant("no failed change before a cut-over", "cli.cut_over:_check_failures", becomes(call("sum"), "0"), COMMAND),
    mutant("all items compared", "cli.cut_over:cut_over", never(if_(raises="UnprovenError", number=3)), COMMAND),
    mutant(
        "no copy during the comparison", "cli.cut_over:cut_over", never(if_(raises="UnprovenError", number=1)), COMMAND
    ),
    mutant("a walk that goes in a circle", "Progression.check", never(if_(raises="TableError")), PROGRESSION),
    mutant(
        "no key in what a comparison raises", "handlers.listing:_compare.handler", unwrap(with_("scrubbed")), CANARY
    ),
    mutant(
        "no key in what the end of a listing raises",
        "handlers.listing:_finish.handler",
        unwrap(with_("scrubbed")),
        CANARY,
    ),
    mutant("no key in what a plan raises", "Function.plan", unwrap(with_("scrubbed")), CANARY),
    mutant("no key in what a turn raises", "Function.turn", unwrap(with_("scrubbed")), CANARY),
    mutant("no key in what a proof raises", "Function.finish", unwrap(with_("scrubbed")), CANARY),
    mutant("no key in what a report raises", "Function.report", unwrap(with_("scrubbed")), CANARY),
    mutant(
        "parts of a comparison that its retry finds",
        "Comparisons._put_piece",
        keep(comparison("None"), "left"),
        CRASHES,
    ),
)
