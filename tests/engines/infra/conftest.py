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
TARGET = "arn:aws:lambda:us-east-1:111111111111:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:111111111111:keys"
STREAM = "arn:aws:dynamodb:eu-central-1:222222222222:table/{}/stream/2026-01-31T03:00:00.000"
TOPIC = "arn:aws:sns:us-east-1:111111111111:operators"
BOUNDARY = "arn:aws:iam::111111111111:policy/boundary"
LONG_NAME = f"a.table.{'x' * 200}"
AUDIT_STREAM = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit/stream/2026-01-31T03:00:00.000"
ENVIRONMENTS = {
    "plain": {"account": "111111111111", "region": "us-east-1", "tables": ["Orders"]},
    "acting": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Orders", "Customers", "Read"],
        "writing": {
            "Orders": {"act": True, "targets": [TARGET, QUEUE]},
            "Customers": {"act": True},
            "Read": {"act": False, "retrofit": False},
        },
    },
    "copying": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Audit"],
        "writing": {"Audit": {"copy": {"to": "Audit-2", "stream": AUDIT_STREAM, "set": {"made": "{a}-{b}"}}}},
        "encryption": {"tables": [KEY.format("c").replace("eu-central-1", "us-east-1")]},
    },
    "retrofit": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Audit", "Orders"],
        "writing": {
            "Audit": {"retrofit": True, "attribute_keeper": {"stream": AUDIT_STREAM, "set": {"made": "{a}-{b}"}}},
        },
        "encryption": {"tables": [KEY.format("c").replace("eu-central-1", "us-east-1")]},
    },
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
        "limits": {
            "batch_seconds": 600,
            "batch_pages": 1,
            "batch_keys": 2,
            "batch_bytes": 3,
            "memory_mb": 3008,
        },
        "encryption": {"results": KEY.format("a"), "logs": KEY.format("b"), "tables": [KEY.format("c")]},
        "announce": {"bus": "default", "topic": "arn:aws:sns:eu-central-1:222222222222:runs"},
    },
    "watched": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Orders", "Customers"],
        "writing": {
            "Orders": {
                "act": True,
                "attribute_keeper": {
                    "stream": STREAM.format("Orders").replace("eu-central-1:222222222222", "us-east-1:111111111111"),
                    "set": {"made": "{a}-{b}"},
                },
            },
            "Customers": {
                "keeper": {
                    "stream": STREAM.format("Customers").replace("eu-central-1:222222222222", "us-east-1:111111111111"),
                    "marker": {"sk": "#static", "GSI-pk": "{pk}"},
                }
            },
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
        "monitoring": {"topic": TOPIC},
        "retention": {"results_days": 45, "logs_days": 400},
        "tracing": True,
        "keep_results": False,
    },
    "company": {
        "account": "111111111111",
        "region": "us-east-1",
        "tables": ["Orders", "Audit"],
        "schedules": {"nightly": {"expression": "cron(0 3 * * ? *)", "input": {"table": "Orders"}}},
        "writing": {
            "Orders": {"act": True, "targets": [QUEUE], "retrofit": True},
            "Audit": {"copy": {"to": "Audit-3", "stream": AUDIT_STREAM.replace("2026-01", "2027-01")}},
        },
        "encryption": {"queues": [KEY.format("d").replace("eu-central-1", "us-east-1")]},
        "limits": {"reserved_concurrency": 8, "batch_seconds": 300},
        "permissions_boundary": BOUNDARY,
        "role_path": "/teams/data/",
        "tags": {"cost-center": "Köln 4711"},
        "vpc": {"subnets": ["subnet-0123456789abcdef0"], "security_groups": ["sg-0123456789abcdef0"]},
    },
    "kept": {
        "account": "222222222222",
        "region": "eu-central-1",
        "tables": ["Orders", LONG_NAME],
        "monitoring": {"dashboard": False, "alarms": False},
        "encryption": {"tables": [KEY.format("c")]},
        "writing": {
            "Orders": {
                "keeper": {
                    "stream": STREAM.format("Orders"),
                    "marker": {"sk": "#static", "GSI-pk": "{pk}"},
                }
            },
            LONG_NAME: {"keeper": {"stream": STREAM.format(LONG_NAME), "marker": {"sk": 0, "GSI-pk": "{pk}"}}},
        },
    },
}


@pytest.fixture(scope="session")
def assembly() -> Path:
    """What synth wrote for both environments; the full one's results outlive it."""
    app = App(context=json.loads((ROOT / "cdk.json").read_text())["context"])
    for environment in read_environments(ENVIRONMENTS):
        name = f"skipscan-{environment.name}"
        SkipscanStack(app, name, environment=environment, keep_results=environment.name == "full")
    return Path(app.synth().directory)


@pytest.fixture(scope="session")
def templates(assembly: Path) -> Mapping[str, Template]:
    return {
        name: Template(json.loads((assembly / f"skipscan-{name}.template.json").read_text())) for name in ENVIRONMENTS
    }


@pytest.fixture(scope="session")
def plain(templates: Mapping[str, Template]) -> Template:
    return templates["plain"]


@pytest.fixture(scope="session")
def full(templates: Mapping[str, Template]) -> Template:
    return templates["full"]


@pytest.fixture(scope="session")
def watched(templates: Mapping[str, Template]) -> Template:
    return templates["watched"]


@pytest.fixture(scope="session")
def kept_stack(templates: Mapping[str, Template]) -> Template:
    return templates["kept"]


@pytest.fixture(scope="session")
def retrofit(templates: Mapping[str, Template]) -> Template:
    return templates["retrofit"]


@pytest.fixture(scope="session")
def company(templates: Mapping[str, Template]) -> Template:
    return templates["company"]


@pytest.fixture(scope="session")
def definition(plain: Template) -> dict[str, Any]:
    """The definition of the state machine."""
    return definition_in(plain.document)
