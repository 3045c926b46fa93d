"""The items that are taken along with keys, and the Queries for those that no page shows."""

from tests.mutants.mutant import Chosen, Schedules, mutant

FIRST = Chosen(("tests/unit/test_take.py",))
LAST = Chosen(("tests/unit/test_last.py", "tests/unit/test_last_queries.py"))
SCHEDULES = Schedules(setting={"takes": True, "table": "Mixed"})

SAFEGUARDS = (
    mutant(
        "the first item, not another of the page",
        "return among[0], True",
        "return among[-1], True",
        FIRST,
        SCHEDULES,
    ),
    mutant(
        "items that an index does not project",
        "if name not in projected]",
        "if False]",
        FIRST,
    ),
    mutant(
        "the last item of the collection, not of the page",
        "is_whole = number < last or walk.finished or not self._sort_key",
        "is_whole = True",
        LAST,
        SCHEDULES,
    ),
    mutant(
        "a page that waits for its Query is not passed",
        "return walk.cursor if held is None else held.cursor",
        "return walk.cursor",
        LAST,
        SCHEDULES,
    ),
    mutant(
        "the prefix, until the items are past it",
        "return not last.startswith(within) and last > within",
        "return True",
        LAST,
    ),
    mutant(
        "room in the budget for a Query",
        "return has_room and any(",
        "return any(",
        LAST,
    ),
    mutant(
        "no skip is blamed for a Query",
        "if fault is Fault.INVALID and request.lookup is None and walk.refuse_skip():",
        "if fault is Fault.INVALID and walk.refuse_skip():",
        LAST,
    ),
    mutant(
        "an answer without items but with a last key",
        "if not page.items and page.last_evaluated_key is not None:",
        "if False:",
        LAST,
    ),
    mutant(
        "collections emptied meanwhile are counted",
        "int(item is None and self._take.within is None)",
        "0",
        LAST,
    ),
    mutant(
        "an end to waiting for Queries",
        "if self._bounds.seconds is not None and self._seconds >= self._bounds.seconds + LOOKUP_SECONDS:",
        "if False:",
        LAST,
    ),
)
