"""Work that writes, with the deployed roles, on a table of the kit's own that the environment's cdk.json names."""

from collections.abc import Mapping
from typing import Any

from verify import environment
from verify.check import check, hold
from verify.checks.functions import STATES
from verify.checks.reading import GUIDE
from verify.errors import NotTriedError
from verify.kit import Kit

JOBS = "jobs"
MARKER = "verify"
WRONG_ROLES = "Acts and retrofits end denied, after their plans were accepted."


def job(kit: Kit, noun: str, **document: Any) -> Mapping[str, Any]:
    """Return the output of a job over the table; raise `NotTriedError` if the environment does not allow the job."""
    environment.executions(kit, noun)
    asked = {"dry_run": False, "without_recovery": True, **document}
    end = environment.ended(kit, environment.start(kit, noun, kit.table(JOBS), noun, **asked))
    if end.status != "SUCCEEDED" and "does not allow" in (end.cause or ""):
        raise NotTriedError(f"{end.cause} (docs/verify.md)")
    hold(end.status == "SUCCEEDED", f"the {noun} ended {end.status}: {end.error}: {(end.cause or '')[:300]}")
    return end.output or {}


def _items(kit: Kit) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kit.dynamodb.scan(TableName=kit.table(JOBS), ConsistentRead=True)["Items"]
    return found


@check(
    "act",
    "An act of the environment puts its item into every item collection of a table that cdk.json names.",
    source=f"{STATES}/state-map-distributed.html",
    breaks=WRONG_ROLES,
    tables=(JOBS,),
    dollars=0.003,
    seconds=40.0,
)
def act(kit: Kit) -> str:
    environment.executions(kit, "act")
    table = kit.table(JOBS)
    environment.let_read(kit, table, *environment.STATES)
    listed = environment.run(kit, "listed", table, workers=1)
    output = job(kit, "act", run=listed["run"], put_item={"item": {"s": MARKER}})
    collections = {item["p"]["S"] for item in _items(kit)}
    marked = {item["p"]["S"] for item in _items(kit) if item["s"]["S"] == MARKER}
    seen = f"{output['put']} items put into {len(marked)} of {len(collections)} collections"
    hold(output["put"] == len(collections) and marked == collections, seen)
    return seen


@check(
    "retrofit",
    "A retrofit of the environment sets its attribute on every item of a table that cdk.json names.",
    source=f"{GUIDE}/WorkingWithItems.html",
    breaks=WRONG_ROLES,
    tables=(JOBS,),
    dollars=0.003,
    seconds=40.0,
)
def retrofit(kit: Kit) -> str:
    output = job(kit, "retrofit", set={"made": "{p}#{s}"})  # no key has this separator
    items = _items(kit)
    right = [item for item in items if item.get("made") == {"S": f"{item['p']['S']}#{item['s']['S']}"}]
    seen = f"{output['written']} items updated; {len(right)} of {len(items)} are right"
    hold(len(right) == len(items) == output["written"], seen)
    return seen
