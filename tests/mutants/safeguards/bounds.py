"""Safeguards of a batch's end, and of what batches share."""

from tests.mutants.mutant import Chosen, Schedules, mutant

ACT_BATCH = Chosen(("tests/unit/act/test_batch.py::test_a_batch_ends_when_its_list_of_failed_keys_is_long_enough",))
BATCH = Chosen(("tests/unit/test_batch.py", "tests/unit/test_batch_refusals.py"))
FEW_WALKS = Schedules(seed=3, setting={"batch_pages": 50})
ITEM_BATCH = Chosen(("tests/unit/retrofit/test_retrofit_batch.py::test_a_batch_ends_when_its_list_is_long_enough",))
ONCE = Chosen(("tests/handlers/test_exactly_once.py",))
PLAN = Chosen(("tests/unit/test_plan.py",))
STATE = Chosen(("tests/handlers/test_execution.py",))
WIDTH = Chosen(("tests/unit/test_width.py",))

HISTORY = Chosen(("tests/handlers/test_concurrency.py", "tests/unit/test_history.py"))
WORKLOAD = Chosen(("tests/aws/test_workload.py", "tests/handlers/test_concurrency.py"))

SETTINGS = Chosen(("tests/aws/test_settings.py",))

SAFEGUARDS = (
    mutant(
        "the longer batches of a worker that comes far",
        "LONGEST_BATCH_SECONDS if batches >= LONG_AFTER else 0.0",
        "0.0",
        SETTINGS,
    ),
    mutant(
        "the history of full batches",
        " / batch_seconds + self.batches / workers",
        " / batch_seconds",
        HISTORY,
    ),
    mutant(
        "the batches of a sampled run",
        "held = (keys, batch.keys), (keys * line_bytes, batch.bytes), (pages, batch.pages)",
        "held = (keys, batch.keys), (pages, batch.pages)",
        WORKLOAD,
    ),
    mutant(
        "the bound of pages",
        "self._pages_taken >= bounds.pages",
        "False",
        BATCH,
    ),
    mutant(
        "the bound of keys",
        (
            "self.counts.keys >= bounds.keys)\n"
            "            or (bounds.bytes is not None and self._bytes >= bounds.bytes)\n"
            "            or (bounds.seconds is not None and self._seconds"
        ),
        (
            "False)\n"
            "            or (bounds.bytes is not None and self._bytes >= bounds.bytes)\n"
            "            or (bounds.seconds is not None and self._seconds"
        ),
        BATCH,
    ),
    mutant(
        "the bound of bytes",
        ("self._bytes >= bounds.bytes)\n            or (bounds.seconds is not None and self._seconds"),
        ("False)\n            or (bounds.seconds is not None and self._seconds"),
        BATCH,
    ),
    mutant(
        "the bound of act's bytes",
        ("self._bytes >= bounds.bytes)\n            or (bounds.seconds is not None and now"),
        ("False)\n            or (bounds.seconds is not None and now"),
        ACT_BATCH,
    ),
    mutant(
        "the bound of bytes about items",
        "        return (bounds.bytes is not None and self._bytes >= bounds.bytes)",
        "        return (False)",
        ITEM_BATCH,
    ),
    mutant(
        "the bound of seconds",
        "self._seconds >= bounds.seconds",
        "False",
        BATCH,
    ),
    mutant(
        "the budget",
        "self._seconds >= bounds.seconds)\n            or not self._budget.has_room(self._least)",
        "self._seconds >= bounds.seconds)",
        BATCH,
        ONCE,
    ),
    mutant(
        "what batches before consumed",
        "else bounds.allotted) - consumed",
        "else bounds.allotted)",
        BATCH,
    ),
    mutant(
        "the bytes of a page",
        "self._bytes += self._write(lines.lines)",
        "self._write(lines.lines)",
        BATCH,
    ),
    mutant(
        "the end of a batch that failed",
        ("        else:\n            self.stop()\n        return goes_on"),
        "        return goes_on",
        BATCH,
    ),
    mutant(
        "nothing after the end",
        "if self._stopped or self._width.is_used_up:",
        "if self._width.is_used_up:",
        BATCH,
    ),
    mutant(
        "walk of a failed page",
        ("if goes_on:\n            self._idle.append(walk)"),
        ("if goes_on:\n            self._walks.remove(walk)"),
        BATCH,
        FEW_WALKS,
    ),
    mutant(
        "count of pages that came",
        ("self.counts += ScanCounts(throttles=1)\n            self._profile"),
        ("self.counts += ScanCounts(throttles=1, requests=1)\n            self._profile"),
        BATCH,
        FEW_WALKS,
    ),
    mutant(
        "a share of the rate for each worker",
        "self.units_per_second and self.units_per_second / workers",
        "self.units_per_second",
        PLAN,
    ),
    mutant(
        "a share of the budget for each worker",
        ".times(1 / plan.workers)",
        ".times(1)",
        PLAN,
    ),
    mutant(
        "cursors that fit into state",
        "min(WALKS, CURSORS_BYTES // (self.source.key_bytes * 3 // 2))",
        "WALKS",
        PLAN,
    ),
    mutant(
        "room in state for all that may be opened",
        "most = min(most, max(self._plan.walks, fit))",
        "pass",
        WIDTH,
    ),
    mutant(
        "a state that is too long",
        "if len(json.dumps(document)) <= STATE_BYTES:",
        "if document:",
        STATE,
    ),
    mutant(
        "a width that does not pay",
        "if narrower is not None and rate < PAYS * narrower:",
        "if False:",
        WIDTH,
    ),
    mutant(
        "a width timed for long enough",
        "return is_enough and now - self._since >= TIMED_SECONDS",
        "return is_enough",
        WIDTH,
    ),
    mutant(
        "a width that is tried again",
        "self._hold, self._next_hold = self._next_hold,",
        "self._hold, self._next_hold = 1 << 30,",
        WIDTH,
    ),
    mutant(
        "pages that a rate holds back",
        "if self._busy_seconds >= FULL * self.walks * seconds:",
        "if True:",
        WIDTH,
    ),
    mutant(
        "few pages under way as long as Limits are learnt",
        "walks = 1 if learns else START_WALKS",
        "walks = START_WALKS",
        WIDTH,
    ),
)
