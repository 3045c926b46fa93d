"""Everything that can happen to a table and its keepers, in any order, as a hypothesis state machine.

Writers insert and remove items, and now and then put or remove a marker, or an item of their own at its place, by hand.
Records are delivered in any order, several times, to several keepers at once; keepers crash and fail between any steps.
At its end the writers stop, every record is handled, and the markers must be those of the collections.
"""

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from skipscan.dynamodb.source import Item
from skipscan.items.mark import MARK
from skipscan.markers.keeper import keep
from tests.unit.markers import sample
from tests.unit.markers.keeper.world import MARKER, Invocation, World

COLLECTIONS = st.sampled_from(["p", "q"])
SORT_KEYS = st.sampled_from(["!", '"', "z"])  # two before the marker's, one behind it
NUMBERS = st.integers(0, 7)


class Interleaving(RuleBasedStateMachine):
    keep = staticmethod(keep)

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.undelivered: set[str] = set()
        self.seen = 0
        self.invocations: list[Invocation] = []
        self.theirs: dict[str, Item] = {}  # by collection: an application's item at the marker's place

    def pending(self) -> list[str]:
        """Return the records that are to be delivered."""
        new = self.world.stream[self.seen :]
        self.undelivered |= {record["dynamodb"]["SequenceNumber"] for record in new if self.delivered(record)}
        self.seen = len(self.world.stream)
        return sorted(self.undelivered, key=int)

    def delivered(self, record: dict[str, Any]) -> bool:
        return True

    @rule(pk=COLLECTIONS, sk=SORT_KEYS)
    def insert(self, pk: str, sk: str) -> None:
        self.world.put(sample.item(pk, sk))

    @rule(pk=COLLECTIONS, sk=SORT_KEYS)
    def remove(self, pk: str, sk: str) -> None:
        self.world.delete(pk, sk)

    @rule(pk=COLLECTIONS)
    def remove_collection(self, pk: str) -> None:
        for sk in set(self.world.collections.get(pk, {})) - {MARKER}:
            self.world.delete(pk, sk)

    @rule(data=st.data(), again=st.lists(st.integers(0, 30), max_size=2))
    def deliver(self, data: st.DataObject, again: list[int]) -> None:
        pending = self.pending()
        some = st.lists(st.sampled_from(pending), unique=True, max_size=6) if pending else st.nothing()
        numbers = data.draw(some | st.permutations(pending))
        self.undelivered -= set(numbers)
        delivered = [self.world.stream[int(number)] for number in numbers]
        delivered_again = [self.world.stream[number] for number in again if number < self.seen]
        records = [*delivered, *filter(self.delivered, delivered_again)]
        if records:
            self.invocations.append(Invocation(self.world, records, self.keep))

    @precondition(lambda self: self.invocations)
    @rule(which=NUMBERS, keepers=st.lists(NUMBERS, min_size=1, max_size=8))
    def step(self, which: int, keepers: list[int]) -> None:
        invocation = self.invocations[which % len(self.invocations)]
        for number in keepers:
            if invocation.running:
                invocation.step(number)
        if not invocation.running:
            self.end(invocation)

    @precondition(lambda self: self.invocations)
    @rule(which=NUMBERS)
    def finish(self, which: int) -> None:
        invocation = self.invocations[which % len(self.invocations)]
        while invocation.running:
            invocation.step(0)
        self.end(invocation)

    def end(self, invocation: Invocation) -> None:
        """Take an invocation that ended: Lambda delivers again what it did not handle."""
        self.invocations.remove(invocation)
        self.undelivered |= invocation.undone

    @invariant()
    def nobody_touches_what_is_no_marker(self) -> None:
        for pk, item in self.theirs.items():
            assert self.world.collections[pk].get(MARKER) == item

    def teardown(self) -> None:
        """Let the writers stop, and everything be delivered until all is handled."""
        for _ in range(20):
            while self.invocations:
                self.finish(0)
            if not self.pending():
                break
            records = [self.world.stream[int(number)] for number in self.undelivered]
            self.undelivered.clear()
            self.invocations.append(Invocation(self.world, records, self.keep))
        else:
            pytest.fail("keepers go on for ever")
        self.nobody_touches_what_is_no_marker()
        for pk, items in self.world.collections.items():
            if pk not in self.theirs:
                assert (MARKER in items) == bool(items.keys() - {MARKER}), pk


class WithCrashesAndHands(Interleaving):
    """With keepers that crash or fail, and people who change markers."""

    @precondition(lambda self: self.invocations)
    @rule(which=NUMBERS)
    def crash(self, which: int) -> None:
        invocation = self.invocations[which % len(self.invocations)]
        invocation.running.clear()
        self.end(invocation)

    @precondition(lambda self: self.invocations)
    @rule(which=NUMBERS, keeper=NUMBERS)
    def fail(self, which: int, keeper: int) -> None:
        invocation = self.invocations[which % len(self.invocations)]
        invocation.lose(keeper)
        if not invocation.running:
            self.end(invocation)

    @rule(pk=COLLECTIONS)
    def put_marker_by_hand(self, pk: str) -> None:
        if MARKER not in self.world.collections.get(pk, {}):
            self.world.put(self.world.marker.item({"S": pk}))

    @rule(pk=COLLECTIONS)
    def remove_marker_by_hand(self, pk: str) -> None:
        self.world.delete(pk, MARKER)
        self.theirs.pop(pk, None)

    @rule(pk=COLLECTIONS, kind=st.sampled_from(["another item", "without the mark", "of another environment"]))
    def put_own_item_in_its_place(self, pk: str, kind: str) -> None:
        marker = self.world.marker.item({"S": pk})
        item: Item = {
            "another item": sample.item(pk, MARKER, note="theirs"),
            "without the mark": {name: value for name, value in marker.items() if name != MARK},
            "of another environment": {**marker, MARK: {"S": f"{sample.HOME}0/keeper"}},
        }[kind]
        self.world.put(item)
        self.theirs[pk] = item


class WithoutMarkersEvents(Interleaving):
    """Without the events of the keepers' own writes: they look again after each, so while none crashes that will do."""

    def delivered(self, record: dict[str, Any]) -> bool:
        return bool(record["dynamodb"]["Keys"]["sk"]["S"] != MARKER)
