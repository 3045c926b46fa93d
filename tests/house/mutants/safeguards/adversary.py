"""What an adversary does: lost and foreign answers, tables and runs of the same name, other writers, odd files."""

from tests.house.mutants.mutant import Chosen, mutant
from tests.house.mutants.nodes import (
    argument,
    arithmetic,
    assignment,
    call,
    choice,
    comparison,
    for_,
    if_,
    named,
    returned,
    statement,
)
from tests.house.mutants.operators import add_arguments, always, becomes, drop, drop_key, keep, never, set_value


def of(file: str, test: str = "") -> Chosen:
    return Chosen((f"tests/{file}.py" + (f"::test_{test}" if test else ""),))


def open_keys(test: str) -> Chosen:
    return of("unit/handlers/act/test_act_open_keys", test)


BATCH = of("unit/act/test_batch")
LARGE = of("simulation/money/test_large_items")
LEAST = of("simulation/money/test_least_budget")
ANSWER = of("unit/aws/test_answer")
SAME_TABLES = of("unit/aws/table/test_same_tables")
CREATED_ANEW = of("unit/handlers/test_table_identity_of_jobs", "a_batch_writes_nothing_once_its_table_was_created_anew")
ANOTHER_RUN = of("unit/handlers/act/test_act_refusals", "an_act_does_not_go_on_over_another_run_of_the_same_name")
COUNT = of("unit/retrofit/test_count_requests")
BILL = of("unit/handlers/listing/test_budget", "every_execution_is_in_the_bill")
POLICY = of("unit/cli/test_policy", "a_value_that_would_break_or_widen_the_policy_is_refused")
OUTPUT = of("unit/cli/test_output")
STRAYS = of("unit/folder/storage/test_strays")
QUIET = of("unit/copy/test_cut_over")
THROTTLED = of("unit/cli/test_cut_over", "a_throttled_replicator_has_changes_to_read_though_stream_and_queue_are_quiet")
READ_LATE = of("unit/cli/test_cut_over", "a_change_that_is_read_after_the_wait_proves_nothing")
CONFLICTS = of("unit/loop/results/test_results", "conflicts_are_waited_out_for_seconds_and_longer_each_time")
REPEATS = of("unit/aws/lean/test_repeats")
EMPTY_PAGE = "an_empty_page_that_does_not_end_is_no_ended_collection"

