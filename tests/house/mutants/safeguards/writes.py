"""The fences of every write, on which the law of histories rests (`tests.simulation.histories.law`)."""

from tests.house.mutants.mutant import Chosen, Defect, Histories, Mutant, mutant
from tests.house.mutants.nodes import (
    argument,
    assignment,
    attribute,
    call,
    choice,
    comparison,
    comprehension,
    constant,
    elements,
    handler,
    if_,
    named,
    statement,
    text,
)
from tests.house.mutants.operators import (
    always,
    becomes,
    drop,
    drop_key,
    drop_keyword,
    instead,
    keep,
    never,
    set_key,
    set_value,
)

ATTRIBUTES = (Histories("retrofit"), Histories("attribute keeper"))
COMPARING = Chosen(("tests/unit/copy/test_comparing.py",))
COPY = Histories("copy")
COPY_PLANNING = Chosen(("tests/unit/copy/planning/test_planning.py",))
CUT = Chosen(
    ("tests/unit/aws/table/test_table.py::test_no_item_is_taken_for_gone_and_no_write_for_done_by_a_cut_answer",)
)
INVOKE = Histories("invoke")
KEEPER = Histories("marker keeper")
MALFORMED = Chosen(
    (
        "tests/unit/handlers/act/test_act.py::test_a_function_s_answer_decides_which_keys_are_sent_failed_or_handed_over_again",
    )
)
MARKER_OUTCOMES = Chosen(("tests/unit/markers/test_requests.py",))
RETROFIT_BATCH = "tests/unit/retrofit/test_batch.py"
REPLICATOR = Histories("replicator")
SEND = Histories("send")
LIVING = Histories("put if it lives")
UNDO = Histories("undo")
REPLICAS = Chosen(
    (
        "tests/unit/handlers/act/test_act_refusals.py::test_a_write_to_a_global_table_requires_that_nobody_writes_elsewhere",
    )
)

