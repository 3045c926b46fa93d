"""The acts that send keys, and what their documentation says about repeated keys."""

import json
from collections import Counter

from tests.simulation.histories.acts import COLLECTIONS, Act
from tests.simulation.histories.law import Harm
from tests.simulation.histories.receivers import Function, Queue
from tests.simulation.histories.versions import Author
from tests.simulation.histories.world import History

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:receiver"
HANDED = ("invoke", "send")
TOGETHER = (1, 2)
"""Keys in one message."""


class HandOver(Act):
    """An act that sends the keys of six collections to a function or a queue: at least once, with a stated maximum."""

    def __init__(self, world: History, action: str) -> None:
        self.receiver: Function | Queue = Function(world) if action == "invoke" else Queue(world)
        together = world.random.choice(TOGETHER)
        handed = {
            "invoke": {"invoke": {"function": FUNCTION, "keys_per_call": together}},
            "send": {"send": {"queue": QUEUE, "keys_per_message": together}},
        }
        super().__init__(world, action, handed[action])
        world.receiver = self.receiver

    def told(self, harm: Harm) -> str | None:
        return None  # it writes to no table

    def at_end(self) -> str:
        """See docs/act.md: "What a crash repeats", and the outcomes of `invoke` and `send`."""
        return self._too_many() or self._needless() or self._missing()

    def _too_many(self) -> str:
        """Complain of an invocation that handed on more keys than the plan says."""
        handed = {(each.attempt, key) for each in self.receiver.deliveries for key in each.keys}
        most = max(Counter(attempt for attempt, _ in handed).values(), default=0)
        if most > max(self.plan.repeated_keys, self.plan.action.keys_together):
            return f"an invocation handed on {most} keys, and the plan says {self.plan.repeated_keys}"
        return ""

    def _needless(self) -> str:
        """Complain of keys that came again though a commit held them, or under another id, or though acknowledged."""
        ids: dict[str, str] = {}
        messages: dict[str, tuple[str, ...]] = {}
        acknowledged: Counter[tuple[Author, str]] = Counter(self.receiver.heard)
        for each in self.receiver.deliveries:
            if messages.setdefault(each.id, each.keys) != each.keys:  # a FIFO queue would drop one of them
                return f"{each.id} is {messages[each.id]} and {each.keys}"
            for key in each.keys:
                if ids.setdefault(key, each.id) != each.id:
                    return f"{key} came under {ids[key]} and {each.id}"
            if each.attempt.was_committed:
                return f"{each.id} came from an invocation that began after the commit of its batch"
        if again := [id for (_, id), times in acknowledged.items() if times > 1]:
            return f"{again} were handed on again by the invocation that they were acknowledged to"
        times = Counter(each.id for each in self.receiver.deliveries)
        self.world.faults[f"{self.action}: keys came again"] += sum(times.values()) - len(times)
        return ""

    def _missing(self) -> str:
        """Complain of a key that is neither done nor listed as failed, and of counts that do not add up."""
        done = {each.keys[place] for each in self.receiver.deliveries for place in each.places}
        failed = set()
        for name, stored in self.world.s3.objects.items():
            if name.startswith(self.layout.parts):
                failed |= {json.loads(line)["key"]["pk"] for line in stored.body.splitlines()}
        if missing := {*COLLECTIONS} - done - failed:
            return f"{sorted(missing)} were neither done nor listed as failed"
        counts: Counter[str] = Counter()
        for worker in self.execution.workers:
            counts.update({name: worker.states[-1]["counts"].get(name, 0) for name in ("keys", "sent", "failed")})
        if counts != Counter(keys=len(COLLECTIONS), sent=len(COLLECTIONS) - len(failed), failed=len(failed)):
            return f"the counts are {dict(counts)}, and {len(failed)} keys are listed as failed"
        if failed:
            self.world.faults[f"{self.action}: listed as failed"] += 1
        return ""
