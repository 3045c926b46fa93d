"""The functions on a stream, and the harm that their documentation warns of."""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from skipscan import form
from skipscan.aws.follower import Follower as Following
from skipscan.copy.replica import Replica
from skipscan.items import mark
from skipscan.markers.marker import Marker
from tests.fakes.attribute_value import Item
from tests.fakes.handlers.execution import CONTEXT
from tests.fakes.small_table import STREAM
from tests.simulation.histories.application import Application
from tests.simulation.histories.law import Harm, Writer
from tests.simulation.histories.tables import (
    KEYS,
    NEW,
    OLD,
    SET,
    TABLE,
    TEMPLATES,
    is_right,
    sources,
    targets_of,
    told_of_targets,
)
from tests.simulation.histories.versions import PREPARED, Key, named
from tests.simulation.histories.world import FOLLOWER_SECONDS, History
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.functions import functions

COLLECTIONS = ("0", "1", "2")
PLACE = "#static"
MARKER = {"sk": PLACE, "GSI-pk": "{pk}"}


SILENT: Any = SimpleNamespace(info=lambda *_, **__: None, warning=lambda *_, **__: None)


class Follower(Writer):
    """A deployed function on a stream: its records arrive at least once, in any order, until they are handled."""

    def __init__(self, world: History, application: Application, state: str, variables: dict[str, str]) -> None:
        self.world, self.application, self.table = world, application, world.tables[OLD]
        self.begun = next(world.moments)
        self.events: list[tuple[Key, str]] = []
        self.handled: list[tuple[Key, str]] = []
        self.table.told = lambda key, event: self.events.append((key, event))
        self._state = state
        self._served: dict[Attempt, Any] = {}
        handler = functions().modules[state]
        handler.os = SimpleNamespace(environ={"SKIPSCAN_TABLE": OLD, "SKIPSCAN_STREAM": STREAM, **variables})
        handler.described = lambda *_: TABLE
        metrics: Any = SimpleNamespace(environment="dev", emit=lambda *_, **__: None)
        handler.follower = Following(SILENT, metrics)

    @property
    def awaits(self) -> bool:
        return bool(self.events)

    def invoke(self, *, again: bool) -> Attempt | None:
        random = self.world.random
        if again:  # Lambda delivers a record more than once
            events = random.sample(self.handled, min(len(self.handled), 2))
        else:
            events = random.sample(self.events, random.randint(1, min(len(self.events), 4))) if self.events else []
        if not events:
            return None
        for event in {*events} & {*self.events}:
            self.events.remove(event)
        records = [
            {"eventName": name, "dynamodb": {"Keys": named(key), "SequenceNumber": str(number)}}
            for number, (key, name) in enumerate(events)
        ]
        return self.invoked(records, events)

    def invoked(self, records: list[dict[str, Any]], serves: Any) -> Attempt:
        attempt = self.world.invoke(self._state, {"Records": records}, self._ended)
        self._served[attempt] = serves
        return attempt

    def _ended(self, attempt: Attempt) -> None:
        if not attempt.given_up:
            self.abandoned(attempt)

    def abandoned(self, attempt: Attempt) -> None:
        """Take back the records of an invocation that failed or whose caller no longer waits."""
        again = served = self._served[attempt]
        if attempt.ended and attempt.error is None:
            again = [served[int(failed["itemIdentifier"])] for failed in attempt.answer["batchItemFailures"]]
        self.events += again
        self.handled += served


class AttributeKeeper(Follower):
    def __init__(self, world: History, asked: Mapping[str, Any] = SET) -> None:
        super().__init__(world, sources(world), "keep_attribute", {"SKIPSCAN_KEPT": json.dumps(asked)})
        self.targets = targets_of(asked)

    def told(self, harm: Harm) -> str | None:
        return told_of_targets(harm, self.targets)

    def at_end(self) -> str:
        changed = [self.table.item(key) for key in self.table.changed_since(self.begun)]
        return "" if all(is_right(item, self.targets) for item in changed) else "a changed item is not right"


