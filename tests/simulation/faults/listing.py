"""A listing for the schedules: its table, to which others write meanwhile, and what its parts must hold."""

import base64
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.listing.fields import ONLY_PREFIX
from tests.fakes.attribute_value import Item
from tests.fakes.faults import Client, SkipIgnored, Wrapper, described
from tests.fakes.position import Position
from tests.fakes.s3 import StoredObject
from tests.simulation.faults.catalogue import EXAMPLES, Setting

Key = tuple[str, str]
"""Of a group: the partition key, and the prefix, empty for a whole collection."""

PREFIX = "1"
"""Of the sort keys among which items are taken: some collections have one, others none."""


class Busy(Wrapper):
    """An engine to whose table others write before each page. Some pages end with an item that vanishes meanwhile."""

    def __init__(self, client: Client, listing: "Listing", random: Random) -> None:
        super().__init__(client)
        self._listing, self._random = listing, random

    def scan(self, **asked: Any) -> Any:
        for _ in range(self._random.choice([0, 0, 1, 3])):
            self._listing.write(self._random, asked.get("ExclusiveStartKey"))
        # Not where first items are taken: behind one that vanished the next is the first, whatever comes before it.
        vanishes = self._random.random() < 0.2 and not self._listing.setting.takes
        # A page may always end before its Limit, or without one before 1 MB.
        most = 1 if vanishes else self._random.choice([2, 5, 1000])
        answer = self.client.scan(**{**asked, "Limit": min(asked.get("Limit", most), most)})
        if not vanishes or "LastEvaluatedKey" not in answer:
            return answer
        self._listing.delete(answer["LastEvaluatedKey"])
        return {**answer, "Items": [], "Count": 0}


