"""The steps of the keeper for each state of a collection, and the outcomes, which the page about markers explains.

`keeper/` has what several keepers do at once.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, Refused, Write
from skipscan.items.template import ItemTemplate
from skipscan.markers.keeper import MarkerOutcome, keep
from tests.unit.markers.sample import item, marker

MARKER = marker().item({"S": "c"})
UNMARKED = {name: MARKER[name] for name in ("pk", "sk", "GSI-pk")}
EXTENDED = {**MARKER, "colour": {"S": "red"}}
OCCUPANT = item("c", "#static", colour="red")
BEFORE, SECOND, BEHIND = item("c", "!1"), item("c", "!2"), item("c", "x")
KEY: Item = {"pk": {"S": "c"}, "sk": {"S": "#static"}}
READ_MARKER = Get("Orders", KEY)
READ_ITEMS = First("Orders", {"pk": {"S": "c"}}, ("sk", "GSI-pk"), 2)
PUT = Write("Orders", KEY, put=MARKER, expects={"pk": None})
DELETE = Write("Orders", KEY, expects={name: value for name, value in MARKER.items() if name not in KEY})


def kept(*held: Item, only_added: bool = False, ignores: bool = False) -> tuple[list[object], MarkerOutcome]:
    """Return the steps for a collection and how they end. `ignores`: another keeper undoes every write at once."""
    collection, steps = list(held), list[object]()
    keeping = keep(marker(), {"S": "c"}, only_added=only_added)
    try:
        step = next(keeping)
        while True:
            steps.append(step)
            answer: object = None
            if step == READ_MARKER:
                answer = next((each for each in collection if each["sk"] == {"S": "#static"}), None)
            elif step == READ_ITEMS:
                answer = sorted(collection, key=lambda each: each["sk"]["S"])[:2]
            elif not ignores:
                collection = [*collection, MARKER] if step == PUT else [each for each in collection if each != MARKER]
            step = keeping.send(answer)
    except StopIteration as end:
        return steps, end.value


@pytest.mark.parametrize(
    ("held", "steps", "outcome"),
    [
        ([], [READ_ITEMS], MarkerOutcome.AGREES),
        ([MARKER, BEHIND], [READ_ITEMS], MarkerOutcome.AGREES),
        ([BEFORE, MARKER], [READ_ITEMS], MarkerOutcome.AGREES),
        ([UNMARKED, BEHIND], [READ_ITEMS], MarkerOutcome.AGREES),
        ([BEFORE, SECOND, MARKER], [READ_ITEMS, READ_MARKER], MarkerOutcome.AGREES),
        ([OCCUPANT], [READ_ITEMS], MarkerOutcome.OCCUPIED),
        ([BEFORE, SECOND, OCCUPANT], [READ_ITEMS, READ_MARKER], MarkerOutcome.OCCUPIED),
        ([BEHIND], [READ_ITEMS, PUT, READ_ITEMS], MarkerOutcome.AGREES),
        ([BEFORE, SECOND], [READ_ITEMS, READ_MARKER, PUT, READ_ITEMS, READ_MARKER], MarkerOutcome.AGREES),
        ([MARKER], [READ_ITEMS, READ_MARKER, DELETE, READ_ITEMS], MarkerOutcome.AGREES),
        ([UNMARKED], [READ_ITEMS, READ_MARKER], MarkerOutcome.UNMARKED),
        ([EXTENDED], [READ_ITEMS, READ_MARKER], MarkerOutcome.EXTENDED),
    ],
)
def test_a_collection_is_read_until_its_marker_agrees(
    held: Sequence[Item], steps: Sequence[object], outcome: MarkerOutcome
) -> None:
    assert kept(*held) == (steps, outcome)


def test_a_collection_that_others_keep_changing_is_given_up_after_five_writes() -> None:
    steps, outcome = kept(BEHIND, ignores=True)
    assert (steps, outcome) == ([*[READ_ITEMS, PUT] * 5, READ_ITEMS], MarkerOutcome.UNSETTLED)


@pytest.mark.parametrize(("reads", "write"), [([[BEHIND]], PUT), ([[MARKER], MARKER], DELETE)])
def test_a_write_that_dynamodb_refuses_for_good_ends_the_work(reads: Sequence[object], write: Write) -> None:
    keeping = keep(marker(), {"S": "c"}, only_added=False)
    step = next(keeping)
    for found in reads:
        step = keeping.send(found)
    assert step == write
    with pytest.raises(StopIteration) as ended:
        keeping.send(Refused("ValidationException"))
    assert ended.value.value is MarkerOutcome.REFUSED


@pytest.mark.parametrize("only_added", [True, False])
def test_a_marker_whose_sort_key_is_too_long_is_not_even_read(only_added: bool) -> None:
    """DynamoDB would refuse the read, too: Lambda would try it ten times, and all changes behind it wait."""
    template = ItemTemplate.parse({"sk": "#{pk}", "GSI-pk": "{pk}"}, "marker")
    long = replace(marker(), template=template)
    next(keep(long, {"S": "c" * 1023}, only_added=only_added))
    with pytest.raises(StopIteration) as ended:
        next(keep(long, {"S": "c" * 1024}, only_added=only_added))
    assert ended.value.value is MarkerOutcome.REFUSED
