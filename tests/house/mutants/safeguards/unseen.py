"""What nobody would see at once: a second page, a weaker read, a number that is not the whole."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import argument, assignment, call, choice, comparison, for_, if_, statement
from tests.house.mutants.operators import (
    becomes,
    compare,
    drop,
    drop_keyword,
    keep,
    never,
    one_round,
    set_value,
)

CALLS = Chosen(("tests/unit/aws/clients/test_calls_of_functions.py",))
CHANGES = Chosen(("tests/unit/cli/stack/test_deploying.py::test_every_page_of_changes_is_shown_before_the_question",))
COUNT = Chosen(("tests/unit/retrofit/test_count_requests.py",))
FIELDS = Chosen(("tests/unit/inputs/test_field.py",))
NEW_TABLE = Chosen(("tests/unit/copy/planning/test_encryption.py",))
KEEPER = Chosen(
    (
        "tests/engines/jobs/test_keep_attribute.py::test_a_source_with_a_separator_is_made_as_cdk_json_says[keep-a-b-edited-jane]",
    )
)
OVERLAP = Chosen(("tests/unit/handlers/listing/test_overlap.py",))
PAGES = Chosen(("tests/unit/environment/test_second_pages.py",))
READS = Chosen(("tests/unit/retrofit/requests/test_reads.py",))
WATCH = Chosen(("tests/unit/environment/test_watch.py",))

SAFEGUARDS = (
    mutant(
        "an earlier run on a second page", "listing.concurrency_requests:_earlier", one_round(for_(number=1)), OVERLAP
    ),
    mutant(
        "running executions on a second page",
        "Executions.running",
        set_value(assignment("found"), "[self.at(entry['executionArn']) for entry in next(iter(pages))['executions']]"),
        PAGES,
    ),
    mutant("event source mappings on a second page", "copy.cut_over_requests:_mappings", one_round(for_()), PAGES),
    mutant(
        "a second page of changes before the question",
        "cli.stack.change_set:_changes",
        set_value(assignment("token"), "None"),
        CHANGES,
    ),
    mutant("reads as consistent as was asked", "RetrofitTable.__init__", never(if_("consistent_read")), READS),
    mutant(
        "recovery of a new table",
        "copy.planning:_protected",
        drop(statement("update_continuous_backups")),
        NEW_TABLE,
    ),
    mutant(
        "a new table that is active before it is asked",
        "copy.planning:_protected",
        drop(statement("get_waiter")),
        NEW_TABLE,
    ),
    mutant("a status of the newest batch", "Watch._take_committed", compare(comparison("batch"), "<"), WATCH),
    mutant("a function that hangs", "aws.clients:lambda_", set_value(argument("read_timeout"), "900"), CALLS),
    mutant(
        "a function that works for longer than a read takes",
        "aws.clients:lambda_",
        drop_keyword("Config", "read_timeout"),
        CALLS,
    ),
    mutant("a function called once", "aws.clients:lambda_", drop_keyword("_config", "attempts"), CALLS),
    mutant(
        "the separator of an attribute keeper",
        "handlers.stream:_keep_attribute.handler",
        becomes(call("Separator"), "Separator.REFUSE"),
        KEEPER,
    ),
    mutant("no number of an index that is not whole", "IndexCount.take", keep(choice("stopped_by"), "orelse"), COUNT),
    mutant("why an index is not whole", "IndexCount._walk", drop(assignment("stopped_by")), COUNT),
    mutant(
        "a number too large",
        "inputs.field:amount",
        becomes(comparison("MOST_AMOUNT"), "least <= value"),
        FIELDS,
    ),
)