class Listing:
    """`touched`: the keys of the collections that others wrote to. `description`: what DescribeTable says otherwise.

    `_always`: the items that were there at every moment so far, each with its group. `_ever`: the groups that were at
    any. A group that is kept alive by one item after the other is promised to nobody: a page is not read at one moment.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting, self.table = setting, setting.table
        self._example = EXAMPLES[setting.table]
        self._dynamodb = self._example.shared()
        self._random = Random(setting.seed)
        self.touched: set[str] = set()
        self._gone: list[Position] = []
        self._given: set[str] = set()
        keys = sorted({key for key, _ in self._lengths()})
        self._given = {*(key for number, key in enumerate(keys) if number % 3), "new", "s7"}
        self.description: dict[str, Any] = {}
        self._versions = [self._ends()]
        self._items = self._lengths()
        self._always = self._listed(*self._example.items)
        self._ever = {*self._items}
        body = "\n".join(sorted(self._given)).encode()
        self.objects: Mapping[str, Any] = {f"{ONLY_PREFIX}list": StoredObject(body, "", {}, ())} if setting.only else {}

    @property
    def document(self) -> dict[str, Any]:
        setting = self.setting
        return {
            "table": self.table,
            "index": self._example.index,
            "segments": None if setting.only else setting.segments,
            "only": "list" if setting.only else None,
            "workers": min(setting.workers, setting.segments),
            "max_read_units": self.budget,
            "max_read_units_per_second": setting.rate,
            "take": self._take,
            "prefix": self._within,
            "prefix_length": 1 if self._has_groups else None,
        }

    @property
    def services(self) -> dict[str, Callable[[], Any]]:
        return {"dynamodb": self._engine}

    def _engine(self) -> Any:
        if self.setting.is_busy:
            self._own_table()
        engine: Any = self._dynamodb if self.setting.honours_skips else SkipIgnored(self._dynamodb, self._gone)
        engine = Busy(engine, self, self._random) if self.setting.is_busy else engine
        return described(engine, lambda table: table.update(self.description)) if self.description else engine

    def _own_table(self) -> Any:
        """Return the schedule's own table, which may be written to."""
        if self._dynamodb is self._example.shared():
            self._dynamodb = self._example.loaded()
        return self._dynamodb.table(self.table)

    def write(self, random: Random, at: Item | None = None) -> None:
        """Write to the table while it is read: put or delete an item, or delete all items of a key.

        `at`: the start key of a page. Much happens to its items.
        """
        table = self._own_table()
        keys = [each["pk"] for each in (*self._example.items, self._example.new)]
        key = at["pk"] if at and random.random() < 0.5 else random.choice(keys)
        sort_keys = [*({"N": f"{number}"} for number in range(4)), MAXIMUM["N"]]
        draw = random.random()
        if draw < 0.5:
            place = random.choice([{"S": "0"}, {"S": "1"}, MAXIMUM["S"]])
            new = {**self._example.new, "pk": key, "sk": random.choice(sort_keys), "place": place}
            new |= {"status": {"S": f"s{random.randrange(9)}"}, "payload": {"B": bytes(random.choice([10, 1500]))}}
            self._change(table.get(new), new)
        else:
            for item in [each for each in table.items() if each["pk"] == key][: 1 if draw < 0.8 else None]:
                self.delete(item)

    def delete(self, key: Item) -> None:
        if (item := self._own_table().get(key)) is not None:
            self._change(item, None)

    def _change(self, before: Item | None, after: Item | None) -> None:
        """Let an item come, change or go, and keep account of it."""
        table = self._own_table()
        gone, come = self._listed(before), self._listed(after)
        self._always -= gone - come
        self._ever |= {group for _, group in come}
        self.touched |= {group[0] for _, group in gone | come}
        places = table.views[self._example.index].order
        left, reached = ([] if item is None else [places.position(item)] for item in (before, after))
        self._gone += left if left != reached else []  # an item that changes may move in an index
        if after is not None:
            table.put(after)
        elif before is not None:
            table.delete(before)
        if self.setting.takes:
            self._versions.append(self._ends())

    def _listed(self, *items: Item | None) -> set[tuple[Position, Key]]:
        """Return the items that are to be listed, by their place, each with its group."""
        order = self._view().order
        return {(order.position(item), self._group(item)) for item in items if item and self._is_in_range(item)}

    def wrong(self, taken: list[dict[str, Any]], manifest: Mapping[str, Any]) -> str:
        """Return what is wrong with the lines of all parts."""
        if self.setting.collects:
            return self._wrong_lines(taken, manifest)
        lines = Counter(map(self._written, taken))
        if self._take and (odd := self._wrong_items(taken) if self.setting.counts is None else self._miscounted(taken)):
            return odd
        if lines.total() != manifest["keys"]:
            return f"the manifest says {manifest['keys']} keys, there are {lines.total()}"
        if twice := [key for key, times in lines.items() if times > 1]:
            return f"twice in the result: {twice}"
        if missing := {group for _, group in self._always} - lines.keys():
            return f"missing: {missing}"
        made_up = lines.keys() - self._ever
        return f"made up: {made_up}" if made_up else ""

    def _wrong_items(self, taken: list[dict[str, Any]]) -> str:
        """Each line has its collection's two ends, wherever pages, batches and executions began and ended.

        Of a collection that others wrote to: as they were at one time of the run.
        """
        (attribute,) = {next(iter(line)) for line in taken} or {"pk"}
        for line in taken:
            if list(line) != [attribute, *self._prefixes, *self._taken, "read"]:
                return f"members of a line: {list(line)}"
            for end in self._taken:
                groups = [version.get(self._written(line)) for version in self._versions]
                items = [item for group in groups if group for item in group[end]]
                none = [None] * any(group is None for group in groups)
                if line[end] not in [*none, *({name: _plain(value) for name, value in item.items()} for item in items)]:
                    return f"{self._written(line)}: never the {end} item of its group"
        return ""

    @property
    def _has_groups(self) -> bool:
        sort_key = self._view().order.key.sort
        return bool(self.setting.groups and sort_key and sort_key[0].type == "S")

    @property
    def _prefixes(self) -> list[str]:
        return ["prefix"] if self._has_groups else []

    def _written(self, line: Mapping[str, Any]) -> Key:
        """Return the key of a line's group: of a collection, or with its prefix."""
        return (next(iter(line.values())), line["prefix"] if self._has_groups else "")

    def _group(self, item: Item) -> Key:
        """Return the key of an item's group. With a prefix as range, the level begins behind it."""
        key, view = item[self._view().order.key.partition[0].name]["S"], self._view()
        length = len(self._within or "") + 1
        return (key, item[view.order.key.sort[0].name]["S"][:length] if self._has_groups else "")

    def _is_touched(self, key: Key) -> bool:
        return key[0] in self.touched

    @property
    def _take(self) -> dict[str, Any] | None:
        if order := self.setting.collects:
            return {"items": "all", "order": order if self._view().order.key.sort else "ascending"}
        if (up_to := self.setting.counts) is not None:
            return {"count": {"up_to": up_to} if up_to else {}}
        return dict.fromkeys(self._taken, "all") if self.setting.takes else None

    def _wrong_lines(self, taken: list[dict[str, Any]], manifest: Mapping[str, Any]) -> str:
        """Return what is wrong with a run that takes each item: of an untouched collection, each has one line."""
        if len(taken) != manifest["keys"]:
            return f"the manifest says {manifest['keys']} lines, there are {len(taken)}"
        found = Counter(map(self._written, taken))
        for key in found.keys() | self._items.keys():
            if self._is_touched(key):
                continue
            if found[key] != self._items[key]:
                return f"{key}: {found[key]} lines, and it has {self._items[key]} items"
        untouched = [repr(line) for line in taken if not self._is_touched(self._written(line))]
        lines = {text.rpartition("'read'")[0] for text in untouched}
        return "" if len(lines) == len(untouched) else "an item has two lines"

    def _miscounted(self, taken: list[dict[str, Any]]) -> str:
        """Each line has the number of its collection's items, wherever pages, batches and executions began and ended.

        Of a collection that others wrote to, there was at least one.
        """
        (attribute,) = {next(iter(line)) for line in taken} or {"pk"}
        up_to = self.setting.counts or 10**9
        for line in taken:
            if list(line) != [attribute, *self._prefixes, "count", "more", "read_units", "read"]:
                return f"members of a line: {list(line)}"
            key = self._written(line)
            said, held = (line["count"], line["more"]), self._items[key]
            if not self._is_touched(key) and said != (min(held, up_to), held > up_to):
                return f"{key}: {said}, and it has {held} items"
            if not said[0] or not 0 < line["read_units"] < 100:
                return f"{key}: {line}"
        return ""

    def _view(self) -> Any:
        return self._example.shared().table(self.table).views[self._example.index]

    @property
    def _taken(self) -> list[str]:
        """The ends of collections that are taken; an index without a sort key has no last items."""
        return ["first", "last"] if self._view().order.key.sort or self._example.index is None else ["first"]

    @property
    def budget(self) -> float | None:
        """The run's budget: a page that needs two Queries takes a read unit more than the least one of the others."""
        budget = self.setting.max_read_units
        return budget and budget + (1.0 if self._within else 0.0)

    @property
    def _within(self) -> str | None:
        """The prefix of the sort keys among which items are taken."""
        sort_key = self._view().order.key.sort
        return PREFIX if self.setting.within and sort_key and sort_key[0].type == "S" else None

    def _lengths(self) -> Counter[Key]:
        """Return by its key the number of items of each group."""
        return Counter(self._group(entry.item) for entry in self._view().entries if self._is_in_range(entry.item))

    def _is_in_range(self, item: Item) -> bool:
        """Return whether an item is among those that the run is to list."""
        if self._given and self.setting.only and self._group(item)[0] not in self._given:
            return False
        return self._within is None or item[self._view().order.key.sort[0].name]["S"].startswith(self._within)

    def _ends(self) -> dict[Key, dict[str, list[Item]]]:
        """Return by its key the first and last item of each group as the table is now, without the partition key.

        Of the last items, those with an equal sort key: a Query of an index may have these in any order.
        """
        view = self._dynamodb.table(self.table).views[self._example.index]
        name, by = view.order.key.partition[0].name, [attribute.name for attribute in view.order.key.sort]
        found: dict[Key, dict[str, list[Item]]] = {}
        for entry in view.entries:
            rest = {attribute: value for attribute, value in entry.item.items() if attribute != name}
            if self._is_in_range(entry.item):
                group = found.setdefault(self._group(entry.item), {"first": [], "last": []})
                firsts = group["first"]
                if not firsts or (self.setting.only and all(firsts[0][each] == rest[each] for each in by)):
                    firsts.append(rest)  # a Query finds given keys
                tied = [last for last in group["last"] if all(last[each] == rest[each] for each in by)]
                group["last"] = [*tied, rest]
        return found


def _plain(value: Mapping[str, Any]) -> Any:
    ((kind, content),) = value.items()
    if kind == "B":
        return base64.b64encode(content).decode()
    return int(content) if kind == "N" else content