SAFEGUARDS = (
    mutant(
        "an item of the job's own is known by its mark", "Writer._put", keep(choice("MARK"), "orelse"), Histories("put")
    ),
    mutant(
        "tasks whose request failed are not done",
        "ActBatch._refuse",
        becomes(
            statement("extend"),
            "for task in call.tasks:\n    self._settle(task, TaskResult(ActCounts(put=1)))\nself._pass_settled()",
        ),
        Histories("put"),
        Histories("overwrite"),
    ),
    mutant(
        "a cursor that passes an item when it is settled",
        "ItemWalk.receive",
        becomes(assignment("_next"), "self._next = self._behind = page.last_evaluated_key"),
        Histories("retrofit"),
    ),
    mutant(
        "an update whose answer is lost is not done",
        "ItemBatch.fail",
        instead(attribute("lost"), "written"),
        Chosen((f"{RETROFIT_BATCH}::test_an_update_whose_answer_is_lost_is_made_again_and_counted_once",)),
    ),
    mutant(
        "a put only where no item is",
        "Writer._put",
        set_key("ConditionExpression", "'attribute_not_exists(#k) OR attribute_exists(#k)'"),
        Histories("put"),
    ),
    mutant("a put only into a collection that lives", "ActSteps.__init__", never(if_("skips_ended")), LIVING),
    mutant(
        "a strongly consistent look whether a collection lives",
        "SkipEndedCollections.__init__",
        drop_key("ConsistentRead"),
        LIVING,
    ),
    mutant(
        "a delete only where its condition is met",
        "DeleteItem.request",
        becomes(assignment("", "condition"), "wanted: Item = {}"),
        Histories("delete if"),
    ),
    mutant("an undo only of what a look has shown", "Writer._delete_whole", keep(call("is_same_item"), "args.0"), UNDO),
    mutant("an undo only of all that was put", "Writer._delete_whole", becomes(comprehension("items"), "{}"), UNDO),
    mutant(
        "a strongly consistent look by an undo",
        "Writer._delete_whole",
        drop_keyword("get_item", "ConsistentRead"),
        UNDO,
    ),
    mutant(
        "an update only of an existing item",
        "RetrofitItems.update",
        becomes(constant("attribute_exists(#k)"), "'attribute_exists(#k) OR attribute_not_exists(#k)'"),
        *ATTRIBUTES,
    ),
    Mutant(
        "an update only while its sources are unchanged",
        (
            Defect("RetrofitItems.update", drop(statement("append", "#r"))),
            Defect("RetrofitItems.update", drop(assignment("", ":r"))),
        ),
        (*ATTRIBUTES,),
    ),
    mutant("a change that names what it was made of", "Assignments.judge", drop(statement("update")), *ATTRIBUTES),
    mutant(
        "a strongly consistent look by the attribute keeper",
        "RetrofitItems.look",
        drop_keyword("get_item", "ConsistentRead"),
        Histories("attribute keeper"),
    ),
    mutant(
        "an item that kept changing comes again",
        "AttributeKeeping",
        drop(elements("CONTENDED")),
        Chosen(("tests/unit/retrofit/requests/test_attribute_keeping.py",)),
    ),
    mutant(
        "the indexes of a retrofit that is resumed",
        "retrofit.plan:resumed_plan",
        never(if_(raises="TableError")),
        Chosen(("tests/unit/retrofit/plan/test_resumed_plan.py",)),
    ),
    mutant(
        "a marker only where no item is",
        "Markers._put",
        set_key(
            "ConditionExpression", "f'attribute_not_exists({self._partition}) OR attribute_exists({self._partition})'"
        ),
        KEEPER,
    ),
    mutant(
        "a marker deleted only after a look at all of it",
        "markers.keeper:keep",
        becomes(if_(then="DeleteMarker").part("test.value"), "at_key"),
        KEEPER,
    ),
    mutant("a marker deleted only if it has the mark", "markers.keeper:_left", never(if_("is_marked")), KEEPER),
    mutant(
        "a marker deleted only if nothing was added", "markers.keeper:_left", keep(choice("is_bare"), "body"), KEEPER
    ),
    mutant(
        "a marker deleted only as it was seen",
        "Markers._delete",
        becomes(comprehension("items").part("generators.0.ifs.0.comparators.0"), "self._placeholders"),
        KEEPER,
    ),
    mutant("strongly consistent looks by the keeper", "Markers.__init__", drop_key("ConsistentRead"), KEEPER),
    mutant("a collection that kept changing comes again", "Markers", always(comparison("outcome")), MARKER_OUTCOMES),
    mutant("a marker deleted only while it is one", "markers.keeper:_left", drop(if_("is_marker")), MARKER_OUTCOMES),
    mutant(
        "a collection whose marker has no room is counted",
        "markers.keeper:keep",
        never(if_("is_marker")),
        MARKER_OUTCOMES,
    ),
    mutant(
        "a copy's put only where no item is",
        "PairedItems.put_new",
        set_value(argument("ConditionExpression"), "'attribute_not_exists(#k) OR attribute_exists(#k)'"),
        COPY,
    ),
    mutant(
        "late looks promised before all else", "handlers.stream:_replicator.handler", drop(statement("promise")), COPY
    ),
    mutant("late looks that come late enough", "copy.replica:", set_value(assignment("DELAY_SECONDS"), "5"), COPY),
    mutant(
        "no put of a copy shortly before a late look",
        "handlers.copy:_copy_page.handler.open_batch",
        keep(call("min"), "args.0.values.0"),
        Chosen(("tests/unit/handlers/copy/test_copy_page.py",)),
    ),
    mutant(
        "an item that differs is for the replicator",
        "Copying.conflicted",
        drop(call("is_same_item")),
        COPY,
        Chosen(("tests/unit/copy/test_copying.py",)),
    ),
    mutant(
        "a put of a copy whose answer is lost counts once",
        "Copying.lost",
        drop(assignment("_may_be_written")),
        Chosen(("tests/unit/copy/test_copying.py",)),
    ),
    mutant("a difference that a second look confirms", "Comparing.found", never(if_("_looks")), COMPARING),
    mutant("a pause before the second look", "Comparing.found", drop(named("PAUSE_SECONDS")), COMPARING),
    mutant(
        "a key that kept changing comes again",
        "Replication.__init__",
        set_value(
            assignment("done"),
            "self.quiet | {str(Ending.CONTENDED)} if is_late else self.quiet | set(map(str, Ending))",
        ),
        Chosen(("tests/unit/copy/test_replication.py",)),
    ),
    mutant(
        "the pair of a copy that is resumed", "CopyPlanning.resumed", never(if_(raises="TableError")), COPY_PLANNING
    ),
    mutant(
        "the new table of a copy that is resumed",
        "CopyPlanning.resumed",
        becomes(attribute("target", within=attribute("check")), "self.target.identity"),
        COPY_PLANNING,
    ),
    mutant(
        "a look after every write of a replicator",
        "Reconciling.written",
        becomes(assignment("step"), "self._end(Ending.WRITTEN)"),
        Histories("calm replicator"),
    ),
    mutant(
        "strongly consistent looks by the replicator",
        "PairedItems.look",
        drop_keyword("get_item", "ConsistentRead"),
        REPLICATOR,
    ),
    mutant(
        "a message sent only if the queue names it",
        "aws.messages:_refusal",
        keep(choice("Refusal"), "body"),
        SEND,
    ),
    mutant("no keys handed on that a function failed at", "LambdaFunction.call", never(if_("FunctionError")), INVOKE),
    mutant(
        "keys that a function names are failed",
        "act.requests:_partly",
        becomes(assignment("", "ActCounts"), "counts, places = ActCounts(sent=len(task.lines)), []"),
        INVOKE,
    ),
    mutant(
        "a function that may be at work is not called again",
        "LambdaFunction.call",
        becomes(call("refused"), "RefusedTask('TimedOut')"),
        INVOKE,
    ),
    mutant(
        "an id for the same keys and no others", "TaskSource._close", instead(attribute("_begin"), "_number"), INVOKE
    ),
    mutant(
        "an id of one execution and no other of its name",
        "act.requests:_id",
        becomes(text("arn"), "f'{job.name}'"),
        Chosen(("tests/unit/aws/test_messages.py::test_executions_of_the_same_name_have_other_ids",)),
    ),
    mutant(
        "an id for the keys whose collections live",
        "act.write_requests:_left",
        always(choice("lines")),
        Chosen(("tests/unit/handlers/act/test_act_skips_ended.py::test_an_id_stands_for_the_keys_that_lived",)),
    ),
    mutant("an answer of a function that names no other keys", "act.requests:_partly", never(if_("lines")), MALFORMED),
    mutant(
        "an answer of a function that can be read",
        "act.requests:_partly",
        becomes(handler("MALFORMED").part("body.0"), "places = []"),
        MALFORMED,
    ),
    mutant("a delete that is answered", "Writer._delete", becomes(call("consumed_units"), "0.0"), CUT),
    mutant("a look of an undo that is answered", "Writer._delete_whole", becomes(call("consumed_units"), "0.0"), CUT),
    mutant(
        "no write over another region's write",
        "dynamodb.table_description:check_replicas",
        never(if_(raises="TableError")),
        REPLICAS,
    ),
)
