"""Runs of the deployed environment over tables of the kit's own."""

from collections.abc import Mapping
from typing import Any

from skipscan.environment.executions import PREFIX
from skipscan.listing.estimate.cost import WORKER_REQUESTS
from skipscan.listing.kind import LISTING
from verify import environment
from verify.check import check, hold
from verify.checks.functions import STATES
from verify.checks.reading import items
from verify.errors import NotTriedError
from verify.kit import Kit
from verify.tables import TABLES

OVER_ESTIMATE = 1.5
"""Above which the environment's alarm rings: infra/alarms.py."""

ATTEMPTS = 6
SLOWEST = 0.5
"""Of the requests a second that plans assume."""


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
    tables=("run",),
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
    made = TABLES["refused"]
    encrypted = {"SSESpecification": {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": kit.kms_key}}
    table = kit.create_table("encrypted", {**made.asked, **encrypted})
    described = kit.dynamodb.describe_table(TableName=table)["Table"].get("SSEDescription", {})
    hold(described.get("KMSMasterKeyArn") == kit.kms_key, f"the table has the key {described.get('KMSMasterKeyArn')}")
    kit.load(table, made.items(kit.keys))
    environment.let_read(kit, table, *environment.STATES)
    output = environment.run(kit, "encrypted", table, workers=1)
    expected = len({repr(item["p"]) for item in made.items(kit.keys)})
    hold(output["keys"] == expected, f"{output['keys']} keys of {expected}")
    return f"{expected} keys of a table with the key {kit.kms_key}"


@check(
    "worker-speed",
    f"One worker makes at least half of the {WORKER_REQUESTS:g} requests a second that plans assume.",
    source="https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html",
    breaks="Minutes and the price of Lambda in plans are too low; read units are not concerned.",
    tables=("run",),
    seconds=5.0,
)
def worker_speed(kit: Kit) -> str:
    table, manifest = finished(kit)
    layout = LISTING.layout(PREFIX, table, manifest["run"])
    answer = kit.client("s3").list_objects_v2(Bucket=kit.deployment.bucket, Prefix=f"{layout.root}checkpoints/")
    names = [entry["Key"].removeprefix(layout.root) for entry in answer.get("Contents", ())]
    seconds = sum(environment.result(kit, table, manifest["run"], name)["profile"]["seconds"] for name in names)
    speed = manifest["requests"] / seconds
    seen = f"{speed:,.0f} requests a second over {seconds:.1f} s in {len(names)} batches"
    hold(speed >= SLOWEST * WORKER_REQUESTS, seen)
    return seen


@check(
    "estimate",
    f"A run takes between 1/{OVER_ESTIMATE:g} and {OVER_ESTIMATE:g} times the read units that its plan expects.",
    source="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html",
    breaks="Plans mislead, and the alarm over-estimate rings.",
    tables=("run",),
    dollars=0.002,
    seconds=20.0,
)
def estimate(kit: Kit) -> str:
    table, manifest = finished(kit)
    plan = environment.run(kit, "plan", table, dry_run=True)
    expected = plan["choice"]["expected"]["read_units"]
    times = manifest["read_units"] / expected["estimate"]
    seen = (
        f"{manifest['read_units']:,g} read units; {expected['estimate']:,g} were expected "
        f"({expected['low']:,g} to {expected['high']:,g})"
    )
    hold(1 / OVER_ESTIMATE <= times <= OVER_ESTIMATE, seen)
    return seen


@check(
    "redrive",
    "A redrive of a failed run runs only the failed workers again, and the run ends complete.",
    source=f"{STATES}/redrive-executions.html",
    breaks="A failed run has to be resumed by `skipscan resume` alone.",
    tables=("refused",),
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
    expected = len({repr(item["p"]) for item in items(kit, "refused")})
    hold(manifest["keys"] == expected, f"{manifest['keys']} keys of {expected}")
    return f"redriven {redriven} times, it lists all {expected} keys"


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
