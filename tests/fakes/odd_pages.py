"""Answers as DynamoDB may give them and seldom does: each wraps a client and changes nothing of what is true."""

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from random import Random
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.faults import Client, Wrapper


class Vanished(Wrapper):
    """Items that are deleted while they are evaluated: pages go by them and bring none of them.

    So a page may be empty and end at an item ahead of its start key, several may in a row, and a segment's last one.
    """

    def __init__(self, client: Client, is_gone: Callable[[Item], bool]) -> None:
        super().__init__(client)
        self._is_gone = is_gone

    def scan(self, **parameters: Any) -> Any:
        whole = {name: value for name, value in parameters.items() if name not in _PROJECTION}
        answer = self.client.scan(**whole)
        names = _projected(parameters)
        kept = [item for item in answer["Items"] if not self._is_gone(item)]
        items = [{name: item[name] for name in names or item if name in item} for item in kept]
        return {**answer, "Items": items, "Count": len(items)}


class ShortPages(Wrapper):
    """Pages that hold less than they might: some end exactly where an item collection does, some hold nothing at all.

    A page without items ends where it began, as often as chance will have it.
    """

    def __init__(self, client: Client, chance: Random) -> None:
        super().__init__(client)
        self._chance = chance

    def scan(self, **parameters: Any) -> Any:
        answer = self.client.scan(**parameters)
        chosen = self._chance.randrange(4)
        if chosen == 0 and "ExclusiveStartKey" in parameters:
            return {**answer, "Items": [], "Count": 0, "LastEvaluatedKey": parameters["ExclusiveStartKey"]}
        if chosen == 1 and answer["Items"]:
            return self.client.scan(**{**parameters, "Limit": self._whole_collections(parameters, answer["Items"])})
        return answer

    def _whole_collections(self, parameters: dict[str, Any], items: list[Item]) -> int:
        """Return how many of the items make up some of the page's first collections, each as far as the page has it."""
        view = self.client.table(parameters["TableName"]).views[parameters.get("IndexName")]
        names = [attribute.name for attribute in view.order.key.partition]
        lengths = [len(list(same)) for _, same in groupby(items, itemgetter(*names))]
        return sum(lengths[: self._chance.randint(1, len(lengths))])


class EmptyQueries(Wrapper):
    """Queries whose first pages are empty and do not end: the items come with a later page. `empty`: so many pages."""

    def __init__(self, client: Client, empty: int) -> None:
        super().__init__(client)
        self._empty = empty

    def query(self, **parameters: Any) -> Any:
        number = int(parameters.pop("ExclusiveStartKey", {"page": {"N": "0"}})["page"]["N"])
        answer = self.client.query(**parameters)
        if number == self._empty:
            return answer
        return {**answer, "Items": [], "Count": 0, "LastEvaluatedKey": {"page": {"N": str(number + 1)}}}


_PROJECTION = {"ProjectionExpression", "ExpressionAttributeNames"}


def _projected(parameters: dict[str, Any]) -> list[str]:
    names = parameters.get("ExpressionAttributeNames", {})
    return [names[each] for each in parameters.get("ProjectionExpression", "").split(",") if each]
