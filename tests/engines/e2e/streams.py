"""All that follows a stream, deployed once: keepers of markers and of an attribute, and the replicator of a copy.

MiniStack's own DynamoDB has streams, dynalite has none. Every call that a function makes is recorded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from local import audit_table, cdk
from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import Embedded, embedded_with_streams
from tests.engines.e2e.conftest import Deployment
from tests.engines.e2e.kept_table import KINDS
from tests.engines.iam.call import Call, in_words, read_calls
from tests.engines.infra.template import Template

ENVIRONMENT = "streams"
AUDIT, OLD, NEW = "Audit", "Old", "New"
SET = {audit_table.ATTRIBUTE: audit_table.TEMPLATE}
RECORDER = ROOT / "tests" / "engines" / "iam" / "recorder"
VIEW: Any = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}


@dataclass
class Streams(Deployment):
    """What was deployed. `arns`: of the streams, by table; `followers`: the ARNs of the functions that follow them."""

    template: Template
    arns: Mapping[str, str]
    followers: Mapping[str, str]
    recorded: Path

    def calls_of(self, function: str) -> list[Call]:
        """Return every call that a function has made so far."""
        calls = [call for call in read_calls(self.recorded) if call.caller == function]
        return [in_words(call, self.outputs["BucketName"]) for call in calls]


@contextmanager
def deployed_streams() -> Iterator[Streams]:
    with TemporaryDirectory(dir=BUILD, prefix="streams-") as name, pytest.MonkeyPatch.context() as patched:
        folder = Path(name)
        patched.setenv("PYTHONPATH", str(RECORDER), prepend=os.pathsep)
        patched.setenv("SKIPSCAN_CALLS", str(folder / "calls.jsonl"))
        with embedded_with_streams() as account:
            arns = create_tables(account)
            cdk.write_app(folder, {ENVIRONMENT: environment(arns)})
            outputs = account.deploy(ENVIRONMENT, folder=folder)
            mappings = account.awslambda.list_event_source_mappings()["EventSourceMappings"]
            functions = {mapping["EventSourceArn"]: mapping["FunctionArn"] for mapping in mappings}
            followers = {table: functions[arn] for table, arn in arns.items()}
            template = Template(cdk.template(folder, ENVIRONMENT))
            yield Streams(account, outputs, template, arns, followers, folder / "calls.jsonl")


def create_tables(account: Embedded) -> dict[str, str]:
    """Create every table that has a stream; return the streams' ARNs by table."""
    arns = {}
    for kind in KINDS:
        created = account.dynamodb.create_table(**kind.definition.request(), StreamSpecification=VIEW)
        arns[kind.table] = created["TableDescription"]["LatestStreamArn"]
    for table in (AUDIT, OLD):
        audit_table.create(account.dynamodb, table)
        updated = account.dynamodb.update_table(TableName=table, StreamSpecification=VIEW)
        arns[table] = updated["TableDescription"]["LatestStreamArn"]
    return arns


def environment(arns: Mapping[str, str]) -> dict[str, Any]:
    keepers = {kind.table: {"keeper": {"stream": arns[kind.table], "marker": kind.template}} for kind in KINDS}
    writing = {
        **keepers,
        AUDIT: {"retrofit": True, "attribute_keeper": {"stream": arns[AUDIT], "set": SET}},
        OLD: {"copy": {"to": NEW, "stream": arns[OLD], "set": SET}},
    }
    limits = {"batch_pages": 4}
    return {"account": ACCOUNT, "region": REGION, "tables": list(arns), "writing": writing, "limits": limits}
