"""Which table it is, whether a part is what the manifest says, and what a repeat may do."""

from tests.mutants.mutant import Chosen, Histories, mutant

TABLES = Chosen(("tests/handlers/test_table_identity.py",))
OF_JOBS = Chosen(("tests/handlers/test_table_identity_of_jobs.py",))
FOLLOWED = Chosen(("tests/aws/test_followed_table.py",))
COMMANDS = Chosen(("tests/runs/test_two_accounts.py",))


def acting(module: str, test: str) -> Chosen:
    return Chosen((f"tests/handlers/test_act_{module}.py::test_{test}",))


UNDO = acting("refusals", "an_undo_is_of_a_job_over_the_same_run_and_table")
RESUMED = acting("refusals", "a_resumed_act_needs_what_a_new_one_needs")

SAFEGUARDS = (
    mutant("another account's table", "if found.arn != self.arn:", "if False:", TABLES),
    mutant("a recreated table", "if found.table_id != self.table_id:", "if False:", TABLES),
    mutant(
        "the table of what is resumed",
        "    fixed.plan.identity.check(planning.description.identity",
        "    (lambda *_: None)(planning.description.identity",
        TABLES,
    ),
    mutant(
        "the tables at the end of work",
        "        check_tables(work)\n",
        "",
        TABLES,
        OF_JOBS,
    ),
    mutant(
        "the table of a run that is compared",
        '        other.table.check(self._scope.table, f"compare is {quoted(asked)}; that run")\n',
        "",
        TABLES,
    ),
    mutant(
        "the table of a run that is acted on",
        '    TableIdentity.from_json(manifest["identity"]).check(',
        "    (lambda *_: None)(",
        acting("refusals", "a_run_over_a_recreated_table_is_refused"),
    ),
    mutant(
        "the table that a batch writes to",
        "if self.action.writes or self.looks else {}",
        "if self.looks else {}",
        acting("refusals", "no_batch_writes_to_a_recreated_table"),
    ),
    mutant(
        "the table that a retrofit writes to",
        '        planned.check(describe(client, name).identity, f"{work.noun} {work.name}")\n',
        "        pass\n",
        OF_JOBS,
    ),
    mutant(
        "the table that a copy reads",
        "{**super().tables, self.replica.target: self.target}",
        "{self.replica.target: self.target}",
        OF_JOBS,
    ),
    mutant(
        "the table that a copy writes to",
        "{**super().tables, self.replica.target: self.target}",
        "super().tables",
        OF_JOBS,
    ),
    mutant("the table that a stream is of", "if table.stream != stream:", "if False:", FOLLOWED),
    mutant(
        "the table that a replicator follows",
        "        self._check()\n        try:\n            if isinstance(step, PutTarget)",
        "        try:\n            if isinstance(step, PutTarget)",
        FOLLOWED,
    ),
    mutant(
        "the table that an attribute keeper follows",
        "            self._check()\n            try:\n                answer = self._items.update(",
        "            try:\n                answer = self._items.update(",
        FOLLOWED,
    ),
    mutant(
        "the table that a marker keeper follows",
        "        self._check()\n        try:\n            answer = write(",
        "        try:\n            answer = write(",
        FOLLOWED,
    ),
    mutant(
        "a description of the followed table that is fresh",
        "self._fresh_until = asked_at + self._fresh_seconds",
        'self._fresh_until = float("inf")',
        FOLLOWED,
    ),
    mutant(
        "whose work a command lists",
        "identity.arn == self.arn)",
        "identity.arn)",
        Chosen(("tests/aws/test_archive.py",)),
    ),
    mutant(
        "a folder of its own for another account's table",
        "    return f\"@{arn['account']}-{arn['region']}\"\n",
        '    return ""\n',
        TABLES,
    ),
    mutant(
        "no late look at another table's keys",
        '        if message["stream"] != stream:\n',
        "        if False:\n",
        Chosen(("tests/unit/copy/test_late_look.py",)),
    ),
    mutant(
        "whose execution a command stops",
        "table_arn(asked, execution.arn) == table",
        'asked.endswith(table.rpartition("/")[2])',
        COMMANDS,
    ),
    mutant(
        "parts that are what the manifest says",
        "if measured != wanted.sha256:",
        "if False:",
        acting("refusals", "nothing_is_done_by_a_part_that_is_not_what_the_manifest_says"),
    ),
    mutant(
        "items of the job that are not overwritten again",
        'attribute_not_exists(#k) OR #k <> :k"',
        'attribute_not_exists(#k) OR #k <> :k OR #k = :k"',
        acting("repeats", "a_repeated_overwrite_leaves_what_the_application_has_set_since"),
        Histories("overwrite"),
    ),
    mutant(
        "no more keys than may be repeated",
        "if self._keys_taken and self._keys_taken + len(task.lines) > self._plan.repeated_keys:",
        "if False:",
        acting("repeats", "a_crash_repeats_no_more_keys_than_the_plan_says"),
        Chosen(("tests/unit/act/test_batch.py::test_a_batch_takes_no_more_keys_than_may_be_repeated",)),
        Histories("delete"),
        Histories("send"),
    ),
    mutant(
        "an undo of the same run",
        "        if undone.run != self.asked.run:",
        "        if False:",
        UNDO,
    ),
    mutant(
        "an undo of the same table",
        "        undone.identity.check(self.description.identity, f'undo",
        "        undone.identity.check(undone.identity, f'undo",
        UNDO,
    ),
    mutant(
        "the run of an act that is resumed",
        "        if fixed.run != asked.run:\n",
        "        if False:\n",
        RESUMED,
    ),
    mutant(
        "the checks of an act that is resumed",
        "        self._check(action, skips_ended=fixed.skips_ended)\n",
        "",
        RESUMED,
    ),
    mutant(
        "conditions that DynamoDB takes",
        "if len(names) > EQUALITY_ATTRIBUTES:",
        "if False:",
        acting("refusals", "a_condition_that_dynamodb_would_not_take_is_refused_in_the_dry_run"),
    ),
)
