"""The items that are taken along with keys, and the Queries for those that no page shows."""

from tests.house.mutants.mutant import Chosen, Schedules, mutant
from tests.house.mutants.nodes import (
    attribute,
    boolean,
    call,
    choice,
    comparison,
    constant,
    for_,
    if_,
    negation,
)
from tests.house.mutants.operators import always, becomes, drop, keep, never

FIRST = Chosen(("tests/unit/scan/take/test_take.py",))
LAST = Chosen(("tests/unit/scan/take/test_last.py", "tests/unit/scan/test_item_reader.py"))
RANGE = Chosen(("tests/unit/scan/take/test_range.py",))
COUNTS = Chosen(("tests/unit/scan/test_counting.py",))
COUNTED = Schedules(setting={"counts": 3, "table": "Mixed"})
SCHEDULES = Schedules(setting={"takes": True, "table": "Mixed"})

SAFEGUARDS = (
    mutant(
        "the first item, not another of the page",
        "ItemReader._end",
        becomes(constant("0"), "-1"),
        FIRST,
        SCHEDULES,
    ),
    mutant(
        "items that an index does not project",
        "listing.plan:_check_take",
        never(comparison(within=for_("items"))),
        FIRST,
    ),
    mutant(
        "the last item of the collection, not of the page",
        "ItemReader.receive",
        always(boolean("finished")),
        LAST,
        SCHEDULES,
    ),
    mutant(
        "a page that waits for its Query is not passed",
        "ItemReader.cursor",
        keep(choice("cursor"), "body"),
        LAST,
    ),
    mutant("a range has an end", "SortRange.side", becomes(call("int"), "0"), RANGE),
    mutant("a range has a beginning", "SortRange.side", never(if_()), RANGE),
    mutant("a skip to the range", "Groups._end", becomes(attribute("before"), "self._range.least"), RANGE),
    mutant("no line outside the range", "Groups.listed", never(negation("isinstance")), RANGE),
    mutant("no last item outside the range", "ItemReader.receive", never(if_("Outside")), RANGE),
    mutant("room in the budget for a Query", "Batch._has_lookups", keep(boolean("is_held"), "values.1"), LAST),
    mutant("no skip is blamed for a Query", "Batch.fail", drop(comparison("lookup")), LAST),
    mutant("an answer without items but with a last key", "ItemReader.answer", never(if_("items")), LAST),
    mutant("collections emptied meanwhile are counted", "ItemReader.answer", becomes(call("int"), "0"), LAST),
    mutant(
        "a group that is being counted is not skipped", "Walk.start_key", drop(comparison("counted")), COUNTS, COUNTED
    ),
    mutant("a count so far rides in state", "Cursor.to_json", never(if_("counted")), COUNTS, COUNTED),
    mutant("an end to waiting for Queries", "Batch._has_lookups", never(if_("seconds")), LAST),
)
