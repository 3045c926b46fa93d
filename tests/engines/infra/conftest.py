"""One synth for all tests of the infrastructure: it takes seconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aws_cdk import App

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.picture import definition_in
from infra.stack import SkipscanStack
from tests.engines.infra.template import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "arn:aws:kms:eu-central-1:222222222222:key/{0}0000000-0000-4000-8000-000000000000"
KEY_HERE = KEY.replace("eu-central-1", "us-east-1")
OWN = KEY_HERE.replace("222222222222", "111111111111")
TARGET = "arn:aws:lambda:us-east-1:111111111111:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:111111111111:keys"
STREAM = "arn:aws:dynamodb:eu-central-1:222222222222:table/{}/stream/2026-01-31T03:00:00.000"
HERE = STREAM.replace("eu-central-1:222222222222", "us-east-1:111111111111")
MARKER = {"sk": "#static", "GSI-pk": "{pk}"}
RUNS = "arn:aws:sns:eu-central-1:222222222222:runs"
TOPIC = "arn:aws:sns:us-east-1:111111111111:operators"
BOUNDARY = "arn:aws:iam::111111111111:policy/boundary"
LONG_NAME = f"a.table.{'x' * 200}"
AUDIT_STREAM = HERE.format("Audit")
ENVIRONMENTS: dict[str, Any] = {
    "plain": {"account": "111111111111", "region": "us-east-1", "tables": ["Orders"]},
    "full": {
        "client": "boto3",
        "account": "222222222222",
        "region": "eu-central-1",
        "tables": ["Orders", "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"],
        "schedules": {
            "nightly": {
                "expression": "cron(0 3 * * ? *)",
                "timezone": "Europe/Berlin",
                "input": {"table": "Orders", "consistent_read": True, "segments": 8},
                "overlap": "allow",
            },
            "paused": {"expression": "rate(1 day)", "input": {"table": "Orders"}, "enabled": False},
        },
        "limits": {"batch_seconds": 600, "batch_pages": 1, "batch_keys": 2, "batch_bytes": 3, "memory_mb": 3008},
        "encryption": {
            "results": KEY.format("a"),
            "logs": KEY.format("b"),
            "tables": [KEY.format("c")],
            "topics": [KEY.format("e")],
        },
        "announce": {"bus": "default", "topic": RUNS},
    },
    "watched": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Orders", "Customers"],
        "writing": {
            "Orders": {"act": True, "attribute_keeper": {"stream": HERE.format("Orders"), "set": {"made": "{a}-{b}"}}},
            "Customers": {"keeper": {"stream": HERE.format("Customers"), "marker": MARKER}},
        },
        "schedules": {
            "nightly": {
                "expression": "cron(0 3 * * ? *)",
                "input": {"table": "Orders"},
                "flexible_minutes": 30,
                "retries": 5,
                "retry_minutes": 60,
                "late_after_hours": 26,
            },
            "weekly": {
                "expression": "rate(7 days)",
                "input": {"table": "arn:aws:dynamodb:us-east-1:111111111111:table/Customers"},
                "late_after_hours": 168,
            },
            "whenever": {"expression": "rate(1 day)", "input": {"table": "Orders"}},
            "paused": {
                "expression": "rate(1 day)",
                "input": {"table": "Orders"},
                "late_after_hours": 26,
                "enabled": False,
            },
        },
        "announce": {"topic": TOPIC, "only_if_changed": True},
        "monitoring": {"topic": TOPIC},
        "retention": {"results_days": 45, "logs_days": 400},
        "tracing": True,
        "keep_results": False,
    },
    "company": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Orders", "Customers", "Read", "Audit"],
        "schedules": {"nightly": {"expression": "cron(0 3 * * ? *)", "input": {"table": "Orders"}}},
        "writing": {
            "Orders": {"act": True, "targets": [TARGET, QUEUE], "retrofit": True},
            "Customers": {"act": True},
            "Read": {"act": False, "retrofit": False},
            "Audit": {
                "copy": {"to": "Audit-2", "stream": AUDIT_STREAM, "set": {"made": "{a}-{b}"}},
                "attribute_keeper": {"stream": AUDIT_STREAM, "set": {"made": "{a}-{b}"}},
            },
        },
        "encryption": {
            "tables": [KEY_HERE.format("c")],
            "queues": [KEY_HERE.format("d")],
            "executions": OWN.format("e"),
            "late_looks": OWN.format("f"),
        },
        "limits": {"reserved_concurrency": 8, "batch_seconds": 300, "max_dollars": 5},
        "permissions_boundary": BOUNDARY,
        "role_path": "/teams/data/",
        "tags": {"cost-center": "Köln 4711"},
        "vpc": {"subnets": ["subnet-0123456789abcdef0"], "security_groups": ["sg-0123456789abcdef0"]},
    },
    "kept": {
        "account": "222222222222",
        "region": "eu-central-1",
        "tables": ["Orders", LONG_NAME, "arn:aws:dynamodb:eu-central-1:333333333333:table/Theirs"],
        "take": "keys",
        "key_attributes": ["customer", "placed"],
        "monitoring": {"dashboard": False, "alarms": False},
        "encryption": {"tables": [KEY.format("c")]},
        "writing": {
            "Orders": {"keeper": {"stream": STREAM.format("Orders"), "marker": MARKER}},
            LONG_NAME: {"keeper": {"stream": STREAM.format(LONG_NAME), "marker": {"sk": 0, "GSI-pk": "{pk}"}}},
        },
    },
}
"""Together they set everything that an environment can set; `plain` sets nothing that it need not."""


@pytest.fixture(scope="session")
def assembly() -> Path:
    """What synth wrote for these environments."""
    app = App(context=json.loads((ROOT / "cdk.json").read_text())["context"])
    for environment in read_environments(ENVIRONMENTS):
        SkipscanStack(app, environment.deployment, environment=environment)
    return Path(app.synth().directory)


@pytest.fixture(scope="session")
def templates(assembly: Path) -> Mapping[str, Template]:
    return {
        name: Template(json.loads((assembly / f"skipscan-{name}.template.json").read_text())) for name in ENVIRONMENTS
    }


def _template(name: str) -> Any:
    """Return a fixture: the template of an environment."""

    @pytest.fixture(scope="session")
    def found(templates: Mapping[str, Template]) -> Template:
        return templates[name]

    return found


plain, full, watched, kept_stack, company = map(_template, ("plain", "full", "watched", "kept", "company"))


@pytest.fixture(scope="session")
def definition(plain: Template) -> dict[str, Any]:
    """The definition of the state machine."""
    return definition_in(plain.document)
