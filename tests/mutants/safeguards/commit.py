"""Commit and adoption of batches, and the documents that are put once."""

from tests.mutants.mutant import Chosen, Edit, Mutant, Schedules, mutant

ACTING = Chosen(("tests/handlers/test_act_exactly_once.py",))
COMMIT = Chosen(("tests/aws/test_results.py",))
ITEMS = Chosen(("tests/faults/test_item_jobs.py",))
ONCE = Chosen(("tests/handlers/test_exactly_once.py",))

SAFEGUARDS = (
    mutant(
        "conditional write",
        ' IfNoneMatch="*",',
        "",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "adoption",
        "if was_first:",
        "if True:",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "the part that was there and is gone",
        ("if adopted is None:\n            raise"),
        ("if False:\n            raise"),
        COMMIT,
    ),
    mutant(
        "a put that somebody was faster with",
        ("if status == 412:\n                    return False"),
        ("if status == 412:\n                    return True"),
        COMMIT,
    ),
    mutant(
        "a put that meets another",
        "if status != 409 or race",
        "if race",
        COMMIT,
    ),
    mutant(
        "no end of races",
        "status != 409 or race == RACES - 1",
        "status != 409",
        COMMIT,
    ),
    mutant(
        "only a missing part is not committed",
        ("== 404:\n                return None\n            raise\n        return self.checkpoint("),
        (">= 400:\n                return None\n            raise\n        return self.checkpoint("),
        COMMIT,
    ),
    mutant(
        "the last part of a worker",
        "parts[-1].batch, parts[-1].attempt",
        "parts[0].batch, parts[0].attempt",
        COMMIT,
    ),
    Mutant(
        "checkpoint before the part",
        (
            Edit(
                (
                    "        self._put_json(self._layout.checkpoint(worker, batch, attempt), progress, "
                    "dump=_short, Tagging=CHECKPOINT_TAG)\n"
                ),
                "",
            ),
            Edit(
                "        if was_first:\n",
                (
                    "        self._put_json(self._layout.checkpoint(worker, batch, attempt), progress, "
                    "dump=_short, Tagging=CHECKPOINT_TAG)\n"
                    "        if was_first:\n"
                ),
            ),
        ),
        (
            COMMIT,
            Schedules(),
        ),
    ),
    mutant(
        "plan that is put once",
        "return self._put_json_once(self._layout.plan, run)",
        "return self._put_json(self._layout.plan, run) or run",
        COMMIT,
        Schedules(setting={"plan_calls": 2}),
    ),
    mutant(
        "manifest that is put once",
        "return self._put_json_once(self._layout.manifest, manifest)",
        "return self._put_json(self._layout.manifest, manifest) or manifest",
        COMMIT,
        Schedules(),
    ),
    mutant(
        "plan that stands",
        "self._get_if_there(self._layout.plan)",
        "None",
        Schedules(),
    ),
    mutant(
        "commit of the last batch",
        "if not part.keys and not reached.done(plan):",
        "if not part.keys:",
        ONCE,
        Schedules(),
    ),
    mutant(
        "next batch number",
        "batch=progress.batch + 1), uuid",
        "batch=progress.batch + 2), uuid",
        ONCE,
        Schedules(),
    ),
    mutant(
        "look at S3 in a first turn of a listing",
        ("standing = results.reached(turn.worker)\n        progress = Progress"),
        ("standing = None\n        progress = Progress"),
        ONCE,
        Schedules(),
    ),
    mutant(
        "adoption before a batch",
        (
            "adopted = results.committed(progress.worker, progress.batch)\n"
            "    if adopted is not None:\n"
            '        logger.info("batch adopted: an earlier attempt had committed it")\n'
            "        return Progress."
        ),
        ("if adopted := None:\n        return Progress."),
        ONCE,
    ),
    mutant(
        "adoption before a batch of act",
        (
            "adopted = results.committed(progress.worker, progress.batch)\n"
            "    if adopted is not None:\n"
            '        logger.info("batch adopted: an earlier attempt had committed it")\n'
            "        return ActProgress."
        ),
        ("if adopted := None:\n        return ActProgress."),
        ACTING,
    ),
    mutant(
        "adoption before a batch over items",
        ("committed = results.committed(progress.worker, progress.batch)\n    if"),
        ("committed = None\n    if"),
        ITEMS,
    ),
    mutant(
        "look at S3 in a first turn of act",
        ("standing = results.reached(turn.worker)\n        progress = ActProgress"),
        ("standing = None\n        progress = ActProgress"),
        ACTING,
    ),
    mutant(
        "look at S3 in a first turn over items",
        ("standing = results.reached(turn.worker)\n        progress = progress_type"),
        ("standing = None\n        progress = progress_type"),
        ITEMS,
    ),
    Mutant(
        "proof that no segment is left",
        (
            Edit(
                "if not progress.done(run.plan):",
                "if False:",
            ),
            Edit(
                "sum(progress.segments_left(run.plan) for progress in reached)",
                "0",
            ),
        ),
        (Schedules(),),
    ),
)
