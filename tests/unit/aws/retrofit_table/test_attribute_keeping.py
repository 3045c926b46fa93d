"""Which items an attribute keeper leaves for later."""

from itertools import count
from typing import Any

from skipscan.aws.follower import follow
from skipscan.aws.retrofit_table import AttributeKeeping
from skipscan.items.request import Conflict, Looked
from skipscan.retrofit.settling import RetrofitOutcome
from skipscan.stream.delivery import Delivery, Record
from tests.fakes.small_table import item, retrofit_plan


class Changing:
    """A table whose item is another one at every request."""

    def __init__(self) -> None:
        self._numbers = count()

    def look(self, _: object) -> Looked:
        return Looked(item("1", a=str(next(self._numbers)), b="x"), 1.0)

    def update(self, *_: object) -> Conflict:
        return Conflict(item("1", a=str(next(self._numbers)), b="x"), 1.0)


def test_an_item_that_kept_changing_comes_again() -> None:
    items: Any = Changing()
    keeping = AttributeKeeping(retrofit_plan().assignments, items, ("id",), check=lambda: None)
    delivery = Delivery((Record("record-1", item("1")),), ())
    followed = follow(delivery, keeping, until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(RetrofitOutcome.CONTENDED): 1})
