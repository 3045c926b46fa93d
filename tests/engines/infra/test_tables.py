"""Tables of another account: what the stack says its owner must attach."""

import json

import pytest

from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

CUSTOMERS = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"


def test_the_owner_of_a_table_learns_which_roles_to_allow(full: Template) -> None:
    output = full.document["Outputs"]["TablePolicy333333333333Customers"]
    policy = json.loads(full.text(output["Value"]))
    assert [
        (statement["Effect"], statement["Action"], statement["Resource"], len(statement["Principal"]["AWS"]))
        for statement in policy["Statement"]
    ] == [
        ("Allow", "dynamodb:DescribeTable", [CUSTOMERS], 2),
        ("Allow", "dynamodb:Scan", [CUSTOMERS, f"{CUSTOMERS}/index/*"], 2),
        ("Allow", "dynamodb:Query", [CUSTOMERS, f"{CUSTOMERS}/index/*"], 2),
    ]
    assert "account 333333333333" in output["Description"]


def test_the_owner_allows_what_plan_scan_and_finish_may_do_to_the_table(full: Template) -> None:
    policy = full.document["Outputs"]["TablePolicy333333333333Customers"]["Value"]["Fn::Join"][1]
    roles = [part["Fn::GetAtt"][0] for part in policy if isinstance(part, dict)]
    functions = {
        name: full.the("AWS::Lambda::Function", FunctionName=f"skipscan-full-{name}")["Role"]["Fn::GetAtt"][0]
        for name in ("plan", "scan", "finish")
    }
    assert roles == [functions[name] for name in ("plan", "finish", "plan", "scan", "plan", "scan")]


def test_a_table_of_the_account_itself_needs_no_such_policy(plain: Template) -> None:
    assert not [name for name in plain.document["Outputs"] if name.startswith("TablePolicy")]
