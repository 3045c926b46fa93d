"""An update holds only as long as nothing that it rests on has changed."""

import re
from types import SimpleNamespace
from typing import Any

from skipscan.items.assignments import Update
from skipscan.retrofit.requests import RetrofitItems
from tests.fakes.small_table import text


class Table:
    """`asked`: the parameters of the last update."""

    exceptions = SimpleNamespace(ConditionalCheckFailedException=KeyError)

    def update_item(self, **asked: Any) -> dict[str, Any]:
        self.asked = asked
        return {"ConsumedCapacity": {"CapacityUnits": 1.0}}


def test_an_update_depends_on_the_item_and_every_attribute_that_was_read() -> None:
    client: Any = Table()
    change = Update({"made": text("x-y"), "more": text("y")}, {"a": text("x"), "b": text("y"), "made": None})
    RetrofitItems(client, "Audit", "id", ("id", "a", "b", "made")).update({"id": text("1")}, change)
    fixed = {name: value for name, value in client.asked.items() if "Expression" not in name}
    assert fixed == {
        **{"TableName": "Audit", "Key": {"id": text("1")}, "ReturnConsumedCapacity": "TOTAL"},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    names, values = client.asked["ExpressionAttributeNames"], client.asked["ExpressionAttributeValues"]
    condition = client.asked["ConditionExpression"].split(" AND ")
    assert {names[re.findall(r"#\w+", each)[0]] for each in condition} == {"id", "a", "b", "made"}
    equal = dict(each.split(" = ") for each in condition if " = " in each)
    assert {names[name]: values[value] for name, value in equal.items()} == {"a": text("x"), "b": text("y")}
    made = dict(each.split(" = ") for each in client.asked["UpdateExpression"].removeprefix("SET ").split(", "))
    assert {names[name]: values[value] for name, value in made.items()} == change.values
