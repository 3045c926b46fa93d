"""The acts that write to a table, and the harm that their documentation warns of."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from skipscan.act.input import AnyAction
from skipscan.act.kept import Kept
from skipscan.act.kind import ACT
from skipscan.act.parts import cut
from skipscan.act.plan import ActPlan, digest_of
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.items.mark import MARK
from skipscan.lines.formats import line_encoder
from skipscan.listing.kind import LISTING
from skipscan.loop.storage import checksum
from skipscan.loop.work import stamped
from skipscan.scan.take import EachItem
from skipscan.scan.taken import Taken
from tests.fakes.acting import act_plan
from tests.fakes.actions import decided
from tests.fakes.attribute_value import Item
from tests.simulation.histories.application import Application
from tests.simulation.histories.job import Job
from tests.simulation.histories.law import Harm
from tests.simulation.histories.tables import TABLE
from tests.simulation.histories.versions import PREPARED, named
from tests.simulation.histories.world import History
from tests.simulation.world.functions import BUCKET, PREFIX

COLLECTIONS = tuple("012345")
PART = "run-1/keys/part"
PLACE = "#static"
ITEM = {"item": {"sk": PLACE, "GSI-pk": "{pk}"}}
PK, SK = KeyAttribute("pk", "S"), KeyAttribute("sk", "S")
SOURCE = Source("Old", None, SourceKind.TABLE, (PK,), (SK,), ())
LISTED = ("delete listed", "trim")
CONDITIONAL = ("delete if", *LISTED, "undo", "put back")
OURS, UNDONE = "home/job-1/now", "home/job-0/before"
ACTIONS: dict[str, dict[str, Any]] = {
    "put": {"put_item": ITEM},
    "put if it lives": {"put_item": ITEM},
    "overwrite": {"put_item": {**ITEM, "overwrite": True}},
    "delete": {"delete_item": {"key": {"sk": PLACE}}},
    "delete if": {"delete_item": {"key": {"sk": PLACE}, "if": {"state": "closed"}}},
    **{action: {"delete_listed": {}} for action in LISTED},
    "undo": {"undo": {"job": "job-0", "item": ITEM["item"], "mark": UNDONE}},
    "put back": {"put_back": {"job": "job-0"}},
}


def plan(document: dict[str, Any], part: bytes, random: Any, **more: Any) -> ActPlan:
    action = decided(document)
    return act_plan(
        action,
        table="Old",
        identity=TABLE.identity,
        run="run-1",
        manifest_sha256=digest_of(_manifest(part, action)),
        format=_format(action),
        keys=len(COLLECTIONS),
        slices=len(cut(_manifest(part, action))),
        workers=random.choice([1, 2]),
        repeated_keys=random.choice([1, 2, 3]) if not action.is_idempotent else random.choice([2, 100]),
        mark=OURS,
        has_items=action.takes_items,
        **more,
    )


def _parts(part: bytes) -> list[dict[str, Any]]:
    return [{"name": PART, "bytes": len(part), "sha256": checksum(part)}]


def _format(action: AnyAction) -> str:
    return "dynamodb-jsonl" if action.takes_items else "jsonl"


def _manifest(part: bytes, action: AnyAction) -> dict[str, Any]:
    return stamped({"format": _format(action), "parts": _parts(part)})


def first(key: tuple[str, str]) -> Item:
    """Return the item that a run has listed."""
    return {**named(key), "state": {"S": "closed"}, "note": {"S": f"first {key}"}}


def line(pk: str) -> bytes:
    return json.dumps({"pk": pk}).encode() + b"\n"


def item_line(pk: str) -> bytes:
    item = {name: value for name, value in first((pk, PLACE)).items() if name != "pk"}
    write = line_encoder(SOURCE, "dynamodb-jsonl", EachItem({"item": None}))
    return write(Taken({"S": pk}, {"item": item}, "2026-01-01T00:00:00.000+00:00"))


class Act(Job):
    """One act over a run of six collections."""

    counted = "keys", ("put", "present", "deleted", "absent", "sent", "ended", "failed")

    def __init__(self, world: History, action: str, document: dict[str, Any] | None = None) -> None:
        skips_ended = action == "put if it lives"
        document = document or ACTIONS[action]
        part = b"".join(map(item_line if decided(document).takes_items else line, COLLECTIONS))
        kept = Kept(SOURCE, None, 1, is_backwards=True) if action == "trim" else None  # "1" stays, PLACE is listed
        super().__init__(world, ACT, plan(document, part, world.random, skips_ended=skips_ended, kept=kept))
        run = LISTING.layout(PREFIX, "Old", "run-1")
        manifest = json.dumps(_manifest(part, self.plan.action)).encode()
        for name, body in ((PART, part), (run.manifest, manifest)):
            world.s3.put_object(Bucket=BUCKET, Key=name, Body=body)
        self.action, self.table = action, world.tables["Old"]
        keys = [(pk, sk) for pk in COLLECTIONS for sk in ("1", PLACE)]
        states = ("open", "closed")
        self.application = Application(
            world.random,
            self.table,
            keys,
            made=lambda _: {"state": {"S": world.random.choice(states)}},
            sets=("balance", "state"),
            value=lambda name: world.random.choice(states) if name == "state" else None,
        )
        for key in keys:
            if key[1] != PLACE or world.random.random() < (0.3 if action.startswith(("put", "overwrite")) else 0.8):
                self._prepare(key)

    def _prepare(self, key: tuple[str, str]) -> None:
        if self.action == "undo" and key[1] == PLACE and self.world.random.random() < 0.8:
            self.table.write(key, self.put(key), PREPARED)
        else:
            self.table.write(key, first(key))

    def put(self, key: tuple[str, str]) -> Any:
        """Return what the undone job had put."""
        return {**named(key), "GSI-pk": {"S": key[0]}, MARK: {"S": UNDONE}}

    def told(self, harm: Harm) -> str | None:
        """See docs/act.md: "The input", "Undo it", "What a crash repeats"."""
        if harm.by.attempt is None:
            return "the undone job's put"
        if self.action in CONDITIONAL:
            return self._told_of_condition(harm)
        if harm.by.attempt.was_committed:
            return None  # before the invocation began: nothing may be repeated
        if self.action == "delete":
            return "deleted, for no commit held it"
        return self._told_of_put(harm)

    def _told_of_condition(self, harm: Harm) -> str | None:
        if self.action == "delete if":
            met = (harm.before or {}).get("state") == {"S": "closed"}
            return "deleted, for it met the condition" if met else None
        if self.action == "put back":
            return None if harm.lost else "put where the key was free"
        looked = harm.by.looked_around
        if self.action == "trim" and (looked is None or self.table.at((harm.key[0], "1"), looked) is None):
            return None  # it had become the newest
        if self.action in LISTED and harm.before == first(harm.key):
            return "deleted as it was listed"
        known = first(harm.key) if self.action in LISTED else self.put(harm.key)
        is_known = {name: (harm.before or {}).get(name) for name in known} == known
        added = replace(harm, lost=harm.lost - known.keys())
        return "attribute added between look and delete" if is_known and added.was_added_unseen(self.table) else None

    def _told_of_put(self, harm: Harm) -> str | None:
        looked = harm.by.looked_around
        if self.plan.skips_ended and harm.ended is not None:
            has_looked = looked is not None and looked < harm.ended
            return "the collection ended between look and put" if has_looked else None
        if harm.lost:
            is_told = self.action == "overwrite" and (harm.before or {}).get(MARK) != {"S": OURS}
            return "overwritten, as was said" if is_told else None
        if (harm.back or {}).get(MARK) == {"S": OURS}:
            return "put again, for no commit held it"
        return "put where the application had deleted another"

    def finished(self) -> str:
        """Also report a put that is counted as another writer's, or the reverse."""
        if complaint := super().finished():
            return complaint
        if "put_item" in ACTIONS.get(self.action, {}) and self.world.dynamodb.tells:
            every = [self.table.versions.get((pk, PLACE), []) for pk in COLLECTIONS]
            ever = sum(any(each.by for each in versions) for versions in every)
            alone = sum(bool(versions) and all(each.by for each in versions) for versions in every)
            if not alone - self.output["ended"] <= self.output["put"] <= ever:
                return f"{self.output['put']} items are counted as put; {ever} were, {alone} where nobody else wrote"
        return ""

    def at_end(self) -> str:
        """Complain of an invocation that did more keys than the plan says, or of a collection that was passed over.

        Were one passed over, it would prove nothing that it was not harmed.
        """
        done = {(each.by.attempt, key) for key, every in self.table.versions.items() for each in every if each.by}
        most = max(Counter(attempt for attempt, _ in done if attempt).values(), default=0)
        if most > self.plan.repeated_keys:
            return f"an invocation did {most} keys, and the plan says {self.plan.repeated_keys}"
        for pk in COLLECTIONS:
            versions = self.table.versions.get((pk, PLACE), [])
            item = self.table.item((pk, PLACE))
            if self.action in ("put", "put back") and not any(version.item for version in versions):
                return f"{pk} has no item"
            if self.action == "overwrite" and not any(each.by for each in versions):
                return f"{pk} was not overwritten"
            last = versions[-1] if versions else None
            stood = item == first((pk, PLACE)) and len(versions) == 1  # not changed by others, and back since
            if self.action == "delete listed" and stood:
                return f"{pk} was not deleted"
            if self.action == "undo" and item == self.put((pk, PLACE)) and last and last.by:
                return f"{pk} was not undone"
        return ""
