"""The mixin gives a table of an app its index of markers and its stream, and `Skipscan` keeps the markers."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Environment, Fn, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk.assertions import Template as Synthesised

from infra.construct import Skipscan, environment_in
from infra.known_tables import Table
from infra.mixin import SkipscanTable
from infra.section import CdkJsonError
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import listed
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

MARKER = {"placed": 0, "marked": "{customer}"}
CUSTOMER = dynamodb.Attribute(name="customer", type=dynamodb.AttributeType.BINARY)
PLACED = dynamodb.Attribute(name="placed", type=dynamodb.AttributeType.NUMBER)
KEYS: dict[str, Any] = {"partition_key": CUSTOMER, "sort_key": PLACED}
DEFINED: dict[str, Any] = {
    "key_schema": [{"attributeName": "customer", "keyType": "HASH"}, {"attributeName": "placed", "keyType": "RANGE"}],
    "attribute_definitions": [
        {"attributeName": "customer", "attributeType": "B"},
        {"attributeName": "placed", "attributeType": "N"},
    ],
}
REPLICAS = [dynamodb.CfnGlobalTable.ReplicaSpecificationProperty(region="us-east-1")]
ON_DEMAND = "PAY_PER_REQUEST"


def stack(app: App | None = None, id: str = "Shop", **more: Any) -> Stack:
    return Stack(app or App(analytics_reporting=False), id, **more)


def table(scope: Stack, id: str = "Orders", **more: Any) -> dynamodb.Table:
    return dynamodb.Table(scope, id, **KEYS, **more)


def table_v2(scope: Stack, id: str = "Orders", **more: Any) -> dynamodb.TableV2:
    return dynamodb.TableV2(scope, id, **KEYS, **more)


def cfn_table(scope: Stack, id: str = "Orders", **more: Any) -> dynamodb.CfnTable:
    return dynamodb.CfnTable(scope, id, **{**DEFINED, "billing_mode": ON_DEMAND, **more})


def cfn_global_table(scope: Stack, id: str = "Orders", **more: Any) -> dynamodb.CfnGlobalTable:
    given = {**DEFINED, "billing_mode": ON_DEMAND, "replicas": REPLICAS, **more}
    return dynamodb.CfnGlobalTable(scope, id, **given)


Made = dynamodb.Table | dynamodb.TableV2 | dynamodb.CfnTable | dynamodb.CfnGlobalTable
EVERY: list[Callable[..., Made]] = [table, table_v2, cfn_table, cfn_global_table]
IDS = [make.__name__ for make in EVERY]


def synthesised(scope: Stack) -> Template:
    return Template(json.loads(json.dumps(Synthesised.from_stack(scope).to_json())))


def only_table(scope: Stack) -> dict[str, Any]:
    template = synthesised(scope)
    [found] = [*template.every("AWS::DynamoDB::Table"), *template.every("AWS::DynamoDB::GlobalTable")]
    return found


@pytest.mark.parametrize("make", EVERY)
def test_every_kind_of_table_gets_the_index_and_the_stream(make: Callable[..., Made]) -> None:
    shop = stack()
    make(shop).with_(SkipscanTable(marker=MARKER))
    made = only_table(shop)
    [index] = made["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "markers"
    assert index["KeySchema"] == [{"AttributeName": "marked", "KeyType": "HASH"}]
    assert index["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert {"AttributeName": "marked", "AttributeType": "B"} in made["AttributeDefinitions"]
    assert len(made["AttributeDefinitions"]) == 3
    assert made["StreamSpecification"] == {"StreamViewType": "KEYS_ONLY"}


@pytest.fixture(scope="module")
def every_table() -> Template:
    """A stack with every kind of table, all of them with markers that are kept."""
    shop, markers = stack(), SkipscanTable(marker=MARKER, act=True)
    tables: list[Table] = [make(shop, make.__name__) for make in EVERY]
    shop.with_(markers)
    Skipscan(shop, "Skipscan", name="shop", tables=tables, markers=[markers])
    return synthesised(shop)


def of_resource(kept: Template, id: str) -> str:
    """Return the logical id of a table."""
    resources = kept.document["Resources"]
    found = (name for name, each in resources.items() if "DynamoDB" in each["Type"])
    [logical_id] = [name for name in found if re.fullmatch(f"{id.replace('_', '')}([0-9A-F]{{8}})?", name)]
    return str(logical_id)


@pytest.mark.parametrize("id", IDS)
def test_the_keeper_follows_the_stream_and_may_change_this_table_only(every_table: Template, id: str) -> None:
    logical_id = of_resource(every_table, id)
    stream = {"Fn::GetAtt": [logical_id, "StreamArn"]}
    [_] = [each for each in every_table.every("AWS::Lambda::EventSourceMapping") if each["EventSourceArn"] == stream]
    keeper = every_table.the("AWS::Lambda::Function", FunctionName=f"skipscan-shop-keeper-{id}")
    variables = keeper["Environment"]["Variables"]
    assert (variables["SKIPSCAN_TABLE"], variables["SKIPSCAN_STREAM"]) == ({"Ref": logical_id}, stream)
    assert json.loads(variables["SKIPSCAN_MARKER"]) == MARKER
    role = keeper["Role"]["Fn::GetAtt"][0]
    granted: dict[str, set[str]] = {}
    for policy in every_table.every("AWS::IAM::Policy"):
        for statement in policy["PolicyDocument"]["Statement"] if {"Ref": role} in policy["Roles"] else ():
            for action in listed(statement["Action"]):
                granted.setdefault(action, set()).add(json.dumps(statement["Resource"]))
    for action in ("DescribeStream", "GetRecords", "GetShardIterator"):
        assert granted[f"dynamodb:{action}"] == {json.dumps(stream)}
    for action in ("GetItem", "Query", "PutItem", "DeleteItem"):
        [resource] = granted[f"dynamodb:{action}"]
        assert resource.endswith(f'":table/", {{"Ref": "{logical_id}"}}]]}}')


def test_jobs_may_put_the_markers_of_older_collections_if_the_mixin_says_so(every_table: Template) -> None:
    every_table.the("AWS::StepFunctions::StateMachine", StateMachineName="skipscan-shop-act")
    plan = every_table.the("AWS::Lambda::Function", FunctionName="skipscan-shop-plan-act")
    writing = json.dumps(plan["Environment"]["Variables"]["SKIPSCAN_WRITING"])
    assert all(f'{{"Ref": "{of_resource(every_table, id)}"}}' in writing for id in IDS)


@pytest.mark.parametrize(
    ("make", "field"), [(table, "stream"), (table_v2, "dynamo_stream"), (cfn_table, "stream_specification")]
)
def test_a_stream_that_is_there_stays_as_it_is(make: Callable[..., Made], field: str) -> None:
    shop, view = stack(), dynamodb.StreamViewType.NEW_AND_OLD_IMAGES
    given = {"streamViewType": view.name} if field == "stream_specification" else view
    make(shop, **{field: given}).with_(SkipscanTable(marker=MARKER))
    assert only_table(shop)["StreamSpecification"] == {"StreamViewType": "NEW_AND_OLD_IMAGES"}


def test_an_index_of_a_provisioned_table_has_the_table_s_capacity() -> None:
    shop = stack()
    units = {"readCapacityUnits": 7, "writeCapacityUnits": 8}
    cfn_table(shop, billing_mode="PROVISIONED", provisioned_throughput=units).with_(SkipscanTable(marker=MARKER))
    [index] = only_table(shop)["GlobalSecondaryIndexes"]
    assert index["ProvisionedThroughput"] == {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8}


TYPED = [*DEFINED["attribute_definitions"], {"attributeName": "marked", "attributeType": "S"}]


@pytest.mark.parametrize(
    ("make", "more", "marker", "facts"),
    [
        (cfn_table, {"key_schema": DEFINED["key_schema"][:1]}, MARKER, ['"Shop/Orders"; ', "sort key"]),
        (cfn_table, {"attribute_definitions": []}, MARKER, ["Shop/Orders lacks 'customer', "]),
        (cfn_table, {"attribute_definitions": TYPED}, MARKER, ["Shop/Orders: marker.marked is binary", "a string"]),
        (cfn_global_table, {"billing_mode": "PROVISIONED"}, MARKER, ["Shop/Orders: ", " TableV2"]),
        (table, {}, {"placed": "#", "marked": "{customer}"}, ["Shop/Orders: marker.placed is a string", "a number"]),
        (table, {}, {"marked": "{customer}"}, ["Shop/Orders: marker.placed is missing"]),
        (table, {}, {"placed": 0, "marked": "x-{customer}"}, ["Shop/Orders: 0 attributes ", '"{customer}"; ']),
        (table, {}, {"placed": 0, "a": "{customer}", "b": "{customer}"}, ["Shop/Orders: 2 attributes "]),
    ],
)
def test_a_table_that_the_marker_does_not_fit_is_refused(
    make: Callable[..., Made], more: dict[str, Any], marker: dict[str, Any], facts: list[str]
) -> None:
    shop = stack()
    orders = make(shop, **more)
    with failed(RuntimeError, *facts):
        orders.with_(SkipscanTable(marker=marker))


def test_an_index_of_that_name_is_refused() -> None:
    orders = cfn_global_table(stack())
    orders.with_(SkipscanTable(marker=MARKER))
    with failed(RuntimeError, "Shop/Orders: ", '"markers"', "index=…"):
        orders.with_(SkipscanTable(marker=MARKER))


def test_a_table_with_markers_must_be_one_that_is_read() -> None:
    shop, markers = stack(), SkipscanTable(marker=MARKER)
    table(shop).with_(markers)
    with failed(CdkJsonError, '"shop": Shop/Orders ', "in tables: "):
        environment_in(shop, "shop", ["Named"], {}, [markers])


@pytest.mark.parametrize(
    "changed",
    [
        {"key_schema": [{"attributeName": Fn.import_value("Name"), "keyType": "HASH"}]},
        {"global_secondary_indexes": Fn.condition_if("Given", [], [])},
    ],
)
def test_a_table_whose_keys_and_indexes_are_known_at_deployment_only_is_refused(changed: dict[str, Any]) -> None:
    shop = stack()
    with failed(RuntimeError, "Shop/Orders: ", "keys and indexes"):
        dynamodb.CfnTable(shop, "Orders", **{**DEFINED, **changed}).with_(SkipscanTable(marker=MARKER))


def test_a_table_gets_markers_before_its_keeper_and_only_one_keeper() -> None:
    shop, markers = stack(), SkipscanTable(marker=MARKER)
    orders, late = table(shop), table(shop, "Late")
    orders.with_(markers)
    environment_in(shop, "shop", [orders], {}, [markers])
    with failed(RuntimeError, "Shop/Late ", 'after "shop", '):
        late.with_(markers)
    with failed(CdkJsonError, '"other": "shop" '):
        environment_in(shop, "other", [orders], {}, [markers])


def test_a_keeper_is_in_the_account_and_region_of_its_table() -> None:
    app, markers = App(analytics_reporting=False), SkipscanTable(marker=MARKER)
    orders = table(stack(app, "There", env=Environment(account="222222222222", region="eu-central-1")))
    orders.with_(markers)
    here = stack(app, env=Environment(account="222222222222", region="us-east-1"))
    with failed(CdkJsonError, '"shop": There/Orders ', "account or region; "):
        environment_in(here, "shop", [orders], {}, [markers])


def test_two_tables_that_resources_would_be_named_after_are_refused() -> None:
    app, markers = App(analytics_reporting=False), SkipscanTable(marker=MARKER)
    tables: list[Table] = [table(stack(app, name), removal_policy=RemovalPolicy.DESTROY) for name in ("One", "Two")]
    app.with_(markers)
    with failed(CdkJsonError, '"shop": Orders ', "table_name"):
        environment_in(stack(app), "shop", tables, {}, [markers])
