"""The client that makes the hot calls, against boto3."""

import time
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.aws.lean import LeanClient
from verify.check import check, hold
from verify.checks.reading import GUIDE
from verify.checks.writes import ATTRIBUTES
from verify.errors import NotTriedError
from verify.kit import Kit

PAGES = 100


@check(
    "lean-client",
    "The lean client's requests are accepted, its answers and errors are boto3's, and they take less CPU.",
    source=f"{GUIDE}/Programming.LowLevelAPI.html",
    breaks="boto3 makes all calls, at five times the processor time; nothing is lost.",
    tables=("written", "keys-S"),
    dollars=0.0001,
    seconds=10.0,
)
def lean_client(kit: Kit) -> str:
    notices: list[str] = []
    plain = clients.dynamodb(kit.session, 4)
    lean: Any = LeanClient(clients.dynamodb(kit.session, 4), kit.session, lambda reason, _: notices.append(reason))
    table, key = kit.table("written"), {"p": {"S": "lean 😀"}, "s": {"S": '"s"'}}
    lean.get_item(TableName=table, Key=key, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")  # the trial
    calls: list[tuple[str, dict[str, Any]]] = [
        ("put_item", {"Item": {**key, **ATTRIBUTES}}),
        ("put_item", {"Item": key, "ConditionExpression": "attribute_not_exists(p)"}),
        ("get_item", {"Key": key, "ConsistentRead": True}),
        ("scan", {"Limit": 3, "ConsistentRead": True}),
        ("scan", {"Limit": 0}),
        (
            "update_item",
            {"Key": key, "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"B": b"\xff"}}},
        ),
        ("delete_item", {"Key": {}}),
        ("delete_item", {"Key": key, "ReturnValues": "ALL_OLD"}),
    ]
    for name, asked in calls:
        ours, theirs = [], []
        if name in ("get_item", "scan", "update_item") or "ConditionExpression" in asked or asked == {"Key": {}}:
            theirs.append(_said(plain, name, TableName=table, **asked))
        ours.append(_said(lean, name, TableName=table, **asked))
        hold(not theirs or ours == theirs, f"{name}: the clients have different answers")
    if notices and any(word in notices[0] for word in ("proxy", "certificates")):
        raise NotTriedError(f"boto3 makes the calls here, because {notices[0]}")
    hold(not notices, f"the lean client left the calls to boto3: {notices[:1]}")
    cpu = {name: _cpu(client, kit.table("keys-S")) for name, client in (("lean", lean), ("boto3", plain))}
    seen = f"CPU of a short page: {cpu['lean'] * 1e3:.2f} ms lean, {cpu['boto3'] * 1e3:.2f} ms boto3"
    hold(cpu["lean"] < cpu["boto3"], seen)
    return seen


def _said(client: Any, name: str, **asked: Any) -> Any:
    try:
        answer = getattr(client, name)(ReturnConsumedCapacity="TOTAL", **asked)
    except ClientError as error:
        return error.response["Error"]["Code"], type(error).__name__
    return {what: value for what, value in answer.items() if what != "ResponseMetadata"}


def _cpu(client: Any, table: str) -> float:
    """Return the seconds of processor time that a short page takes here."""
    asked = {"TableName": table, "Limit": 4, "ReturnConsumedCapacity": "TOTAL"}
    client.scan(**asked)
    began = time.process_time()
    for _ in range(PAGES):
        client.scan(**asked)
    return (time.process_time() - began) / PAGES
