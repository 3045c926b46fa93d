"""What a table's own application does meanwhile: each value that it writes is another one."""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random

from tests.fakes.attribute_value import Item
from tests.simulation.histories.versions import Key, Table, named


class Application:
    """`keys`: of the items that it writes. `made`: the attributes of a new item. `sets`: those it sets later.

    `value`: returns the value of an attribute; without one each is another. `bare`: the share of new items that have
    no note, which is another one for each item. `deletes`: whether it deletes items, too.
    """

    def __init__(
        self,
        random: Random,
        table: Table,
        keys: Sequence[Key],
        *,
        made: Callable[[Key], Item] = lambda key: {},
        sets: Sequence[str] = ("balance",),
        value: Callable[[str], str | None] = lambda name: None,
        bare: float = 0.0,
        deletes: bool = True,
    ) -> None:
        self._random, self._table, self._keys = random, table, keys
        self._made, self._sets, self._value, self._bare = made, sets, value, bare
        self._deletes = deletes
        self._numbers = count(1)
        self.writes = 0

    def write(self, at: Key | None = None) -> None:
        """Write something to one of the items, or end its collection. `at`: the item, if it is one of its own."""
        key, draw = (at if at in self._keys else None) or self._random.choice(self._keys), self._random.random
        found = self._table.item(key)
        self.writes += 1
        if found is None:
            self._table.write(key, self._item(key), whole=True)
        elif not self._deletes or draw() < 0.35:
            self._table.write(key, {**found, **self._set()})
        elif draw() < 0.3:
            self._table.write(key, self._item(key), whole=True)
        elif draw() < 0.3:
            gone = self._random.choice([name for name in found if name not in {"pk", "sk"}] or ["none"])
            self._table.write(key, {name: value for name, value in found.items() if name != gone})
        elif draw() < 0.6:
            self._table.write(key, None)
        else:
            for each in self._table.collection(key[0]):
                self._table.write(each, None)

    def _item(self, key: Key) -> Item:
        note = {} if self._random.random() < self._bare else {"note": self._new("note")}
        return {**named(key), **self._made(key), **note}

    def _set(self) -> Item:
        name = self._random.choice(self._sets)
        return {name: self._new(name)}

    def _new(self, name: str) -> dict[str, str]:
        return {"S": self._value(name) or f"{name} {next(self._numbers)}"}
