"""An item of the old table becomes the same item of the new one, whoever transforms it."""

from skipscan.copy.replica import TransformedItem
from tests.fakes.pair import copy_plan

REPLICA = copy_plan().replica
ITEM = {"id": {"S": "1"}, "a": {"S": "x"}, "b": {"N": "2"}}


def test_attributes_are_set_beside_the_others_and_a_wrong_one_is_replaced() -> None:
    made = TransformedItem({**ITEM, "made": {"S": "x-2"}})
    assert REPLICA.transform(ITEM) == made
    assert REPLICA.transform({**ITEM, "made": {"S": "old"}}) == made


def test_an_item_that_is_right_stays() -> None:
    right = {**ITEM, "made": {"S": "x-2"}}
    assert REPLICA.transform(right) == TransformedItem(right)


def test_an_item_that_lacks_a_part_is_copied_unchanged_with_the_reason() -> None:
    made = REPLICA.transform({"id": {"S": "1"}, "a": {"S": "x"}})
    assert made.item == {"id": {"S": "1"}, "a": {"S": "x"}}
    assert "b" in made.reason