class MarkerKeeper(Follower):
    def __init__(self, world: History) -> None:
        home = mark.home("dev", CONTEXT.invoked_function_arn, TABLE)
        self.marker = Marker.described(MARKER, OLD, TABLE, home)
        keys = [(pk, sk) for pk in COLLECTIONS for sk in ("!", PLACE, PLACE, "z")]

        def made(key: Key) -> Item:
            """Return an application's own marker, without the mark, now and then."""
            return {"GSI-pk": {"S": key[0]}} if world.random.random() < 0.6 else {}

        sets = ("balance", "GSI-pk")  # a marker's own attribute too
        application = Application(world.random, world.tables[OLD], keys, made=made, sets=sets, bare=0.5)
        super().__init__(world, application, "keeper", {"SKIPSCAN_MARKER": json.dumps(MARKER)})
        for pk in COLLECTIONS:
            if world.random.random() < 0.5:  # a collection that has just ended, its marker not yet deleted
                self.table.write((pk, PLACE), dict(self.marker.item({"S": pk})), PREPARED)
                self.events.append(((pk, "z"), "REMOVE"))

    def invoke(self, *, again: bool) -> Attempt | None:
        self.events = [event for event in self.events if event[1] != "MODIFY"]  # the stream's filter
        return super().invoke(again=again)

    def told(self, harm: Harm) -> str | None:
        """See docs/markers.md, "The mark": what cannot be fenced; and that a marker deleted by hand is put again."""
        if harm.after is not None and not harm.lost:
            return "a marker was put"  # a collection that ended has it deleted again, see `at_end`
        ours = self.marker.item({"S": harm.key[0]})
        is_ours = {name: (harm.before or {}).get(name) for name in ours} == ours
        return "attribute added between look and delete" if is_ours and harm.was_added_unseen(self.table) else None

    def at_end(self) -> str:
        for pk in COLLECTIONS:
            keys, at_place = self.table.collection(pk), self.table.item((pk, PLACE))
            if len(keys) == 1 and at_place == self.marker.item({"S": pk}):
                return f"collection {pk} is back by its marker"
            if keys and at_place is None:
                return f"collection {pk} has no marker"
        return ""


class Replicator(Follower):
    """The follower of a copy, with its late looks. `copies`: a copy brings the items that were there before.

    `is_calm`: nobody dies, and no late look ever comes; for a copy, nobody deletes either.
    """

    def __init__(self, world: History, *, copies: bool = False, is_calm: bool = False) -> None:
        application = sources(world, deletes=not (copies and is_calm))
        self.replica = Replica(OLD, NEW, STREAM, "https://queue", TEMPLATES)
        super().__init__(world, application, "replicator", {"SKIPSCAN_REPLICA": json.dumps(form.write(self.replica))})
        self.copies, self.target, self._is_calm = copies, world.tables[NEW], is_calm
        if is_calm:
            world.calm()
        for key, item in self.table.items().items() if not is_calm else ():
            if world.random.random() < 0.3:
                expected = dict(self.replica.transform(item)[0])
                older = {**named(key), "note": {"S": "older"}}
                self.target.write(key, world.random.choice([expected, older]), PREPARED)

    @property
    def awaits(self) -> bool:
        return bool(self.events or self._ready)

    @property
    def _ready(self) -> list[tuple[float, str]]:
        return [message for message in self._looks if message[0] <= self.world.now]

    @property
    def _looks(self) -> list[tuple[float, str]]:
        return [] if self._is_calm else self.world.messages

    def due(self, now: float) -> float | None:
        return min((at for at, _ in self._looks if at > now), default=None)

    def invoke(self, *, again: bool) -> Attempt | None:
        ready = self._ready
        if not again and ready and (not self.events or self.world.random.random() < 0.5):
            message = self.world.random.choice(ready)
            self.world.messages.remove(message)
            self.world.faults["late look"] += 1
            return self.invoked([{"messageId": "0", "body": message[1]}], message)
        return super().invoke(again=again)

    def abandoned(self, attempt: Attempt) -> None:
        served = self._served[attempt]
        if not isinstance(served, tuple):
            super().abandoned(attempt)
        elif not attempt.ended or attempt.error is not None or attempt.answer["batchItemFailures"]:
            # A message is seen again when its invocation is over for sure.
            self.world.messages.append((self.world.now + FOLLOWER_SECONDS, served[1]))

    def at_end(self) -> str:
        """The target is the replicator's until the cut-over (docs/copy.md): it must end as the source says."""
        expected = {key: self.replica.transform(item)[0] for key, item in self.table.items().items()}
        for key in KEYS if self.copies else self.table.changed_since(self.begun):
            if self.target.item(key) != expected.get(key):
                return f"{key} is {self.target.item(key)}, not {expected.get(key)}"
        return ""
