"""Names that would collide or be too long: they are told apart, or refused with a sentence, and never a traceback."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from aws_cdk import App, Stack

from infra.cdk_json import read_environments
from infra.construct import Skipscan
from infra.follower import short
from infra.section import CdkJsonError
from tests.engines.infra.conftest import AUDIT_STREAM
from tests.engines.infra.environment import GOOD, refuses
from tests.engines.infra.template import synthesised
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

HERE = {"account": "111111111111", "region": "us-east-1"}
FOREIGN = "arn:aws:dynamodb:us-east-1:{}:table/Orders"
NIGHTLY = {"expression": "rate(1 day)", "input": {"table": "Orders"}}


def refused(environments: Mapping[str, Any]) -> str:
    """Return what is said about environments that are refused."""
    with pytest.raises(CdkJsonError) as caught:
        synthesised(environments)
    return str(caught.value)


def following(*tables: str, **jobs: Any) -> dict[str, Any]:
    """Return an environment that follows these tables: with a keeper, or as `jobs` says."""
    return {
        **HERE,
        "tables": ["Orders", *tables],
        "writing": {
            table: {
                name: {"stream": AUDIT_STREAM.replace("Audit", table), **job}
                for name, job in (jobs or {"keeper": {"marker": {"sk": "#"}}}).items()
            }
            for table in tables
        },
    }


def scheduled(*names: str, **more: Any) -> dict[str, Any]:
    return {**HERE, "tables": ["Orders"], "schedules": {name: {**NIGHTLY, **more} for name in names}}


def test_tables_of_one_name_in_two_accounts_have_a_policy_each() -> None:
    owners = ("333333333333", "444444444444")
    made = synthesised({"dev": {**HERE, "tables": [FOREIGN.format(owner) for owner in owners]}})
    outputs = made["dev"].document["Outputs"]
    assert {f"TablePolicy{owner}Orders" for owner in owners} <= outputs.keys()


@pytest.mark.parametrize(
    "tables", [["Orders", "Orders"], [FOREIGN.format("333333333333")] * 2, ["Orders", FOREIGN.format(GOOD["account"])]]
)
def test_a_table_that_is_named_twice_is_refused(tables: list[str]) -> None:
    refuses({"tables": tables}, "tables.1", "as tables.0")


def test_jobs_of_a_table_are_named_once() -> None:
    writing = {"Orders": {"act": True}, FOREIGN.format(GOOD["account"]): {"act": True}}
    with failed(CdkJsonError, "as writing.Orders"):
        read_environments({"prod": {**GOOD, "writing": writing}})


def test_an_output_s_key_has_at_most_255_letters_and_digits() -> None:
    """CloudFormation user guide, "CloudFormation quotas"."""
    long = "x" * 255
    copied = {"copy": {"to": "New"}}
    tables = [long, FOREIGN.format("333333333333").replace("Orders", long)]
    outputs = synthesised({"dev": {**following(long, **copied), "tables": tables}})["dev"].document["Outputs"]
    assert any(key.startswith("TablePolicy333333333333x") for key in outputs)
    assert any(key.startswith("ReplicatorLateFailuresx") for key in outputs)
    assert all(len(key) <= 255 and key.isalnum() for key in outputs)


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        (scheduled("Role"), '"Role"'),
        (scheduled("DeadLetters"), '"DeadLetters"'),
        (scheduled("x", "x-none", late_after_hours=26), '"late-x-none"'),
        (scheduled("x-before", "x", late_after_hours=26), '"late-x-before"'),
        (following("abc", "abcRole"), '"Keeper-abcRole"'),
        (following("abcLogs", "abc"), '"Keeper-abcLogs"'),
        (following("x" * 30, short("x" * 30)), '"keeper-failures-xxxxxxxxxxxxxx-'),
        (
            {**following("x" * 30, short("x" * 30)), "monitoring": {"alarms": False}},
            '"skipscan-dev-keeper-xxxxxxxxxxxxxx-',
        ),
    ],
)
def test_two_resources_with_one_name_are_refused(environment: dict[str, Any], name: str) -> None:
    said = refused({"dev": environment})
    assert said.startswith(f"cdk.json: {name}")


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        (following("Audit", copy={"to": "New"}), "dev-copy", "skipscan-dev-copy"),
        (scheduled("copy-nightly"), "dev-copy", "skipscan-dev-copy-nightly"),
        (following("scan"), "dev-keeper", "skipscan-dev-keeper-scan"),
    ],
)
@pytest.mark.parametrize("comes_last", [False, pytest.param(True, marks=pytest.mark.long)])
def test_environments_of_one_account_and_region_have_different_names(
    one: dict[str, Any], other: str, name: str, comes_last: bool
) -> None:
    there = scheduled("nightly")
    named = [("dev", one), (other, there)]
    said = refused(dict(reversed(named) if comes_last else named))
    assert said.startswith(f'cdk.json: "{name}" is the name of a ')
    assert {"dev", other} <= {word.strip(",;") for word in said.split()}


def test_two_constructs_of_one_name_are_refused() -> None:
    app = App(analytics_reporting=False)
    for stack in (Stack(app, "One"), Stack(app, "Two")):  # each may be deployed to another account
        Skipscan(stack, "Skipscan", name="dev", tables=["Orders"])
    with failed(CdkJsonError, 'cdk.json: "skipscan-dev'):
        Skipscan(stack, "Again", name="dev", tables=["Orders"])


def test_two_constructs_in_one_stack_cannot_have_the_same_output() -> None:
    stack = Stack(App(analytics_reporting=False), "Shop")
    Skipscan(stack, "One", name="one", tables=[FOREIGN.format("333333333333")])
    with failed(CdkJsonError, '"TablePolicy333333333333Orders" '):
        Skipscan(stack, "Two", name="two", tables=[FOREIGN.format("333333333333")])


@pytest.mark.long
def test_more_resources_than_a_stack_may_have_are_refused() -> None:
    said = refused({"dev": following(*(f"table-{i}" for i in range(60)))})
    assert re.search(r"\d+ resources; .* 500: ", said)
