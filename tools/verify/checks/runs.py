"""Runs of the deployed environment over tables of the kit's own."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from verify import environment
from verify.check import check, hold
from verify.checks.functions import STATES
from verify.errors import NotHeldError, NotTriedError
from verify.kit import Kit
from verify.tables import FEW_KEYS, ITEMS_OF_A_RUN

ATTEMPTS = 6
ALARM_SECONDS = 300.0  # on top of the time that the other checks took


def finished(kit: Kit) -> tuple[str, Mapping[str, Any]]:
    """Return the table and the manifest of a run with one worker."""

    def make() -> tuple[str, Mapping[str, Any]]:
        table = kit.table("run")
        environment.let_read(kit, table, *environment.STATES)
        output = environment.run(kit, "whole", table, workers=1)
        return table, environment.result(kit, table, output["run"], "manifest.json")

    return kit.once("finished run", make)


@check(
    "run",
    "A run of the environment lists every partition key once.",
    source="https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html",
    breaks="Everything.",
    dollars=0.005,
    seconds=60.0,
)
def run(kit: Kit) -> str:
    _, manifest = finished(kit)
    lines = b"".join(environment.read(kit, part["name"]) for part in manifest["parts"]).splitlines()
    seen = f"{len(set(lines))} keys in {len(lines)} lines; {kit.keys} are there"
    hold(len(lines) == len(set(lines)) == kit.keys, seen)
    hold(manifest["skips_ignored"] == 0, f"{manifest['skips_ignored']} skips were not honoured")
    return f"{kit.keys:,} keys, {manifest['requests']:,} requests, {manifest['read_units']:,g} read units"


@check(
    "table-key",
    "A run lists a table that a customer managed key encrypts, with the role's use of that key through DynamoDB alone.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html",
    breaks="Tables with keys of their own cannot be listed, copied or changed.",
    dollars=0.003,
    seconds=60.0,
)
def table_key(kit: Kit) -> str:
    if kit.kms_key is None:
        raise NotTriedError("no key: give one with --kms-key, and name it in cdk.json (docs/verify.md)")
    table = kit.table("encrypted")
    described = kit.dynamodb.describe_table(TableName=table)["Table"].get("SSEDescription", {})
    hold(described.get("KMSMasterKeyArn") == kit.kms_key, f"the table has the key {described.get('KMSMasterKeyArn')}")
    environment.let_read(kit, table, *environment.STATES)
    output = environment.run(kit, "encrypted", table, workers=1)
    hold(output["keys"] == FEW_KEYS, f"{output['keys']} keys of {FEW_KEYS}")
    return f"{FEW_KEYS} keys of a table with the key {kit.kms_key}"


@check(
    "runs-that-query",
    "Runs of the environment count the items in a range, take the items of a level, and the last item of every key.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html",
    breaks="Counts, items, levels and last items are wrong, or denied to the workers.",
    dollars=0.01,
    seconds=120.0,
)
def runs_that_query(kit: Kit) -> str:
    table, _ = finished(kit)
    counted = _lines(kit, table, "counts", between=["03", "07"], take={"count": {}})
    hold([line["count"] for line in counted] == [5] * kit.keys, f"{len(counted)} counts of {kit.keys} keys")
    taken = _lines(kit, table, "items", prefix_length=1, take={"items": "all", "most": 2})
    groups = [line["item"]["s"][0] for line in taken]
    hold(Counter(groups) == {"0": 2 * kit.keys, "1": 2 * kit.keys}, f"{len(taken)} items of {2 * kit.keys} groups")
    lasts = _lines(kit, table, "lasts", take={"last": "all"})
    hold(
        [line["last"]["s"] for line in lasts] == [f"{ITEMS_OF_A_RUN - 1:02d}"] * kit.keys, "an item is not the last one"
    )
    return f"{len(counted)} counts, {len(taken)} items and {len(lasts)} last items"


def _lines(kit: Kit, table: str, what: str, **document: Any) -> list[Any]:
    """Return the lines of a run of the environment."""
    output = environment.run(kit, what, table, workers=1, **document)
    manifest = environment.result(kit, table, output["run"], "manifest.json")
    return [json.loads(line) for part in manifest["parts"] for line in environment.read(kit, part["name"]).splitlines()]


@check(
    "redrive",
    "A redrive of a failed run runs only the failed workers again, and the run ends complete.",
    source=f"{STATES}/redrive-executions.html",
    breaks="A failed run has to be resumed by `skipscan resume` alone.",
    dollars=0.005,
    seconds=90.0,
)
def redrive(kit: Kit) -> str:
    table = kit.table("refused")
    plan, scan, finish = environment.STATES
    found = failed(kit)
    environment.let_read(kit, table, plan, scan, finish)
    end, redriven = found, 0
    while end.status != "SUCCEEDED" and redriven < ATTEMPTS:
        redriven += 1
        environment.wait_for_policy(kit)
        kit.client("stepfunctions").redrive_execution(executionArn=found.arn)
        end = environment.ended(kit, found)
    hold(end.status == "SUCCEEDED", f"redriven {redriven} times, it {end.status}: {end.error}")
    manifest = environment.result(kit, table, end.name, "manifest.json")
    hold(manifest["keys"] == FEW_KEYS, f"{manifest['keys']} keys of {FEW_KEYS}")
    return f"redriven {redriven} times, it lists all {FEW_KEYS} keys"


def failed(kit: Kit) -> Any:
    """Return an execution that failed, because its workers were denied to read the table."""
    return kit.once("failed run", lambda: _failed(kit, kit.table("refused")))


def _failed(kit: Kit, table: str) -> Any:
    plan, _, finish = environment.STATES
    environment.let_read(kit, table, plan, finish)
    for attempt in range(ATTEMPTS):
        environment.wait_for_policy(kit)
        found = environment.ended(kit, environment.start(kit, f"denied-{attempt}", table, segments=4, workers=2))
        if found.status == "SUCCEEDED":
            raise NotTriedError("the run did not fail: the workers were not denied to read the table")
        if found.error != "TableError":  # of Plan, before the policy takes effect
            return found
    raise NotTriedError(f"Plan was denied to describe the table: {found.cause}")


@check(
    "alarm",
    "The environment's alarm of failed runs turns within minutes after a run failed.",
    source="https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html",
    breaks="A run fails, and nobody is told.",
    seconds=60.0,
)
def alarm(kit: Kit) -> str:
    name = f"{kit.deployment.machines['run'].rpartition(':')[2]}-failed"
    client = kit.client("cloudwatch")

    def alarms() -> Any:
        return client.describe_alarms(AlarmNames=[name])["MetricAlarms"]

    if not alarms():
        raise NotTriedError(f"the environment has no alarm {name}")
    since = failed(kit).started

    def look() -> str | None:
        (found,) = alarms()
        turned = found.get("StateTransitionedTimestamp")
        return str(found["StateValue"]) if turned and turned >= since else None

    try:
        state = kit.until(f"a change of {name}", look, seconds=min(ALARM_SECONDS, kit.patience_seconds))
    except NotTriedError as error:
        raise NotHeldError(str(error)) from None
    return f"{name} has turned since the run began, and is {state}"
