"""One collection and its keepers as a finite graph, walked completely: every state that any order of steps can reach.

The collection has up to two items of its own, both before the marker's place, where a marker or somebody's item may
lie. Two keepers are at work at once; writers never stop, so there is no bound to the number of writes, deliveries,
duplicates and crashes. Of the records that wait to be delivered only the kinds are kept: several of a kind that are
delivered apart are one delivered and then repeated.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, ItemSteps, Write
from skipscan.items.mark import MARK
from skipscan.markers.keeper import MarkerOutcome
from tests.unit.markers import sample

MARKER = "#static"
Keep = Callable[..., ItemSteps]
Step = Get | First | Write
ADDED, OTHER = "an item was added", "an item went, or anything at the marker's place"
DELIVERIES = ((ADDED,), (OTHER,), (ADDED, OTHER))
ORDER = {"": 0, "!": 1, '"': 2, "marker": 3, "theirs": 3, "unmarked": 3, "extended": 3}
OURS = sample.marker().item({"S": "p"})
AT_KEY = {
    "marker": OURS,
    "theirs": sample.item("p", MARKER, note="theirs"),
    "unmarked": {name: value for name, value in OURS.items() if name != MARK},
    "extended": {**OURS, "balance": {"N": "7"}},
}

Names = tuple[str, ...]


class Keeper(NamedTuple):
    """The events delivered to a keeper and its answers; `reading`: the first item of a Query in progress."""

    records: Names
    answers: tuple[Names, ...] = ()
    reading: str | None = None


class State(NamedTuple):
    items: frozenset[str] = frozenset()
    at_key: str | None = None
    waiting: frozenset[str] = frozenset()
    keepers: tuple[Keeper, ...] = ()

    def with_keepers(self, *keepers: Keeper) -> "State":
        return self._replace(
            keepers=tuple(sorted(keepers, key=lambda keeper: (keeper.records, keeper.answers, str(keeper.reading))))
        )

    def delivered(self, *records: str) -> "State":
        return self._replace(waiting=self.waiting.union(records))

    @property
    def names(self) -> Names:
        """The items of the collection, in order."""
        return (*sorted(self.items), *([self.at_key] if self.at_key else []))


@dataclass(frozen=True)
class Model:
    """The possible steps. Without `crashes` no keeper gives up either; without `events` markers cause no events."""

    keep: Keep
    items: Names = ("!", '"')
    crashes: bool = True
    hands: bool = True
    events: bool = True
    theirs: Names = ("theirs",)

    def wrong(self) -> State | None:
        """Return a state in which all is handled, or can never be, and marker and items disagree; or a loss."""
        reached, fresh = {State()}, [State()]
        while fresh:
            state = fresh.pop()
            if not state.keepers and not self._ends_right(state):
                return state
            for following in self._following(state):
                if following.at_key == "lost":
                    return following
                if following not in reached:
                    reached.add(following)
                    fresh.append(following)
        return None

    def _ends_right(self, state: State) -> bool:
        """Return whether marker and items agree after all waiting events are delivered, without other writers."""
        for _ in range(10):
            if state.at_key == "lost":
                return False
            if not state.keepers:
                if not state.waiting:
                    return state.at_key not in (None, "marker") or bool(state.items) == (state.at_key == "marker")
                delivered = Keeper(tuple(sorted(state.waiting)))
                state = self._settled(state._replace(waiting=frozenset()), delivered)
            while state.keepers and state.at_key != "lost":
                (state,) = self._stepped(state, state.keepers[0], ())
        return False

    def _following(self, state: State) -> Iterator[State]:
        for item in self.items:
            yield state._replace(items=state.items ^ {item}).delivered(OTHER if item in state.items else ADDED)
        if self.hands:
            yield from self._meddled(state)
        if len(state.keepers) < 2:
            for records in DELIVERIES:
                begun = state._replace(waiting=state.waiting.difference(records))
                yield self._settled(begun, *state.keepers, Keeper(records))
        for place, keeper in enumerate(state.keepers):
            others = state.keepers[:place] + state.keepers[place + 1 :]
            if self.crashes:
                yield state.delivered(*keeper.records).with_keepers(*others)
            yield from self._stepped(state, keeper, others)

    def _meddled(self, state: State) -> Iterator[State]:
        delivered = (OTHER,) if self.events else ()
        if state.at_key is None:
            for name in ("marker", *self.theirs):
                yield state._replace(at_key=name).delivered(*delivered)
        else:
            yield state._replace(at_key=None).delivered(*delivered)
            for name in self.theirs:
                yield state._replace(at_key=name)  # a change of an item, whose record is filtered out

    def _stepped(self, state: State, keeper: Keeper, others: tuple[Keeper, ...]) -> Iterator[State]:
        step = next_step(self.keep, keeper.records == (ADDED,), keeper.answers)
        delivered = (OTHER,) if self.events else ()
        answer: Names = ()
        match step:
            case Get():
                answer = (state.at_key,) if state.at_key else ()
            case First() if keeper.reading is None:
                yield state.with_keepers(*others, keeper._replace(reading=next(iter(state.names), "")))
                return
            case First():  # its second item is read later than its first
                first = keeper.reading or ""
                behind = [name for name in state.names if ORDER[name] > ORDER[first]] if first else []
                answer = (first, *behind[:1]) if first else ()
            case Write(put=None, expects=seen):
                if state.at_key and agrees(seen, AT_KEY[state.at_key]):
                    # A case that no condition can exclude, as the page says: "balance", added after the check.
                    is_ours = state.at_key == "marker" or (state.at_key == "extended" and "balance" not in (seen or ()))
                    state = state._replace(at_key=None if is_ours else "lost").delivered(*delivered)
            case Write():
                if state.at_key is None:
                    state = state._replace(at_key="marker").delivered(*delivered)
        yield self._settled(state, *others, Keeper(keeper.records, (*keeper.answers, answer)))

    def _settled(self, state: State, *keepers: Keeper) -> State:
        """Return the state without the keepers that are done; what they left unsettled waits again."""
        running = []
        for keeper in keepers:
            step = next_step(self.keep, keeper.records == (ADDED,), keeper.answers)
            if step is MarkerOutcome.UNSETTLED:
                if not self.crashes:
                    return State()
                state = state.delivered(*keeper.records)
            if not isinstance(step, MarkerOutcome):
                running.append(keeper)
        return state.with_keepers(*running)


@cache
def next_step(keep: Keep, only_added: bool, answers: tuple[Names, ...]) -> Step | MarkerOutcome:
    """Return what a keeper does after these answers."""
    steps = keep(sample.marker(), {"S": "p"}, only_added=only_added)
    try:
        step: Step = next(steps)
        for answer in answers:
            items = [_item(name) for name in answer]
            step = steps.send(items if isinstance(step, First) else next(iter(items), None))
    except StopIteration as end:
        outcome: MarkerOutcome = end.value
        return outcome
    return step


def agrees(seen: Any, item: Item) -> bool:
    """Tell whether a condition on every attribute seen holds: it says nothing of attributes that were not there."""
    return all(item.get(name) == value for name, value in seen.items())


def _item(name: str) -> Item:
    return AT_KEY.get(name) or sample.item("p", name)
