"""The retrofit as a user has it, on the source's audit table."""

import json
from uuid import uuid4

import pytest

from local import audit_table
from local.execution import ExecutionError, execute
from tests.engines.e2e.conftest import Deployment

pytestmark = pytest.mark.xdist_group("embedded")

SET = {audit_table.ATTRIBUTE: audit_table.TEMPLATE}
QUESTION = ("123ccc", "edited", "jane")


@pytest.fixture(scope="module")
def audit(deployment: Deployment) -> str:
    audit_table.create(deployment.account.dynamodb, "Audit")
    audit_table.load(deployment.account.dynamodb, "Audit", audit_table.items(200))
    return "Audit"


def retrofit(deployment: Deployment, **document: object) -> dict[str, object]:
    machine = deployment.outputs["RetrofitStateMachineArn"]
    name = f"e2e-{uuid4().hex[:8]}"
    return dict(execute(deployment.account.stepfunctions, machine, document, name=name))


def test_the_source_s_query_is_complete_after_a_budget_a_resume_and_a_verification(
    deployment: Deployment, audit: str
) -> None:
    client = deployment.account.dynamodb
    truth = sorted(
        item["timestamp"]["S"]
        for item in audit_table.items(200)
        if (item["resourceId"]["S"], item["action"]["S"], item["accessedBy"]["S"]) == QUESTION
    )
    assert audit_table.when(client, audit, *QUESTION) == []
    plan = retrofit(deployment, table=audit, set=SET)
    assert audit_table.when(client, audit, *QUESTION) == [], "a dry run has written"
    assert plan["advice"]

    with pytest.raises(ExecutionError) as refused:
        retrofit(deployment, table=audit, set=SET, dry_run=False)
    assert "point-in-time recovery" in str(refused.value)
    with pytest.raises(ExecutionError) as stopped:
        retrofit(deployment, table=audit, set=SET, dry_run=False, without_recovery=True, workers=2, max_write_units=60)
    resume = str(stopped.value).split('"resume": "')[1].split('"')[0]
    output = retrofit(deployment, table=audit, resume=resume, without_recovery=True)

    assert {name: output[name] for name in ("items", "written", "verified", "wrong")} == {
        "items": 205,
        "written": 203,
        "verified": 205,
        "wrong": 0,
    }
    assert output["write_units"] == 203.0
    assert audit_table.when(client, audit, *QUESTION) == truth
    bucket, _, name = str(output["manifest"]).removeprefix("s3://").partition("/")
    manifest = json.loads(deployment.account.s3.get_object(Bucket=bucket, Key=name)["Body"].read())
    assert (manifest["complete"], manifest["retrofit"], manifest["failed_parts"]) == (True, resume, [])


def test_a_table_that_is_not_enabled_is_refused(deployment: Deployment) -> None:
    audit_table.create(deployment.account.dynamodb, "Elsewhere")
    with pytest.raises(ExecutionError, match=r"this environment does not allow retrofits of it"):
        retrofit(deployment, table="Elsewhere", set=SET)
