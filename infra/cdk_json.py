"""Reads the environments of cdk.json. Strict, so that a mistake stops the synth and not a run.

Imports nothing of aws_cdk: cdk.json is checked before any construct is made from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from skipscan.inputs.names import TABLE_ARN, TABLE_NAME, topic_arn
from skipscan.inputs.schedule_expression import EXPRESSION, check_expression, is_timezone
from skipscan.listing.execution_input import parse

from .company import COMPANY
from .contradictions import check, check_side_by_side
from .environment import (
    DEFAULT_LOG_DAYS,
    EVERY_TABLE,
    FULL_VCPU_MB,
    ITEMS,
    KEYS,
    LOG_DAYS,
    NO_TABLE,
    Announce,
    Company,
    Encryption,
    Environment,
    Limits,
    Schedule,
)
from .section import (
    CdkJsonError,
    Section,
    checked,
    dollars,
    flag_or,
    if_given,
    inside,
    mistakes,
    number,
    text,
    texts,
)
from .writing import Writing

BUS = r"[A-Za-z0-9_./-]{{1,256}}|arn:aws[a-z-]*:events:{region}:[0-9]{{12}}:event-bus/[A-Za-z0-9_./-]{{1,256}}"
KMS_KEY = r"arn:aws[a-z-]*:kms:{region}:[0-9]{{12}}:key/(mrk-[0-9a-f]{{32}}|[0-9a-f-]{{36}})"


def read_environments(context: object) -> tuple[Environment, ...]:
    """Return the environments in cdk.json's context `environments`; raise `CdkJsonError`."""
    if not context:
        raise CdkJsonError(
            "cdk.json: context.environments is missing; each environment becomes a stack: add one, and start the app "
            "through cdk"
        )
    entries = Section.read(context, "cdk.json", "context", "environments")
    environments = tuple(_environment(entries, name) for name in entries.values)
    check_side_by_side(environments)
    return environments


def _environment(entries: Section, name: str) -> Environment:
    _check_name(entries, name)
    section = Section.read(entries.values[name], f'environment "{name}"')
    section.only(*_fields(""), *COMPANY)  # a mistyped name of a field is no missing field
    region = _region(section, "region")
    values = section.read_all({**_fields(region), **COMPANY})
    company = Company(**{field: values.pop(field) for field in COMPANY})
    flat = {**values.pop("monitoring"), **values.pop("retention")}
    environment = Environment(name=name, company=company, **values, **flat)
    check(section, environment)
    return environment


REGION = r"[a-z]{2,}(-[a-z]+)*-(central|(north|south)?(east|west)|north|south)-[0-9]+"
"""Also of a region that AWS adds later, and of none with a typing mistake in its direction."""
_region = text(REGION, 'it must be a region, like "us-east-1": correct it')


def _fields(region: str) -> Mapping[str, Callable[[Section, str], object]]:
    """Return the readers of an environment's fields, besides those of `COMPANY`."""
    return {
        "account": text(r"[0-9]{12}", 'it must be 12 digits in quotes, like "123456789012": correct it'),
        "region": _region,
        "tables": partial(_tables, region=region),
        "schedules": inside(lambda schedules: tuple(_schedule(schedules, name) for name in schedules.values)),
        "limits": inside(lambda section: Limits(**section.read_all(LIMITS))),
        "encryption": inside(partial(_encryption, region=region)),
        "monitoring": inside(partial(_monitoring, region=region)),
        "retention": inside(lambda section: section.read_all(RETENTION)),
        "tracing": flag_or(False),
        "keep_results": flag_or(True),
        "writing": inside(
            lambda writing: tuple(Writing.read(writing.section(table), table, region) for table in writing.values)
        ),
        "announce": if_given(partial(_announce, region=region)),
        "take": if_given(text(f"{KEYS}|{ITEMS}", 'it must be "keys" or "items": correct it or leave it out'), ITEMS),
        "key_attributes": if_given(
            texts(
                r"(?s).{1,255}",
                'it must be a list of names of key attributes: write it like ["customer", "placed"]',
                "the name of a key attribute has 1 to 255 characters: correct it",
            ),
            (),
        ),
        "client": if_given(text("lean|boto3", 'it must be "lean" or "boto3": correct it or leave it out'), "lean"),
    }


def _announce(environment: Section, field: str, region: str) -> Announce:
    bus = text(
        BUS.format(region=region),
        f'it must be the name of an event bus, like "default", or the ARN of one in {region}: correct it',
    )
    topic = text(
        topic_arn(region),
        f"it must be the ARN of a standard topic of SNS in {region}: correct it or leave it out",
    )
    section = environment.section(field)
    given = section.read_all({"bus": if_given(bus), "topic": if_given(topic), "only_if_changed": flag_or(False)})
    announce = Announce(**{**given, "only_if_changed": EVERY_TABLE if given["only_if_changed"] else NO_TABLE})
    if not announce.bus and not announce.topic:
        raise environment.mistake(field, 'it must name a bus, a topic or both: write it like {"bus": "default"}')
    if given["only_if_changed"] and not announce.topic:
        raise section.mistake("only_if_changed", "it is about messages to a topic: add topic, or leave it out")
    return announce


