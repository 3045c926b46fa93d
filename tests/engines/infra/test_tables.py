"""Tables of another account: what the stack says its owner must attach."""

import json
from typing import Any

import pytest

from skipscan.dynamodb.page import projection
from tests.engines.iam.call import Call
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import grants_in, is_allowed

pytestmark = pytest.mark.xdist_group("synth")

CUSTOMERS = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"


def test_the_owner_of_a_table_learns_what_to_allow_which_roles(full: Template) -> None:
    output = full.document["Outputs"]["TablePolicy333333333333Customers"]
    assert "account 333333333333" in output["Description"]
    roles = {
        full.the("AWS::Lambda::Function", FunctionName=f"skipscan-full-{name}")["Role"]["Fn::GetAtt"][0]: name
        for name in ("plan", "scan", "finish")
    }
    policy = json.loads(full.text(output["Value"], lambda role: roles[role]))
    assert [
        (statement["Effect"], statement["Action"], statement["Resource"], statement["Principal"]["AWS"])
        for statement in policy["Statement"]
    ] == [
        ("Allow", "dynamodb:DescribeTable", [CUSTOMERS], ["plan", "finish"]),
        ("Allow", "dynamodb:Scan", [CUSTOMERS, f"{CUSTOMERS}/index/*"], ["plan", "scan"]),
        ("Allow", "dynamodb:Query", [CUSTOMERS, f"{CUSTOMERS}/index/*"], ["plan", "scan"]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["Scan", "Query"])
@pytest.mark.parametrize("more", [{}, {"IndexName": "by-date"}])
@pytest.mark.parametrize(
    ("parameters", "may"),
    [
        (projection(["customer", "placed"]), True),
        ({**projection(["customer"]), "Select": "SPECIFIC_ATTRIBUTES"}, True),
        ({"Select": "COUNT"}, True),
        ({}, False),
        ({"ExpressionAttributeNames": {"#k": "customer"}}, False),
        ({"Select": "ALL_ATTRIBUTES"}, False),
        (projection(["customer", "address"]), False),
    ],
)
def test_an_environment_that_takes_keys_alone_may_read_nothing_else(
    kept_stack: Template, operation: str, more: dict[str, str], parameters: dict[str, Any], *, may: bool
) -> None:
    for state in ("plan", "scan"):
        function = kept_stack.the("AWS::Lambda::Function", FunctionName=f"skipscan-kept-{state}")
        grants = [grant for each in kept_stack.policies(function["Role"]) for grant in grants_in(each)]
        asked = {"TableName": "Orders", **more, **parameters}
        [need] = Call("", "dynamodb", operation, asked, 200).needs(region="eu-central-1", account="222222222222")
        assert is_allowed(need, grants) is may
