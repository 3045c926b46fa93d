"""The fences of every write, on which the law of histories rests (`tests.histories.law`)."""

from tests.mutants.mutant import Chosen, Histories, mutant

ATTRIBUTES = (Histories("retrofit"), Histories("attribute keeper"))
COMPARING = Chosen(("tests/unit/copy/test_comparing.py",))
COPY = Histories("copy")
COPY_PLANNING = Chosen(("tests/aws/test_copy_planning.py",))
CUT = Chosen(("tests/aws/test_table.py::test_no_item_is_taken_for_gone_and_no_write_for_done_by_a_cut_answer",))
INVOKE = Histories("invoke")
KEEPER = Histories("marker keeper")
MALFORMED = Chosen(("tests/handlers/test_act.py::test_keys_are_failed_if_the_function_s_answer_cannot_be_understood",))
MARKER_OUTCOMES = Chosen(("tests/aws/test_marker_outcomes.py",))
RETROFIT_BATCH = "tests/unit/retrofit/test_retrofit_batch.py"
REPLICATOR = Histories("replicator")
SEND = Histories("send")
LIVING = Histories("put if it lives")
UNDO = Histories("undo")
REPLICAS = Chosen(
    ("tests/handlers/test_act_refusals.py::test_a_write_to_a_global_table_requires_that_nobody_writes_elsewhere",)
)

