"""The section `writing` of an environment in cdk.json."""

from dataclasses import fields
from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.environment import Environment
from infra.replicator import FIELDS as REPLICATED
from infra.section import CdkJsonError
from skipscan.copy.replica import Replica
from skipscan.retrofit.input import FIELDS as RETROFIT_FIELDS
from tests.engines.infra.environment import GOOD, refuses
from tests.refusal import failed

pytestmark = pytest.mark.engine

STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/2026-01-31T03:00:00.000"
MARKER = {"sk": "#static", "GSI-pk": "{pk}"}
KEEPER = {"stream": STREAM, "marker": MARKER}
TARGETS = ["arn:aws:lambda:us-east-1:123456789012:function:Take", "arn:aws:sqs:us-east-1:123456789012:Keys"]


def read(**writing: dict[str, Any]) -> tuple[Environment, ...]:
    """Read environments, by the writing of each; their tables are Orders and those that are written to."""
    every = {name: {**GOOD, "tables": sorted({"Orders", *jobs}), "writing": jobs} for name, jobs in writing.items()}
    return tuple(read_environments(every))


ELSEWHERE = TARGETS[0].replace("us-east-1", "eu-west-1")
IN_CHINA = TARGETS[1].replace("arn:aws:", "arn:aws-cn:")


@pytest.mark.parametrize(
    ("writing", "place", "rule"),
    [
        ({"Customers": {}}, "writing.Customers", "not in tables: add Customers"),
        ({"Orders": {"put": True}}, "writing.Orders.put", "act, targets, retrofit, keeper, attribute_keeper"),
        ({"Orders": {"act": "yes"}}, "writing.Orders.act", "true or false"),
        ({"Orders": {"targets": []}}, "writing.Orders.targets", "a list of functions and queues"),
        ({"Orders": {"targets": ["Take"]}}, "writing.Orders.targets.0", "the ARN of a Lambda"),
        ({"Orders": {"targets": [ELSEWHERE]}}, "writing.Orders.targets.0", r"region, us-east-1 \(arn:aws:\)"),
        ({"Orders": {"targets": [*TARGETS, IN_CHINA]}}, "writing.Orders.targets.2", r"region, us-east-1 \(arn:aws:\)"),
        *(
            ({"Orders": {"targets": [TARGETS[1].replace("Keys", name)]}}, "writing.Orders.targets.0", " SQS queue")
            for name in ("q" * 81, f"{'q' * 76}.fifo", "q.queue")
        ),
        ({"Orders": {"keeper": True}}, "writing.Orders.keeper", "an object"),
        ({"Orders": {"keeper": {"marker": MARKER}}}, "writing.Orders.keeper.stream", "the ARN of"),
        (
            {"Orders": {"keeper": {**KEEPER, "stream": STREAM.replace("Orders", "Others")}}},
            "writing.Orders.keeper.stream",
            "of a table other",
        ),
        (
            {"Orders": {"keeper": {**KEEPER, "stream": STREAM.replace("us-east", "eu-west")}}},
            "writing.Orders.keeper.stream",
            "keeper follows",
        ),
    ],
)
def test_a_mistake_is_refused_with_field_value_rule_and_way_out(writing: Any, place: str, rule: str) -> None:
    refuses({"writing": writing}, place, rule)


COPY = {"stream": STREAM, "to": "Orders-2"}
ATTRIBUTE = {"stream": STREAM, "set": {"made": "{a}"}}


def lacking(follower: dict[str, Any], field: str, **others: Any) -> dict[str, Any]:
    return {name: value for name, value in {**follower, **others}.items() if name != field}


