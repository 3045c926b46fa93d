"""An item of the old table becomes the same item of the new one, whoever transforms it."""

from skipscan.copy.replica import Transform, TransformedItem
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator

TRANSFORM = Transform(Assignments.parse({"made": "{a}-{b}"}, Separator.REFUSE))
ITEM = {"id": {"S": "1"}, "a": {"S": "x"}, "b": {"N": "2"}}


def test_attributes_are_set_beside_the_others_and_a_wrong_one_is_replaced() -> None:
    made = TransformedItem({**ITEM, "made": {"S": "x-2"}})
    assert TRANSFORM.of(ITEM) == made
    assert TRANSFORM.of({**ITEM, "made": {"S": "old"}}) == made


def test_an_item_that_is_right_stays() -> None:
    right = {**ITEM, "made": {"S": "x-2"}}
    assert TRANSFORM.of(right) == TransformedItem(right)


def test_an_item_that_lacks_a_part_is_copied_unchanged_with_the_reason() -> None:
    made = TRANSFORM.of({"id": {"S": "1"}, "a": {"S": "x"}})
    assert made.item == {"id": {"S": "1"}, "a": {"S": "x"}}
    assert "b" in made.reason
