"""An update holds only as long as nothing that it rests on has changed."""

import pytest

from skipscan.dynamodb.write_units import Conflict
from skipscan.items.assignments import Update
from skipscan.items.walk import Written
from skipscan.retrofit.requests import RetrofitItems
from tests.fakes.attribute_value import Item
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.small_table import AUDIT, item, text

CHANGE = Update({"made": text("x-y"), "more": text("y")}, {"a": text("x"), "b": text("y"), "made": None})
READ = item("1", a="x", b="y", c="z")


@pytest.mark.parametrize(
    ("existing", "written"),
    [
        (READ, {**READ, **CHANGE.values}),
        ({**READ, "c": text("other")}, {**READ, "c": text("other"), **CHANGE.values}),
        *((changed, changed) for changed in (READ | item("1", a="z"), item("1", a="x"), READ | item("1", made="z"))),
        (None, None),
    ],
)
def test_an_update_depends_on_the_item_and_every_attribute_that_was_read(
    existing: Item | None, written: Item | None
) -> None:
    dynamodb = FakeDynamoDB()
    audit = dynamodb.add(AUDIT, [existing] if existing else [])
    items = RetrofitItems(dynamodb, "Audit", "id", ("id", "a", "b", "made"))  # type: ignore[arg-type]
    answer = items.update(item("1"), CHANGE)
    assert audit.get(item("1")) == written
    assert answer == (Conflict(existing, 1.0) if existing == written else Written(1.0))