@pytest.mark.parametrize(
    ("field", "follower", "facts"),
    [
        ("attribute_keeper", lacking(ATTRIBUTE, "stream"), [".attribute_keeper.stream is missing; "]),
        ("attribute_keeper", {**ATTRIBUTE, "stream": "x"}, ['.attribute_keeper.stream is "x"; ', "LatestStreamArn"]),
        (
            "attribute_keeper",
            {**ATTRIBUTE, "stream": STREAM.replace("Orders", "Other")},
            ["table/Other/", "other than"],
        ),
        ("attribute_keeper", {**ATTRIBUTE, "stream": STREAM.replace("us-east", "eu-west")}, ["account and region"]),
        ("attribute_keeper", lacking(ATTRIBUTE, "set"), ["set is missing"]),
        ("attribute_keeper", {**ATTRIBUTE, "set": {"made": "{a}{b}"}}, ["between {a} and {b}"]),
        ("attribute_keeper", {**ATTRIBUTE, "remove": ["made"]}, [".attribute_keeper.remove: ", "also set"]),
        ("attribute_keeper", lacking(ATTRIBUTE, "set", sets={}), [".attribute_keeper.sets is {}; "]),
        ("copy", lacking(COPY, "to"), [".copy.to is missing; ", "table's name"]),
        ("copy", lacking(COPY, "stream"), [".copy.stream is missing; ", "the ARN"]),
        ("copy", {**COPY, "to": "Orders"}, ['.copy.to is "Orders"; ']),
        ("copy", {**COPY, "stream": STREAM.replace("us-east", "eu-west")}, [".copy.stream is ", "account and region"]),
        ("copy", {**COPY, "separator": "keep"}, ['separator is "keep"; ']),
        ("copy", {**COPY, "set": {"a": "{b"}}, ['"{b"', "position 0"]),
    ],
)
def test_a_mistake_in_a_follower_is_refused(field: str, follower: dict[str, Any], facts: list[str]) -> None:
    with failed(CdkJsonError, *facts):
        read(prod={"Orders": {field: follower}})


@pytest.mark.parametrize(("field", "follower"), [("attribute_keeper", ATTRIBUTE), ("copy", COPY)])
@pytest.mark.parametrize("separator", [{}, {"separator": "keep"}])
def test_a_follower_gets_the_separator_of_cdk_json(
    field: str, follower: dict[str, Any], separator: dict[str, str]
) -> None:
    document = {"set": {"made": "{a}-{b}"}, **separator}
    (prod,) = read(prod={"Orders": {field: {**follower, **document}}})
    assert getattr(prod.writing[0], field).document == document


def test_a_replicator_hands_on_what_a_retrofit_and_a_replica_call_by_these_names() -> None:
    assert REPLICATED.keys() <= {field.name for field in RETROFIT_FIELDS}
    assert set(REPLICATED.values()) <= {field.name for field in fields(Replica)}


def test_a_third_reader_of_a_stream_is_refused_with_the_reason_also_in_another_environment() -> None:
    with failed(CdkJsonError, "3 readers", "environments.beta.writing.Orders.attribute_keeper", "2 a shard"):
        read(prod={"Orders": {"keeper": KEEPER, "copy": COPY}}, beta={"Orders": {"attribute_keeper": ATTRIBUTE}})


def copy(table: str, to: str) -> dict[str, Any]:
    return {table: {"copy": {"to": to, "stream": STREAM.replace("Orders", table)}}}


@pytest.mark.parametrize(
    "environments",
    [
        {"prod": {**copy("Audit", "New"), **copy("Basket", "New")}},
        {"prod": copy("Audit", "New"), "beta": copy("Basket", "New")},
        {"prod": copy("Audit", "New"), "beta": copy("Audit", "New")},
    ],
)
def test_two_copies_with_one_target_are_refused(environments: dict[str, Any]) -> None:
    """Each replicator makes the target equal to its own source: a delete in one would delete the other's item."""
    with failed(
        CdkJsonError, "cdk.json: environments.prod.writing.Audit.copy.to and environments.", "New", "give each"
    ):
        read(**environments)


@pytest.mark.parametrize(
    "environments",
    [
        {"prod": {**copy("Audit", "New"), **copy("New", "Newer")}},
        {"prod": {**copy("Audit", "Basket"), **copy("Basket", "Audit")}},
        {"prod": copy("Audit", "New"), "beta": copy("New", "Newer")},
        {"prod": {**copy("Audit", "New"), "New": {"keeper": {**KEEPER, "stream": STREAM.replace("Orders", "New")}}}},
        {"prod": copy("Audit", "New"), "beta": {"New": {"retrofit": True}}},
    ],
)
def test_a_target_that_another_job_changes_or_copies_is_refused(environments: dict[str, Any]) -> None:
    with failed(CdkJsonError, ".copy.to is ", "this table, too"):
        read(**environments)