SAFEGUARDS = (
    # Keys of an act, whatever becomes of those before them.
    mutant(
        "keys that a committed batch settled behind an open one",
        "ActBatch._fresh",
        never(if_("_window")),
        open_keys("a_throttled_key_has_none_of_a_committed_batch_done_again"),
        open_keys("a_message_of_a_committed_batch_is_not_sent_again"),
        BATCH,
    ),
    mutant(
        "the window of open keys in a commit",
        "ActBatch.progress",
        set_value(argument("window", "tuple"), "()"),
        open_keys("a_throttled_key_has_none_of_a_committed_batch_done_again"),
        BATCH,
    ),
    mutant(
        "tries that are counted over batches",
        "ActBatch.__init__",
        set_value(assignment("_window"), "{n: None for n, tries in enumerate(progress.window) if tries is None}"),
        open_keys("a_function_that_fails_at_the_end_of_batches_is_called_three_times"),
    ),
    mutant(
        "a window that fits into the state",
        "act.batch:",
        set_value(assignment("WINDOW"), "1_000_000"),
        of("unit/act/test_batch", "a_task_that_waits_does_not_let_the_others_run_ever_further_ahead"),
    ),
    mutant("a throttled message slows all others", "ActBatch.give", never(if_("CAPACITY")), BATCH),
    mutant(
        "an end of a temporary refusal",
        "ActBatch.give",
        never(if_(raises="BatchError")),
        open_keys("a_queue_that_takes_nothing_fails_the_batch_and_lists_nothing"),
    ),
    mutant(
        "ever longer waits for a queue",
        "ActBatch.give",
        becomes(
            call("settle", "_writes"),
            "self._writes.settle(step.booking, spent, consumed), self._writes.recovered(step.tasks[0].number)",
        ),
        BATCH,
    ),
    mutant(
        "a throttled key of a queue as a passing refusal",
        "aws.messages:_refusal",
        drop(comparison("THROTTLING")),
        of("unit/aws/test_messages", "a_throttled_key_of_the_queue_is_no_reason_to_give_a_message_up"),
    ),
    mutant(
        "characters that no message may have",
        "act.requests:message",
        drop(for_("UNSENDABLE")),
        open_keys("characters_that_no_message_may_have_are_escaped"),
    ),
    mutant(
        "the reads before a write that is throttled",
        "ActSteps.do",
        always(if_("requests")),
        open_keys("reads_before_a_throttled_write_are_counted"),
    ),
    mutant(
        "the counts of the reads before a write that is throttled",
        "ActBatch._interrupt",
        drop(statement("counts")),
        open_keys("reads_before_a_throttled_write_are_counted"),
    ),
    mutant(
        "the budget of the reads before a write that is throttled",
        "ActBatch._interrupt",
        becomes(call("amounts"), "amounts(self._plan.prices, 0.0)"),
        open_keys("a_budget_pays_for_reads_before_writes_that_are_throttled"),
    ),
    mutant(
        "the largest item that a worker has met",
        "ActBatch._call",
        becomes(call("max", "most_key_units"), "plan.most_key_units"),
        LARGE,
    ),
    mutant(
        "the largest item that a budget may meet",
        "ActBatch._call",
        set_value(assignment("ceiling"), "plan.consumed_by(plan.key_units * keys, keys)"),
        LARGE,
    ),
    # Another run, another table.
    mutant("the run that an act is about", "ActPlan.check_run", never(if_(raises="InputError")), ANOTHER_RUN),
    mutant("the run of an act's next batch", "handlers.act:_act.handler", drop(call("check_run")), ANOTHER_RUN),
    mutant("the run's manifest of an act that is resumed", "ActPlanning.resumed", drop(call("check_run")), ANOTHER_RUN),
    mutant("the run's manifest of an act that is undone", "ActPlanning._action", drop(call("check_run")), ANOTHER_RUN),
    mutant(
        "the table before each request of an act",
        "handlers.act:_act.handler",
        keep(call("before"), "args.0"),
        CREATED_ANEW,
    ),
    mutant(
        "the table before each request of a retrofit",
        "handlers.retrofit:_retrofit.handler",
        keep(call("before"), "args.0"),
        CREATED_ANEW,
    ),
    mutant(
        "the tables before each request of a copy",
        "handlers.copy:_copy_page.handler",
        keep(call("before"), "args.0"),
        CREATED_ANEW,
    ),
    mutant(
        "few descriptions of many workers",
        "aws.table:same_tables",
        becomes(call("max"), "FRESH_SECONDS"),
        SAME_TABLES,
    ),
    mutant(
        "a description that is as old as its request",
        "Rechecked._renew",
        becomes(named("asked_at").inside(assignment("_fresh_until", "_fresh_seconds")), "self._clock()"),
        of("unit/aws/test_followed_table", "the_age_of_a_description_counts_from_its_request"),
    ),
    mutant(
        "a marker that does not fit a new index",
        "FollowedTable.__init__.check",
        drop(call("fits")),
        of("unit/aws/test_followed_table", "a_table_that_what_is_written_does_not_fit_any_more_is_refused"),
    ),
    mutant(
        "a refusal of a followed table that threads share",
        "FollowedTable.__init__",
        drop(argument("error_seconds")),
        of("unit/aws/test_followed_table", "a_refusal_is_shared_and_is_not_the_last_word"),
    ),
    # Answers of another call, lost ones, and those that come twice.
    mutant(
        "an empty page that does not end a collection",
        "aws.table:first_items",
        always(if_("last_evaluated_key")),
        of("unit/handlers/act/test_act_skips_ended", EMPTY_PAGE),
        of("unit/markers/test_requests", EMPTY_PAGE),
    ),
    mutant(
        "the units of every page of a collection",
        "aws.table:first_items",
        drop(call("count")),
        of("unit/handlers/act/test_act_skips_ended"),
    ),
    mutant("a page of a Query that is none", "aws.answer:", drop_key("Query"), ANSWER),
    mutant("a page of a Scan that is none", "aws.answer:", drop_key("Scan"), ANSWER),
    mutant(
        "an answer without items that botocore reads",
        "aws.answer:extract_items",
        add_arguments(call("pop"), "[]"),
        ANSWER,
    ),
    mutant("a count that asks again", "IndexCount._walk", becomes(call("isinstance", "LOST_ANSWERS"), "False"), COUNT),
    mutant("an answer that came before", "Answered.is_repeat", never(if_("_ids")), REPEATS),
    mutant(
        "an id that no other answer has",
        "Answered.is_repeat",
        drop(comparison("LEAST_CHARACTERS")),
        REPEATS,
    ),
    # What is paid.
    mutant(
        "what earlier attempts of a count declared",
        "RemainingBudget.allotted",
        set_value(returned("lost"), "plan.budget - self._consumed"),
        of("engines/jobs/test_index_count", "all_attempts_of_the_count_together_keep_the_budget"),
    ),
    mutant(
        "the services of the workers before a count",
        "loop.billing:consumed",
        set_value(returned("all_around"), "own"),
        of("engines/jobs/test_index_count", "what_the_workers_took_besides_units_counts_against_the_dollars"),
    ),
    mutant("every execution in the bill", "loop.billing:all_around", drop(call("times")), BILL),
    mutant("a record of each resume", "loop.begin:_resumed", drop(call("add_resume")), BILL),
    mutant(
        "attempts that were lost before there was a budget",
        "loop.turn:_committed",
        drop(call("declare_lost")),
        of("unit/handlers/listing/test_budget", "a_resume_with_a_budget_counts_what_was_lost_before_there_was_one"),
    ),
    mutant("a page that the budget can write", "Allowance.page_size", drop(for_("left")), LEAST),
    mutant(
        "every digit of the least budget", "pace.shares:check_budget", becomes(call("_in_full"), "f'{needed:g}'"), LEAST
    ),
    mutant(
        "the first second of a worker in the least budget",
        "pace.shares:check_budget",
        drop(named("FIRST_REQUEST")),
        LEAST,
    ),
    mutant(
        "all workers in the least budget",
        "pace.shares:check_budget",
        keep(call("times"), "func.value"),
        LEAST,
    ),
    # Files, policies, and the state.
    mutant("values that widen no policy", "cli.policy:_valid", never(if_(raises="BadParameter")), POLICY),
    mutant("files that are not the run's", "folder/Folder.names", drop(call("is_own")), STRAYS),
    mutant("a folder with files of the system alone", "folder/Folder.is_foreign", drop(named("OF_THE_SYSTEM")), STRAYS),
    mutant("a pipe that stays a pipe", "cli.output:replacing", never(if_("_is_stream")), OUTPUT),
    mutant("a link that stays a link", "cli.output:replacing", set_value(assignment("target"), "file"), OUTPUT),
    mutant("the mode of an earlier file", "cli.output:replacing", drop(call("_take_over")), OUTPUT),
    mutant("a run's own files", "cli.output:check_not_of", never(if_(raises="InputError")), OUTPUT),
    mutant(
        "attributes that the state can hold",
        "inputs.field:short",
        never(if_(raises="InputError")),
        of("unit/listing/test_execution_input"),
        of("unit/retrofit/test_input"),
        of("unit/act/test_registry"),
    ),
    mutant(
        "items that fit into the memory",
        "Batch.__init__",
        keep(choice("walks", "MOST_WALKS"), "orelse"),
        of("unit/scan/batch/test_held_pages", "a_batch_holds_the_items_of_so_many_pages_that_they_fit_into_its_memory"),
    ),
    mutant("a wait before a put that met another one", "pace.pace:retrying", drop(call("sleep")), CONFLICTS),
    mutant("growing waits before a put that met another one", "pace.pace:jittered", drop(arithmetic("2")), CONFLICTS),
    mutant(
        "values of other types that are not escaped",
        "items.concatenation:Concatenation.render",
        never(if_("ESCAPE")),
        of("unit/items/test_concatenation"),
    ),
    # Copies.
    mutant(
        "a second source of a target",
        "copy.replica:check_apart",
        never(if_(raises="TableError", number=2)),
        of("engines/jobs/test_plan_copy", "a_second_source_of_the_same_target_is_refused"),
    ),
    mutant(
        "a copy that comes back to its source",
        "copy.replica:check_apart",
        never(if_(raises="TableError", number=3)),
        of("unit/copy/test_apart"),
    ),
    mutant(
        "a keeper of a target",
        "copy.replica:check_apart",
        set_value(assignment("writers"), "[]"),
        of("unit/copy/test_apart"),
    ),
    mutant(
        "copies that do not fight",
        "CopyPlanning.open",
        drop(call("check_apart")),
        of("engines/jobs/test_plan_copy", "a_second_source_of_the_same_target_is_refused"),
    ),
    mutant("a replicator that was reading", "QuietTime.take", set_value(assignment("_read"), "None"), QUIET, THROTTLED),
    mutant("a wait after a replicator was reading", "QuietTime.wait_seconds", drop(named("READER_SECONDS")), QUIET),
    mutant(
        "a change that is read during the comparison",
        "cli.cut_over:cut_over",
        drop(call("_check_unread", number=2)),
        READ_LATE,
    ),
    mutant(
        "a late look that ends during the comparison",
        "cli.cut_over:cut_over",
        drop(call("_check_unread", number=1)),
        of("unit/cli/test_cut_over", "a_late_look_that_would_end_during_the_comparison_is_noticed_before_it"),
    ),
    mutant("the age of what a replicator reads", "copy.cut_over_requests:", drop_key("IteratorAge"), READ_LATE),
    mutant(
        "the errors of a replicator",
        "copy.cut_over_requests:",
        drop_key("Errors"),
        of("unit/cli/test_cut_over", "a_replicator_that_never_reads_on_is_never_switched_off"),
    ),
    mutant("the refusals of a replicator", "copy.cut_over_requests:", drop_key("Throttles"), THROTTLED),
    mutant(
        "vector indexes that a copy would not create",
        "copy.planning:target_of",
        never(if_("vector_indexes")),
        of("engines/jobs/test_created_table", "no_table_is_created_without_the_source_s_vector_indexes"),
    ),
    mutant(
        "a warning of vector indexes of an act",
        "ActPlanning.planned",
        becomes(choice("vector_warnings"), "[]"),
        of("unit/handlers/act/test_act", "the_plan_of_a_write_names_what_vector_indexes_cost_besides"),
    ),
    # Step Functions' other executions.
    mutant(
        "few descriptions of earlier executions",
        "listing.concurrency_requests:_earlier",
        never(if_("MOST_EARLIER")),
        of("unit/handlers/listing/test_overlap", "only_so_many_earlier_executions_are_described_and_then_a_run_starts"),
    ),
    mutant(
        "executions that ended recently",
        "Executions.last_ended",
        drop(comparison("stopDate")),
        of("unit/environment/test_executions", "what_ended_longer_ago_is_neither_found_nor_described"),
    ),
)
