"""Commit and adoption of batches, and the documents that are put once."""

from tests.mutants.mutant import Chosen, Edit, Histories, Mutant, Schedules, mutant

ACTING = Chosen(("tests/handlers/test_act_exactly_once.py",))
COMMIT = Chosen(("tests/aws/test_results.py",))
ADOPTED = Chosen(
    ("tests/handlers/test_adoption.py::test_a_turn_whose_batch_is_committed_reads_and_writes_no_item[copy]",)
)
COPIES = Histories("copy")
ITEMS = Histories("retrofit")
ONCE = Chosen(("tests/handlers/test_exactly_once.py",))
TOO_LONG = Chosen(
    ("tests/faults/test_schedules.py::test_random_schedules_whose_states_are_all_too_long_end_with_every_key_once[20]",)
)

SAFEGUARDS = (
    mutant(
        "conditional write",
        '                    IfNoneMatch="*",\n',
        "",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "adoption",
        "if self.storage.put_once(self.layout.part(worker, batch), body, metadata):\n",
        "if [self.storage.put_once(self.layout.part(worker, batch), body, metadata)]:\n",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "the part that was deleted",
        ("        if adopted is None:\n            raise"),
        ("        if False:\n            raise"),
        COMMIT,
    ),
    mutant(
        "the document that was deleted",
        ('        if there is None:\n            raise RuntimeError(f"{name} was'),
        ('        if False:\n            raise RuntimeError(f"{name} was'),
        COMMIT,
    ),
    mutant(
        "the reason of a refused look",
        "            if _status(error) in {400, 403}:\n                raise\n        return self._head(name)",
        "            raise refused from None\n        return self._head(name)",
        Chosen(("tests/aws/test_bucket.py",)),
    ),
    mutant(
        "a put after another writer's",
        ("if _status(error) == 412:\n                    return False"),
        ("if _status(error) == 412:\n                    return True"),
        COMMIT,
    ),
    mutant(
        "a put that meets another",
        "if _status(error) != 409 or race",
        "if race",
        COMMIT,
    ),
    mutant(
        "no end of races",
        "_status(error) != 409 or race == RACES - 1",
        "_status(error) != 409",
        COMMIT,
    ),
    mutant(
        "only a missing part is not committed",
        ("if _status(error) == 404:\n                return None"),
        ("if _status(error) >= 400:\n                return None"),
        COMMIT,
    ),
    mutant(
        "the last part of a worker",
        "last = max((name for name, _ in self.storage.names",
        "last = min((name for name, _ in self.storage.names",
        COMMIT,
    ),
    Mutant(
        "checkpoint before the part",
        (
            Edit(
                "        is_put = self.storage.put_once(checkpoint, written, expires=True)\n",
                "        is_put = True\n",
            ),
            Edit(
                "        if self.storage.put_once(self.layout.part(worker, batch), body, metadata):\n",
                "        if self.storage.put_once(self.layout.part(worker, batch), body, metadata):\n"
                "            self.storage.put_once(checkpoint, written, expires=True)\n",
            ),
        ),
        (COMMIT, Schedules()),
    ),
    mutant(
        "checkpoints that are there before the part",
        "if not is_put and self.storage.get(checkpoint) != written:",
        "if False:",
        COMMIT,
    ),
    mutant(
        "checkpoints that are what was committed",
        "if checksum(body) != part.checkpoint_sha256:",
        "if False:",
        COMMIT,
    ),
    mutant(
        "checkpoints that expire",
        "written, expires=True)",
        "written)",
        COMMIT,
    ),
    mutant(
        "documents that are put once",
        "if self.storage.put_once(name, _indented(document)):",
        "if not self.storage.put(name, _indented(document)):",
        COMMIT,
        Schedules(setting={"plan_calls": 2}),
    ),
    mutant(
        "an existing plan",
        "plan = self._get(self.layout.plan)",
        "plan = None",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "next batch number",
        "batch=reached.batch + 1, spending",
        "batch=reached.batch + 2, spending",
        ONCE,
        Schedules(),
    ),
    mutant(
        "continue from the previous batch if the state is too long",
        "results.of(turn.worker, turn.after)",
        "results.reached(turn.worker)",
        TOO_LONG,
    ),
    mutant(
        "look at what is stored in a first turn",
        "reached = results.reached(turn.worker) if turn.after is None else",
        "reached = None if turn.after is None else",
        ONCE,
        ACTING,
        ITEMS,
        COPIES,
        Schedules(),
    ),
    mutant(
        "adoption before a batch",
        ("        committed = results.committed(progress.worker, progress.batch)\n        if committed"),
        ("        committed = None\n        if committed"),
        ONCE,
        ACTING,
        ADOPTED,
        ITEMS,
        Histories("delete"),
        Histories("put"),
        Histories("overwrite"),
        Histories("invoke"),
    ),
    mutant(
        "classes of errors before threads need them",
        "    client.exceptions  # noqa: B018\n",
        "",
        Chosen(("tests/aws/test_clients.py",)),
    ),
)
