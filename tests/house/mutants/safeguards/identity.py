"""Which table it is, whether a part is what the manifest says, and what a repeat may do."""

from tests.house.mutants.mutant import Chosen, Histories, mutant
from tests.house.mutants.nodes import assignment, attribute, call, comparison, if_, mapping, returned, statement
from tests.house.mutants.operators import becomes, drop, keep, never, set_value

TABLES = Chosen(("tests/unit/handlers/listing/test_table_identity.py",))
OF_JOBS = Chosen(("tests/unit/handlers/test_table_identity_of_jobs.py",))
FOLLOWED = Chosen(("tests/unit/aws/test_followed_table.py",))
COMMANDS = Chosen(("tests/unit/cli/test_two_accounts.py",))


def acting(module: str, test: str) -> Chosen:
    return Chosen((f"tests/unit/handlers/act/test_act_{module}.py::test_{test}",))


UNDO = acting("refusals", "an_undo_is_of_a_job_over_the_same_run_and_table")
RESUMED = acting("refusals", "a_resumed_act_needs_what_a_new_one_needs")

SAFEGUARDS = (
    mutant("another account's table", "TableIdentity.check", never(if_("arn")), TABLES),
    mutant("a recreated table", "TableIdentity.check", never(if_("table_id")), TABLES),
    mutant(
        "the table of what is resumed", "loop.begin:_resumed", becomes(attribute("check"), "lambda *_: None"), TABLES
    ),
    mutant("the tables at the end of work", "loop.finish:finish", drop(call("check_tables")), TABLES, OF_JOBS),
    mutant("the table of a run that is compared", "FinishedRuns.chosen", drop(statement("check")), TABLES),
    mutant(
        "the table of a run that is acted on",
        "act.planning:finished",
        becomes(attribute("check"), "lambda *_: None"),
        acting("refusals", "a_run_over_a_recreated_table_is_refused"),
    ),
    mutant(
        "the table that a batch writes to",
        "ActPlan.tables",
        drop(attribute("writes")),
        acting("refusals", "no_batch_writes_to_a_recreated_table"),
    ),
    mutant("the table that a retrofit writes to", "aws.table:check_tables", drop(statement("check")), OF_JOBS),
    mutant("the table that a copy reads", "CopyPlan.tables", drop(attribute("tables")), OF_JOBS),
    mutant("the table that a copy writes to", "CopyPlan.tables", keep(mapping("", "target"), "values.0"), OF_JOBS),
    mutant(
        "the table that a stream is of", "dynamodb.delivery:check_followed", never(if_("stream", number=2)), FOLLOWED
    ),
    mutant("the table that a replicator follows", "Replication._write", drop(statement("_check")), FOLLOWED),
    mutant(
        "the table that an attribute keeper follows", "AttributeKeeping.settle", drop(statement("_check")), FOLLOWED
    ),
    mutant("the table that a marker keeper follows", "Markers._write", drop(statement("_check")), FOLLOWED),
    mutant(
        "a description of the followed table that is fresh",
        "Rechecked._renew",
        set_value(assignment("_fresh_until", "_fresh_seconds"), "float('inf')"),
        FOLLOWED,
    ),
    mutant(
        "whose work a command lists",
        "Archive.has",
        keep(comparison("arn"), "left"),
        Chosen(("tests/unit/environment/test_archive.py",)),
    ),
    mutant(
        "a folder of its own for another account's table",
        "inputs.names:table_owner",
        set_value(returned("account"), "''"),
        TABLES,
    ),
    mutant(
        "no late look at another table's keys",
        "copy.replica:keys_of",
        never(if_(raises="ValueError")),
        Chosen(("tests/unit/copy/test_late_look.py",)),
    ),
    mutant(
        "whose execution a command stops",
        "environment.executions:is_over",
        becomes(comparison("table_arn"), "asked.endswith(table.rpartition('/')[2])"),
        COMMANDS,
    ),
    mutant(
        "parts that are what the manifest says",
        "Parts.read",
        never(if_("sha256")),
        acting("refusals", "nothing_is_done_by_a_part_that_is_not_what_the_manifest_says"),
    ),
    mutant(
        "items of the job that are not overwritten again",
        "Writer._put",
        set_value(assignment("ConditionExpression"), "'attribute_not_exists(#k) OR #k <> :k OR #k = :k'"),
        acting("repeats", "a_repeated_overwrite_leaves_what_the_application_has_set_since"),
        Histories("overwrite"),
    ),
    mutant(
        "no more keys than may be repeated",
        "ActBatch._fresh",
        never(if_("lines")),
        acting("repeats", "a_crash_repeats_no_more_keys_than_the_plan_says"),
        Chosen(("tests/unit/act/test_batch.py::test_a_batch_takes_no_more_keys_than_may_be_repeated",)),
        Histories("delete"),
        Histories("send"),
    ),
    mutant("an undo of the same run", "ActPlanning._action", never(if_("run")), UNDO),
    mutant("an undo of the same table", "ActPlanning._action", becomes(attribute("description"), "undone"), UNDO),
    mutant("the run of an act that is resumed", "ActPlanning.resumed", never(if_(raises="InputError")), RESUMED),
    mutant("the checks of an act that is resumed", "ActPlanning.resumed", drop(statement("_check")), RESUMED),
    mutant(
        "conditions that DynamoDB takes",
        "dynamodb.equality:check_equality",
        never(if_(raises="InputError")),
        acting("refusals", "a_condition_that_dynamodb_would_not_take_is_refused_in_the_dry_run"),
    ),
)