def _check_name(section: Section, name: str) -> None:
    # Both names become part of a schedule's name, skipscan-<environment>-<schedule>, which may have 64 characters.
    if not re.fullmatch(r"[a-zA-Z0-9-]{1,24}", name):
        raise CdkJsonError(
            f"{section.where(name)} has a name that cannot be part of a resource name; it must be 1 to 24 of a-z, "
            "A-Z, 0-9 and -: rename it"
        )


def _tables(section: Section, field: str, region: str) -> tuple[str, ...]:
    tables = section.items(field, 'it must be a list of table names or ARNs: write it like ["Orders"]')
    for position in tables.values:
        table = tables.text(
            position,
            f"{TABLE_NAME.pattern}|{TABLE_ARN.pattern}",
            "it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its ARN "
            "(arn:aws:dynamodb:REGION:ACCOUNT:table/NAME): correct it",
        )
        if TABLE_ARN.fullmatch(table) and table.split(":")[3] != region:
            raise tables.mistake(
                position,
                f"an environment reads tables of its own region, {region}: add an environment in the table's region",
            )
    return tuple(str(table) for table in tables.values.values())


def _input(section: Section, field: str) -> Mapping[str, object]:
    document = section.values.get(field)
    if not isinstance(document, Mapping):
        raise section.mistake(field, 'it must be an execution input: write it like {"table": "Orders"}')
    with mistakes(section.where(field)):
        overlap = parse(document).overlap
    if "overlap" in document:
        raise section.mistake(field, f'overlap is a field of the schedule itself: move it there, "{overlap}"')
    return document


def _expression(section: Section, field: str) -> str:
    expression = section.text(
        field,
        EXPRESSION,
        'it must be an expression of EventBridge Scheduler, like "rate(1 day)", "cron(0 3 * * ? *)" '
        'or "at(2030-01-31T03:00:00)": correct it',
    )
    if impossible := check_expression(expression):
        raise section.mistake(field, f"{impossible}: correct it")
    return expression


SCHEDULE: Mapping[str, Callable[[Section, str], object]] = {
    "expression": _expression,
    "timezone": if_given(
        checked(
            lambda zone: isinstance(zone, str) and is_timezone(zone),
            'it must be a name of the IANA database, like "Europe/Berlin": correct it or leave it out',
        ),
        "UTC",
    ),
    "input": _input,
    "enabled": flag_or(True),
    "flexible_minutes": number(1, 1440, "EventBridge Scheduler has windows of 1 to 1440 minutes"),
    "retries": number(0, 185, "EventBridge Scheduler retries up to 185 times"),
    "retry_minutes": number(1, 1440, "EventBridge Scheduler retries for 1 to 1440 minutes"),
    "late_after_hours": number(1, 168, "an alarm of CloudWatch looks back 1 to 168 hours"),
    "overlap": if_given(text("skip|allow", 'it must be "skip" or "allow": correct it or leave it out'), "skip"),
}


def _schedule(schedules: Section, name: str) -> Schedule:
    _check_name(schedules, name)
    return Schedule(name=name, **schedules.section(name).read_all(SCHEDULE))


LIMITS: Mapping[str, Callable[[Section, str], Any]] = {
    "batch_seconds": number(1, 780, "a Lambda function needs 120 of its 900 s to finish, so it must be 1 to 780"),
    "batch_pages": number(1, None, "a batch reads at least 1 page"),
    "batch_keys": number(1, None, "a batch holds at least 1 key"),
    "batch_bytes": number(1, None, "a batch holds at least 1 byte"),
    "memory_mb": if_given(number(256, 10_240, "Scan may have 256 to 10240 MB"), FULL_VCPU_MB),
    "reserved_concurrency": number(1, 1_000, "a run has 1 to 1000 workers"),
    "max_dollars": if_given(dollars),
}


def _encryption(section: Section, region: str) -> Encryption:
    pattern = KMS_KEY.format(region=region)
    rule = (
        f"it must be the ARN of a KMS key in {region} (arn:aws:kms:{region}:ACCOUNT:key/ID, no alias): correct it or "
        "leave it out"
    )
    key = if_given(text(pattern, rule))
    keys = if_given(texts(pattern, "it must be a list of ARNs of KMS keys: correct it or leave it out", rule), ())
    of_one = {"results": key, "logs": key, "executions": key, "late_looks": key}
    return Encryption(**section.read_all({**of_one, "tables": keys, "queues": keys, "topics": keys}))


def _monitoring(section: Section, region: str) -> dict[str, Any]:
    topic = text(
        topic_arn(region),
        f"it must be the ARN of an SNS topic in {region} (arn:aws:sns:{region}:ACCOUNT:NAME, not FIFO): correct it "
        "or leave it out",
    )
    given = section.read_all({"dashboard": flag_or(True), "alarms": flag_or(True), "topic": if_given(topic)})
    if given["topic"] is not None and not given["alarms"]:
        raise section.mistake("topic", "alarms is false, so no alarm would be sent: leave one of the two out")
    return {"dashboard": given["dashboard"], "alarms": given["alarms"], "alarm_topic": given["topic"]}


RETENTION = {
    "results_days": number(1, 36_500, "results are kept for 1 to 36500 days, or until you remove them"),
    "logs_days": if_given(
        checked(
            lambda days: type(days) is int and days in LOG_DAYS,
            f"CloudWatch keeps logs for one of {', '.join(map(str, LOG_DAYS))} days: correct or remove it",
        ),
        DEFAULT_LOG_DAYS,
    ),
}
