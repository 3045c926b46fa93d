"""What CloudTrail and CloudWatch tell of the runs before. These checks run last, because both tell it late."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from verify.check import check, hold
from verify.checks.functions import STATES
from verify.checks.runs import failed, finished
from verify.errors import NotHeldError, NotTriedError
from verify.kit import Kit

MOST_SECONDS = 300.0
"""How long to wait for an event, on top of the time that the other checks took."""

STATES_ARN = re.compile(r"arn:[\w-]+:states:[\w-]*:\d*:[^\s\"]+")


@check(
    "machine-sources",
    "Whatever the state machine and the workers of its Map send as aws:SourceArn, the machine's role trusts it.",
    source=f"{STATES}/confused-deputy.html",
    breaks="No run works, or the role trusts more than it must.",
    tables=("run",),
    seconds=30.0,
)
def machine_sources(kit: Kit) -> str:
    _, manifest = finished(kit)
    machine = kit.client("stepfunctions").describe_state_machine(stateMachineArn=kit.deployment.machines["run"])
    role = machine["roleArn"]
    trust = kit.client("iam").get_role(RoleName=role.rpartition("/")[2])["Role"]["AssumeRolePolicyDocument"]
    since = datetime.fromisoformat(manifest["started"])

    def look() -> list[Mapping[str, Any]] | None:
        pages = kit.client("cloudtrail").get_paginator("lookup_events")
        named = [{"AttributeKey": "EventName", "AttributeValue": "AssumeRole"}]
        found = [
            json.loads(event["CloudTrailEvent"])
            for page in pages.paginate(LookupAttributes=named, StartTime=since)
            for event in page["Events"]
        ]
        return [each for each in found if (each.get("requestParameters") or {}).get("roleArn") == role] or None

    events = kit.until("an event of the role", look, seconds=min(MOST_SECONDS, kit.patience_seconds))
    return judged(events, trusted(trust))


def trusted(policy: Mapping[str, Any]) -> list[str]:
    """Return the patterns of the sources that a role's trust policy names."""
    patterns: list[str] = []
    for statement in policy["Statement"]:
        named = statement["Condition"]["ArnLike"]["aws:SourceArn"]
        patterns += [named] if isinstance(named, str) else named
    return patterns


def judged(events: Sequence[Mapping[str, Any]], patterns: Sequence[str]) -> str:
    """Return what CloudTrail's events show of the sources. Raises an error like a check."""
    denied = [event for event in events if event.get("errorCode")]
    sources = {arn for event in events for arn in STATES_ARN.findall(json.dumps(event))}
    seen = f"{len(events)} events, from {', '.join(sorted(sources)) or 'sources that they do not name'}"
    hold(not denied, f"{len(denied)} were denied: {seen}")
    strange = [arn for arn in sorted(sources) if not any(fnmatchcase(arn, pattern) for pattern in patterns)]
    hold(not strange, f"the role does not trust {', '.join(strange)}")
    if not sources:
        raise NotTriedError(f"{seen}; that the run ended shows that the role's trust suffices")
    return seen


@check(
    "alarm",
    "The environment's alarm of failed runs turns within minutes after a run failed.",
    source="https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html",
    breaks="A run fails, and nobody is told.",
    tables=("refused",),
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
        state = kit.until(f"a change of {name}", look, seconds=min(MOST_SECONDS, kit.patience_seconds))
    except NotTriedError as error:
        raise NotHeldError(str(error)) from None
    return f"{name} has turned since the run began, and is {state}"
