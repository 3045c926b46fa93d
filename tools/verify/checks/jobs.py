"""Work that writes, with the deployed roles, on tables of the kit's own that the environment's cdk.json names."""

import time
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from verify import environment
from verify.check import check, hold
from verify.checks.functions import STATES
from verify.errors import NotTriedError
from verify.kit import Kit

JOBS = "jobs"
COPIED, COPY = "copied", "copy"
"""The tables that stay: one with a stream, and the one that it is copied to."""
ATTEMPTS = 3
"""How often a copy is started. A replicator that was just deployed writes the same items: those in the stream at once,
and once more 15 minutes later."""
NO_RECOVERY_YET = "ContinuousBackupsUnavailableException"
RECOVERY_SECONDS = 1800.0
"""How long Plan copy asks again: infra/state_machine.py."""

MARKER = "verify"
WRONG_ROLES = "Acts, retrofits and copies end denied, after their plans were accepted."
NOT_NAMED = ("does not allow", "does not copy it", "copies table", "follows ")
"""Parts of refusals by an environment whose cdk.json does not name the kit's tables, or an earlier stream of one."""


def job(kit: Kit, label: str, table: str, *, what: str = "", **document: Any) -> Mapping[str, Any]:
    """Return the output of a job over a table; raise `NotTriedError` if the environment does not allow the job.

    `what`: in the name of its execution; unless given, the noun.
    """
    environment.executions(kit, label)
    requested = {"dry_run": False, "without_recovery": True, **document}
    end = environment.ended(kit, environment.start(kit, what or label, kit.table(table), label, **requested))
    if end.status != "SUCCEEDED" and any(part in (end.cause or "") for part in NOT_NAMED):
        raise NotTriedError(f"{end.cause} (docs/verify.md)")
    hold(end.status == "SUCCEEDED", f"the {label} ended {end.status}: {end.error}: {(end.cause or '')[:300]}")
    return end.output or {}


def _items(kit: Kit, table: str = JOBS) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kit.dynamodb.scan(TableName=kit.table(table), ConsistentRead=True)["Items"]
    return found


def _by_key(kit: Kit, table: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(item["p"]["S"], item["s"]["S"]): item for item in _items(kit, table)}


def to_copy(kit: Kit) -> Mapping[str, Any]:
    """Return what cdk.json must say of the tables that stay."""
    source = kit.describe(COPIED)
    copied = {"copy": {"to": kit.named(COPY), "stream": source.stream}}
    return {"tables": [source.name], "writing": {source.name: copied}}


@check(
    "act",
    "An act of the environment puts its item into every item collection of a table that cdk.json names.",
    source=f"{STATES}/state-map-distributed.html",
    breaks=WRONG_ROLES,
    dollars=0.003,
    seconds=40.0,
)
def act(kit: Kit) -> str:
    environment.executions(kit, "act")
    table = kit.table(JOBS)
    environment.let_read(kit, table, *environment.STATES)
    listed = environment.run(kit, "listed", table, workers=1)
    output = job(kit, "act", JOBS, run=listed["run"], put_item={"item": {"s": MARKER}})
    collections = {item["p"]["S"] for item in _items(kit)}
    marked = {item["p"]["S"] for item in _items(kit) if item["s"]["S"] == MARKER}
    seen = f"{output['put']} items put into {len(marked)} of {len(collections)} collections"
    hold(output["put"] == len(collections) and marked == collections, seen)
    return seen


@check(
    "retrofit",
    "A retrofit of the environment sets its attribute on every item of a table that cdk.json names.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html",
    breaks=WRONG_ROLES,
    dollars=0.003,
    seconds=40.0,
)
def retrofit(kit: Kit) -> str:
    output = job(kit, "retrofit", JOBS, set={"made": "{p}#{s}"})  # no key has this separator
    items = _items(kit)
    right = [item for item in items if item.get("made") == {"S": f"{item['p']['S']}#{item['s']['S']}"}]
    seen = f"{output['written']} items updated; {len(right)} of {len(items)} are right"
    hold(len(right) == len(items) == output["written"], seen)
    return seen


@check(
    "copy",
    "A copy of the environment writes every item of a table with a stream to a new table that cdk.json names.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html",
    breaks=WRONG_ROLES,
    dollars=0.003,
    seconds=50.0,
)
def copy(kit: Kit) -> str:
    environment.executions(kit, "copy")
    for attempt in range(ATTEMPTS):
        for p, s in _by_key(kit, COPY):  # of an earlier launch, or by the replicator: the copy has to write them
            kit.dynamodb.delete_item(TableName=kit.table(COPY), Key={"p": {"S": p}, "s": {"S": s}})
        output = job(kit, "copy", COPIED, what=f"copy-{attempt}", to=kit.table(COPY))
        source, target = _by_key(kit, COPIED), _by_key(kit, COPY)
        right = sum(target.get(key) == item for key, item in source.items())
        seen = f"{output['copied']} items copied; {right} of {len(source)} are right, {len(target)} are there"
        hold(right == len(source) == len(target), seen)
        if output["copied"]:
            return seen
    raise NotTriedError(
        "the replicator wrote all items before the copy did: try again half an hour after the deployment"
    )


@check(
    "copy-follows",
    "The replicator of a copy writes a changed item to the new table within minutes.",
    source="https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html",
    breaks="A new table does not follow the old one; the cut-over waits without end.",
    dollars=0.0001,
    seconds=15.0,
)
def copy_follows(kit: Kit) -> str:
    environment.executions(kit, "copy")
    source, target = kit.table(COPIED), kit.table(COPY)
    key = {"p": {"S": MARKER}, "s": {"S": "changed"}}
    item = {**key, "launch": {"S": kit.launch}}
    start = time.monotonic()
    kit.dynamodb.put_item(TableName=source, Item=item)

    def look() -> bool | None:
        found = kit.dynamodb.get_item(TableName=target, Key=key, ConsistentRead=True)
        return True if found.get("Item") == item else None

    kit.until(f"a change of {source} in {target}", look)
    return f"the change was in the new table after {time.monotonic() - start:.0f} s"


@check(
    "recovery",
    "Point-in-time recovery of a new table can be switched on, within minutes in which it is refused with "
    "ContinuousBackupsUnavailableException.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html",
    breaks="A copy that creates its table fails, and leaves the table behind.",
    seconds=90.0,
)
def recovery(kit: Kit) -> str:
    table = kit.table("mapped")
    start, refusals = time.monotonic(), 0

    def look() -> dict[str, Any] | None:
        nonlocal refusals
        try:
            answer: dict[str, Any] = kit.dynamodb.update_continuous_backups(
                TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != NO_RECOVERY_YET:
                raise
            refusals += 1
            return None
        return answer

    kit.until("point-in-time recovery", look, seconds=min(RECOVERY_SECONDS, kit.patience_seconds))
    seconds = time.monotonic() - start
    answer = kit.dynamodb.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    status = answer["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
    hold(status == "ENABLED", f"it is {status} after it was switched on")
    return f"on after {seconds:.0f} s; refused {refusals} times before"
