"""Safeguards that distinguish jobs' items, decide when a copy may be cut over, and reject wrong answers and walks."""

from tests.mutants.mutant import Chosen, mutant

MARKS = Chosen(("tests/unit/test_mark.py",))
CUT_OVER = Chosen(("tests/unit/copy/test_cut_over.py",))
SWITCHED_OFF = Chosen(("tests/aws/test_mappings.py",))
RESUMED = Chosen(("tests/aws/test_copy_planning.py",))
STREAM = Chosen(("tests/runs/test_stream_watch.py",))
COMMAND = Chosen(("tests/runs/test_cut_over.py",))
PROGRESSION = Chosen(("tests/unit/test_progression.py",))
CANARY = Chosen(("tests/states/test_canary.py",))
CRASHES = Chosen(("tests/states/test_crashes.py::test_a_state_that_dies_anywhere_is_completed_by_its_retry",))

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
        "no copy over a new table that was cut over to",
        "            check_on(replica)  # before a table is created\n",
        "            pass\n",
        SWITCHED_OFF,
    ),
    mutant(
        "no resumed copy over a new table that was cut over to",
        "        if not fixed.compare_only:\n            self.check_on(self.replica)\n",
        "",
        RESUMED,
    ),
    mutant(
        "a resumed comparison after the replicator is switched off",
        "        if not fixed.compare_only:\n            self.check_on(self.replica)\n",
        "        self.check_on(self.replica)\n",
        RESUMED,
    ),
    mutant(
        "a mapping that is being deleted",
        'GONE = {"Deleting", DELETED}\n',
        "GONE = {DELETED}\n",
        SWITCHED_OFF,
    ),
    mutant(
        "a comparison after the replicator is switched off",
        "        if not (asked.compare_only or asked.resume):\n",
        "        if not asked.resume:\n",
        SWITCHED_OFF,
    ),
    mutant(
        "a replicator that is being switched off",
        'OFF = {"Disabling", "Disabled"}\n',
        'OFF = {"Disabled"}\n',
        SWITCHED_OFF,
    ),
    mutant(
        "every mapping of a replicator",
        "for mapping in mappings}",
        "for mapping in mappings[:1]}",
        SWITCHED_OFF,
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
        "a closed shard until its child is listed",
        "            self._childless.add(shard)\n",
        "",
        STREAM,
    ),
    mutant(
        "a shard that was closed before the watch until its child is listed",
        "        self._childless = closed - _parents(shards)\n",
        "        self._childless = set()\n",
        STREAM,
    ),
    mutant(
        "a comparison until the last shard is listed",
        "(looks < LAST_LOOKS or both.stream.awaits_shard)",
        "looks < LAST_LOOKS",
        COMMAND,
    ),
    mutant(
        "looks at the stream after a comparison",
        "LAST_LOOKS = 6\n",
        "LAST_LOOKS = 1\n",
        COMMAND,
    ),
    mutant(
        "as many items in both tables",
        '    if counts["source_items"] != counts["target_items"]:\n',
        "    if False:\n",
        COMMAND,
    ),
    mutant(
        "a copy that has the name of a comparison",
        '    return execution.document.get("compare_only") is True\n',
        "    return execution.name.startswith(COMPARISON)\n",
        COMMAND,
    ),
    mutant(
        "no failed change before a cut-over",
        "        if failed := sum(queue.counts()):\n",
        "        if failed := 0:\n",
        COMMAND,
    ),
    mutant(
        "all items compared",
        "    if compared < items:\n",
        "    if False:\n",
        COMMAND,
    ),
    mutant(
        "no copy during the comparison",
        "    if is_copied:\n",
        "    if False:\n",
        COMMAND,
    ),
    mutant(
        "a walk that goes in a circle",
        "        if self._repeats > MOST_REPEATS:\n",
        "        if False:\n",
        PROGRESSION,
    ),
    mutant(
        "no key in what a comparison raises",
        "    with scrubbed():  # it reads keys\n",
        "    if True:\n",
        CANARY,
    ),
    mutant(
        "no key in what the end of a listing raises",
        "    with scrubbed():\n        manifest, plan = ",
        "    if True:\n        manifest, plan = ",
        CANARY,
    ),
    mutant(
        "no key in what a plan raises",
        "        with scrubbed():\n            return begin(",
        "        if True:\n            return begin(",
        CANARY,
    ),
    mutant(
        "no key in what a turn raises",
        "        with scrubbed():\n            return run_turn(",
        "        if True:\n            return run_turn(",
        CANARY,
    ),
    mutant(
        "no key in what a proof raises",
        "        with scrubbed():\n            return finish(",
        "        if True:\n            return finish(",
        CANARY,
    ),
    mutant(
        "no key in what a report raises",
        "        with scrubbed():\n            body = draw(",
        "        if True:\n            body = draw(",
        CANARY,
    ),
    mutant(
        "parts of a comparison that its retry finds",
        "            if there is None or there.metadata.get(",
        "            if there or there.metadata.get(",
        CRASHES,
    ),
)
