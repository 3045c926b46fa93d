"""What AWS says of a table, and when."""

import time
from typing import Any

from botocore.exceptions import ClientError

from verify import environment
from verify.check import check, hold
from verify.checks.reading import API, GUIDE
from verify.kit import Kit
from verify.tables import TABLES

NO_RECOVERY_YET = "ContinuousBackupsUnavailableException"
RECOVERY_SECONDS = 1800.0
"""How long Plan copy asks again: infra/state_machine.py."""


@check(
    "identity",
    "DescribeTable says a TableId, and two tables have different ones.",
    source=f"{API}/API_TableDescription.html",
    breaks="A table that was deleted and created again is taken for the old one, or every plan is refused.",
    tables=("keys-S", "keys-N"),
)
def identity(kit: Kit) -> str:
    ids = {kit.describe(name).table_id for name in ("keys-S", "keys-N")}
    hold("" not in ids and len(ids) == 2, f"the TableIds of two tables are {sorted(ids)}")
    return "two tables, two TableIds"


@check(
    "fresh-figures",
    "ItemCount and TableSizeBytes lag behind by hours, so a new table may say 0 items.",
    source=f"{API}/API_TableDescription.html",
    breaks="Plans could rely on DescribeTable where they take a sample now.",
    tables=("billed",),
)
def fresh_figures(kit: Kit) -> str:
    found = kit.describe("billed")
    hold(found.items == 0, f"a table created minutes ago with 40 items says {found.items}")
    return "a table created minutes ago with 40 items says 0"


@check(
    "recovery",
    "Point-in-time recovery of a new table is refused with ContinuousBackupsUnavailableException for minutes at most, "
    "and then can be switched on.",
    source=f"{API}/API_UpdateContinuousBackups.html",
    breaks="A copy that creates its table fails, and leaves the table behind.",
    seconds=90.0,
)
def recovery(kit: Kit) -> str:
    table = kit.create_table("recovery", TABLES["streamed"].asked)
    began = time.monotonic()
    refusals = 0

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
    seconds = time.monotonic() - began
    answer = kit.dynamodb.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    status = answer["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
    hold(status == "ENABLED", f"it is {status} after it was switched on")
    return f"on {seconds:.0f} s after the table was ACTIVE; refused {refusals} times before"


@check(
    "table-policy",
    "A policy of a table lets the roles that it names read the table.",
    source=f"{GUIDE}/access-control-resource-based.html",
    breaks="Tables of other accounts cannot be listed.",
    tables=("refused",),
)
def table_policy(kit: Kit) -> str:
    table = kit.table("refused")
    arn = kit.describe("refused").identity.arn
    kit.dynamodb.get_resource_policy  # noqa: B018
    environment.let_read(kit, table, environment.STATES[0])
    policy = kit.until("the policy", lambda: _policy(kit, arn), seconds=60)
    hold("dynamodb:Scan" in policy, "the policy that was put is not the policy of the table")
    return "the policy is there; the check named redrive shows what it allows"


def _policy(kit: Kit, arn: str) -> str | None:
    try:
        return str(kit.dynamodb.get_resource_policy(ResourceArn=arn)["Policy"])
    except ClientError as error:
        if error.response["Error"]["Code"] != "PolicyNotFoundException":
            raise
        return None