SAFEGUARDS = (
    mutant(
        "an item of the job's own is known by its mark",
        'outcome = PUT if found.get(MARK) == {"S": self._mark} else PRESENT',
        "outcome = PRESENT",
        Histories("put"),
    ),
    mutant(
        "tasks whose request failed are not done",
        "        self._again.extend(call.tasks)\n",
        "        for task in call.tasks:\n            self._settle(task, TaskResult(ActCounts(put=1)))\n"
        "        self._pass_settled()\n",
        Histories("put"),
        Histories("overwrite"),
    ),
    mutant(
        "a cursor that passes an item when it is settled",
        "        self._next = page.last_evaluated_key\n        if not self._page:\n",
        "        self._next = self._behind = page.last_evaluated_key\n        if not self._page:\n",
        Histories("retrofit"),
    ),
    mutant(
        "an update whose answer is lost is not done",
        "                request.item.lost()\n",
        "                request.item.written()\n",
        Chosen((f"{RETROFIT_BATCH}::test_an_update_whose_answer_is_lost_is_made_again_and_counted_once",)),
    ),
    mutant(
        "a put only where no item is",
        '"attribute_not_exists(#k)",\n            "ExpressionAttributeNames": {"#k": key},',
        '"attribute_not_exists(#k) OR attribute_exists(#k)",\n            "ExpressionAttributeNames": {"#k": key},',
        Histories("put"),
    ),
    mutant(
        "a put only into a collection that lives",
        "        if work.plan.skips_ended:\n",
        "        if False:\n",
        LIVING,
    ),
    mutant(
        "a strongly consistent look whether a collection lives",
        '            "ProjectionExpression": "#k",\n            "ConsistentRead": True,\n',
        '            "ProjectionExpression": "#k",\n',
        LIVING,
    ),
    mutant(
        "a delete only where its condition is met",
        "        wanted = rendered(self.condition, key) if self.condition else {}\n",
        "        wanted: Item = {}\n",
        Histories("delete if"),
    ),
    mutant(
        "an undo only of what a look has shown",
        "        if not is_same_item(found, item):\n            return CallResult((TaskResult(PRESENT",
        "        if not found:\n            return CallResult((TaskResult(PRESENT",
        UNDO,
    ),
    mutant(
        "an undo only of all that was put",
        "outcome, units = self._delete(key, {name: value for name, value in item.items() if name not in key})",
        "outcome, units = self._delete(key, {})",
        UNDO,
    ),
    mutant(
        "a strongly consistent look by an undo",
        "self._client.get_item(**self._asked, Key=key, ConsistentRead=True)",
        "self._client.get_item(**self._asked, Key=key)",
        UNDO,
    ),
    mutant(
        "an update only of an existing item",
        'conditions = ["attribute_exists(#k)"]',
        'conditions = ["attribute_exists(#k) OR attribute_not_exists(#k)"]',
        *ATTRIBUTES,
    ),
    mutant(
        "an update only while its sources are unchanged",
        'conditions.append(f"#r{number} = :r{number}")\n                values[f":r{number}"] = read',
        "pass",
        *ATTRIBUTES,
    ),
    mutant(
        "a change that names what it was made of",
        "            read.update((name, item[name]) for name in assignment.value.sources)\n",
        "",
        *ATTRIBUTES,
    ),
    mutant(
        "a strongly consistent look by the attribute keeper",
        "**self.projection, Key=key, ConsistentRead=True)",
        "**self.projection, Key=key)",
        Histories("attribute keeper"),
    ),
    mutant(
        "an item that kept changing comes again",
        "set(RetrofitOutcome) - {RetrofitOutcome.CONTENDED}",
        "set(RetrofitOutcome)",
        Chosen(("tests/aws/test_attribute_keeping.py",)),
    ),
    mutant(
        "the indexes of a retrofit that is resumed",
        "    if roles != begun.roles:\n",
        "    if False:\n",
        Chosen(("tests/unit/retrofit/test_resumed_plan.py",)),
    ),
    mutant(
        "a marker only where no item is",
        '"ConditionExpression": f"attribute_not_exists({self._partition})",',
        '"ConditionExpression": f"attribute_not_exists({self._partition}) OR attribute_exists({self._partition})",',
        KEEPER,
    ),
    mutant(
        "a marker deleted only after a look at all of it",
        "        elif seen := (yield Look.READ_MARKER):\n",
        "        elif seen := at_key:\n",
        KEEPER,
    ),
    mutant(
        "a marker deleted only if it has the mark",
        "    if not marker.is_marked(item):\n",
        "    if False:\n",
        KEEPER,
    ),
    mutant(
        "a marker deleted only if nothing was added",
        "    return None if marker.is_bare(item) else MarkerOutcome.EXTENDED\n",
        "    return None\n",
        KEEPER,
    ),
    mutant(
        "a marker deleted only as it was seen",
        "others = {name: value for name, value in seen.items() if name not in key}",
        "others = {name: value for name, value in seen.items() if name not in self._placeholders}",
        KEEPER,
    ),
    mutant(
        "strongly consistent looks by the keeper",
        'self._read: dict[str, Any] = {"ConsistentRead": True}',
        "self._read: dict[str, Any] = {}",
        KEEPER,
    ),
    mutant(
        "a collection that kept changing comes again",
        "if outcome is not MarkerOutcome.UNSETTLED)",
        "if True)",
        MARKER_OUTCOMES,
    ),
    mutant(
        "a marker deleted only while it is one",
        "    if not marker.is_marker(item):\n        return MarkerOutcome.OCCUPIED\n    if not",
        "    if not",
        MARKER_OUTCOMES,
    ),
    mutant(
        "a collection whose marker has no room is counted",
        "        if at_key and not marker.is_marker(at_key[0]):\n",
        "        if False:\n",
        MARKER_OUTCOMES,
    ),
    mutant(
        "a copy's put only where no item is",
        '                ConditionExpression="attribute_not_exists(#k)",\n'
        '                ExpressionAttributeNames={"#k": self._partition_key},\n',
        '                ConditionExpression="attribute_not_exists(#k) OR attribute_exists(#k)",\n'
        '                ExpressionAttributeNames={"#k": self._partition_key},\n',
        COPY,
    ),
    mutant(
        "late looks promised before all else",
        "            LateLooks(sqs, replica).promise(change.key for change in delivery.changes(key))\n",
        "            pass\n",
        COPY,
    ),
    mutant(
        "late looks that come late enough",
        "DELAY_SECONDS = 900\n",
        "DELAY_SECONDS = 5\n",
        COPY,
    ),
    mutant(
        "no put of a copy shortly before a late look",
        "seconds=min(bounds.seconds or PUT_SECONDS, PUT_SECONDS)",
        "seconds=bounds.seconds",
        Chosen(("tests/handlers/test_copy_page.py",)),
    ),
    mutant(
        "an item that differs is for the replicator",
        "        if item is not None and is_same_item(item, self._item):\n",
        "        if item is not None:\n",
        COPY,
        Chosen(("tests/unit/copy/test_copying.py",)),
    ),
    mutant(
        "a put of a copy whose answer is lost counts once",
        "        self._may_be_written |= isinstance(self.step, PutTarget)\n",
        "        pass\n",
        Chosen(("tests/unit/copy/test_copying.py",)),
    ),
    mutant(
        "a difference that a second look confirms",
        "        elif self._looks == 1:\n",
        "        elif False:\n",
        COMPARING,
    ),
    mutant(
        "a pause before the second look",
        "self.step, self.not_before = LookAt(Side.SOURCE), now + PAUSE_SECONDS",
        "self.step, self.not_before = LookAt(Side.SOURCE), now",
        COMPARING,
    ),
    mutant(
        "a key that kept changing comes again",
        "self.done = self.quiet if is_late else self.quiet | {str(Ending.REFUSED)}",
        "self.done = self.quiet | {str(Ending.CONTENDED)} if is_late else self.quiet | set(map(str, Ending))",
        Chosen(("tests/aws/test_replication.py",)),
    ),
    mutant(
        "the pair of a copy that is resumed",
        "        if fixed.replica != self.replica:\n",
        "        if False:\n",
        COPY_PLANNING,
    ),
    mutant(
        "the new table of a copy that is resumed",
        "        fixed.target.check(self.target.identity,",
        "        self.target.identity.check(self.target.identity,",
        COPY_PLANNING,
    ),
    mutant(
        "a look after every write of a replicator",
        "        self._rounds += 1\n        self.step = LookAt(Side.SOURCE)\n",
        "        self._rounds += 1\n        self._end(Ending.WRITTEN)\n",
        Histories("calm replicator"),
    ),
    mutant(
        "strongly consistent looks by the replicator",
        'TableName=self._tables[side], Key=key, ConsistentRead=True, ReturnConsumedCapacity="TOTAL"',
        'TableName=self._tables[side], Key=key, ReturnConsumedCapacity="TOTAL"',
        REPLICATOR,
    ),
    mutant(
        "a message sent only if the queue names it",
        "return None if id in taken else Refusal(NOT_ACKNOWLEDGED, is_final=False)",
        "return None",
        SEND,
    ),
    mutant(
        "no keys handed on that a function failed at",
        '        if "FunctionError" in answer:\n',
        "        if False:\n",
        INVOKE,
    ),
    mutant(
        "keys that a function names are failed",
        "    counts = ActCounts(sent=len(task.lines) - len(places), failed=len(places))\n",
        "    counts, places = ActCounts(sent=len(task.lines)), []\n",
        INVOKE,
    ),
    mutant(
        "a function that may be at work is not called again",
        'return CallResult((TaskResult.refused(task, "TimedOut"),))',
        'return CallResult((Again("TimedOut"),))',
        INVOKE,
    ),
    mutant(
        "an id for the same keys and no others",
        'f"{part}-{self._begin}"))',
        'f"{part}-{self._number}"))',
        INVOKE,
    ),
    mutant(
        "an id of one execution and no other of its name",
        'f"{job.execution.arn} {job.execution.started}"',
        'f"{job.name}"',
        Chosen(("tests/aws/test_messages.py::test_executions_of_the_same_name_have_other_ids",)),
    ),
    mutant(
        "an id for the keys whose collections live",
        "id = task.id if lines == task.lines else",
        "id = task.id if True else",
        Chosen(("tests/handlers/test_act_skips_ended.py::test_an_id_stands_for_the_keys_that_lived",)),
    ),
    mutant(
        "an answer of a function that names no other keys",
        "    if places and not 0 <= places[0] <= places[-1] < len(task.lines):\n",
        "    if False:\n",
        MALFORMED,
    ),
    mutant(
        "an answer of a function that can be read",
        'LookupError):\n        return TaskResult.refused(task, "MalformedAnswer")\n',
        "LookupError):\n        places = []\n",
        MALFORMED,
    ),
    mutant(
        "a delete that is answered",
        "return TaskResult(DELETED), consumed_units(answer)",
        "return TaskResult(DELETED), 0.0",
        CUT,
    ),
    mutant(
        "a look of an undo that is answered",
        "reads.add(consumed_units(answer))  # or",
        "reads.add(0.0)  # or",
        CUT,
    ),
    mutant(
        "no write over another region's write",
        "    if table.is_merged and not no_writes_elsewhere:\n",
        "    if False:\n",
        REPLICAS,
    ),
)
