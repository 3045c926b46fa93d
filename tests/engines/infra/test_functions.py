"""What each function is told, and how much room it has."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from infra.follower import short
from skipscan.lines.convert import AHEAD
from skipscan.listing.compare import comparison
from tests.engines.infra.conftest import AUDIT_STREAM, HERE, MARKER, QUEUE, TARGET
from tests.engines.infra.template import Template
from tests.fakes.iam.documents import documented

pytestmark = pytest.mark.xdist_group("synth")

ORDERS, CUSTOMERS = (f"arn:aws:dynamodb:us-east-1:111111111111:table/{name}" for name in ("Orders", "Customers"))
BATCH = {
    "SKIPSCAN_BATCH_SECONDS": "600",
    "SKIPSCAN_BATCH_PAGES": "1",
    "SKIPSCAN_BATCH_KEYS": "2",
    "SKIPSCAN_BATCH_BYTES": "3",
}
SET = {"set": {"made": "{a}-{b}"}}
FOLLOWED = {"SKIPSCAN_FOLLOWERS": {"Audit": ["attribute_keeper", "copy"]}}
SECONDS = {"SKIPSCAN_BATCH_SECONDS": 300}
LIMITS = {**SECONDS, "SKIPSCAN_MAX_DOLLARS": 5.0, "SKIPSCAN_RESERVED_CONCURRENCY": 8}
KEYS = {"SKIPSCAN_KEY_ATTRIBUTES": ["customer", "placed"]}
TOLD: dict[str, dict[str, dict[str, Any]]] = {
    "plain": {name: {} for name in ("plan", "scan", "finish", "report", "compare")},
    "full": {"plan": BATCH, "scan": BATCH, "finish": {}},
    "company": {
        "plan": LIMITS,
        **dict.fromkeys(("scan", "act", "retrofit", "copy-page"), SECONDS),
        "plan-act": {"SKIPSCAN_WRITING": {ORDERS: [TARGET, QUEUE], CUSTOMERS: []}, **LIMITS},
        "plan-retrofit": {"SKIPSCAN_RETROFIT": [ORDERS], **LIMITS, **FOLLOWED},
        "keep-Audit": {"SKIPSCAN_TABLE": "Audit", "SKIPSCAN_STREAM": AUDIT_STREAM, "SKIPSCAN_KEPT": SET},
    },
    "watched": {
        "keeper-Customers": {
            "SKIPSCAN_TABLE": "Customers",
            "SKIPSCAN_STREAM": HERE.format("Customers"),
            "SKIPSCAN_MARKER": MARKER,
        }
    },
    "kept": {"plan": KEYS, "scan": {}, "compare": {}},
}
"""By environment and function: the variables beside those that all functions have."""
ALL = {"BUCKET", "PREFIX", "PLACE", "ENVIRONMENT", "CLIENT"}
CASES = [(environment, function) for environment, functions in TOLD.items() for function in functions]


def told(template: Template, environment: str, name: str) -> dict[str, Any]:
    function = template.the("AWS::Lambda::Function", FunctionName=f"skipscan-{environment}-{name}")
    variables = function["Environment"]["Variables"]
    return {key: value for key, value in variables.items() if "SKIPSCAN" in key and key.partition("_")[2] not in ALL}


@pytest.mark.parametrize(("environment", "function"), CASES, ids=map(" ".join, CASES))
def test_a_function_is_told_what_it_needs_and_nothing_else(
    templates: Mapping[str, Template], environment: str, function: str
) -> None:
    expected = TOLD[environment][function]
    found = told(templates[environment], environment, function)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == value or json.loads(found[name]) == value, name


def test_plan_copy_knows_what_invokes_the_replicator_and_may_look_at_nothing_else(company: Template) -> None:
    resources = company.document["Resources"]
    mappings = {
        name
        for name, each in resources.items()
        if each["Type"] == "AWS::Lambda::EventSourceMapping" and "Replicator" in name
    }
    variables = told(company, "company", "plan-copy")
    text = "".join(
        part["Ref"] if isinstance(part, dict) else part for part in variables["SKIPSCAN_MAPPINGS"]["Fn::Join"][1]
    )
    assert [{*names} for names in json.loads(text)] == [mappings]
    [looks] = company.statements("lambda:GetEventSourceMapping")
    assert {resource["Fn::Join"][1][1]["Ref"] for resource in looks["Resource"]} == mappings
    assert json.loads(variables["SKIPSCAN_RETROFIT"]) == ["Orders"], "no copy may write to a table that it changes"


def test_the_policy_of_a_cut_over_names_the_queues_as_cloudformation_does(company: Template) -> None:
    counted = [grant.resource for grant in documented("cut-over") if grant.action == "sqs:GetQueueAttributes"]
    patterns = [pattern.rpartition("ENVIRONMENT-")[2] for pattern in counted]
    resources = company.document["Resources"].items()
    queues = [name for name, each in resources if each["Type"] == "AWS::SQS::Queue" and "Replicator" in name]
    assert len(queues) == 3
    assert [queue for queue in queues if not any(fnmatchcase(f"{queue}-x", pattern) for pattern in patterns)] == []


def test_workers_have_the_concurrency_that_is_reserved(company: Template) -> None:
    reserved = {
        function["FunctionName"].removeprefix("skipscan-company-"): function["ReservedConcurrentExecutions"]
        for function in company.every("AWS::Lambda::Function")
        if "ReservedConcurrentExecutions" in function
    }
    assert reserved == dict.fromkeys(("scan", "act", "retrofit", "copy-page"), 8)


def test_compare_has_room_for_the_largest_runs_that_it_takes(plain: Template) -> None:
    compare = plain.the("AWS::Lambda::Function", FunctionName="skipscan-plain-compare")
    assert compare["EphemeralStorage"]["Size"] << 20 > comparison.MOST_BYTES * 1.3
    in_memory = comparison.CHUNK_BYTES + 2 * comparison.PART_BYTES + (AHEAD + 1) * comparison.MOST_PART_BYTES
    assert compare["MemorySize"] << 20 > 1.5 * in_memory


@pytest.mark.parametrize("table", ["Orders", "with.dots", "x" * 255, "y" * 24])
def test_a_function_s_name_fits_for_every_table_name(table: str) -> None:
    name = f"skipscan-{'e' * 24}-keeper-{short(table)}"
    assert len(name) <= 64
    assert name.replace("-", "").replace("_", "").isalnum()
    assert short(table) != short(f"{table}2")
