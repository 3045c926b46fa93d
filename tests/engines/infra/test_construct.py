"""The construct takes tables as an app has them, and says in words what it cannot take."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from aws_cdk import App, Environment, Fn, Stack
from aws_cdk import aws_dynamodb as dynamodb

from infra.construct import Skipscan, environment_in
from infra.section import CdkJsonError
from tests.engines.infra.template import Template
from tests.fakes.iam.policy import listed
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

ELSEWHERE = "arn:aws:dynamodb:eu-central-1:333333333333:table/Customers"
OTHER = ELSEWHERE.replace("333333333333", "444444444444")
HERE = Environment(account="222222222222", region="eu-central-1")


def stack(env: Environment | None = HERE) -> Stack:
    return Stack(App(analytics_reporting=False), "Shop", env=env)


def table(scope: Stack, **more: Any) -> dynamodb.Table:
    key = dynamodb.Attribute(name="pk", type=dynamodb.AttributeType.STRING)
    return dynamodb.Table(scope, "Orders", partition_key=key, **more)


def test_tables_are_constructs_names_or_arns() -> None:
    shop = stack()
    known = dynamodb.Table.from_table_name(shop, "Known", "Known")
    foreign = dynamodb.Table.from_table_arn(shop, "Foreign", ELSEWHERE)
    orders = table(shop)
    environment = environment_in(shop, "shop", [orders, known, foreign, "Named", OTHER], {})
    assert environment.tables == (orders.table_name, "Known", ELSEWHERE, "Named", OTHER)
    assert (environment.account, environment.region) == ("222222222222", "eu-central-1")
    assert environment.deployment == "skipscan-shop"


def test_a_stack_without_an_account_may_have_the_boundary_of_any() -> None:
    settings = {"permissions_boundary": "arn:aws:iam::333333333333:policy/boundary"}
    environment = environment_in(stack(env=None), "shop", ["Orders"], settings)
    assert environment.company.permissions_boundary == settings["permissions_boundary"]
    assert environment.account == stack(env=None).account
    with failed(CdkJsonError, '"shop": permissions_boundary is ', "own account, 222222222222"):
        environment_in(stack(), "shop", ["Orders"], settings)


def test_two_of_them_fit_into_one_stack() -> None:
    shop = stack(env=None)
    for name in ("one", "two"):
        Skipscan(shop, name, name=name, tables=["Orders"], keep_results=name == "one")
    assembly = App.of(shop).synth()  # type: ignore[union-attr]
    template = Template(json.loads(json.dumps(assembly.get_stack_by_name("Shop").template)))
    names = {machine["StateMachineName"] for machine in template.every("AWS::StepFunctions::StateMachine")}
    assert names == {"skipscan-one", "skipscan-two"}
    assert {bucket["DeletionPolicy"] for bucket in template.raw("AWS::S3::Bucket")} == {
        "RetainExceptOnCreate",
        "Delete",
    }
    assert "Outputs" not in template.document


def nightly(table: object) -> dict[str, Any]:
    return {"nightly": {"expression": "rate(1 day)", "input": {"table": table}, "late_after_hours": 26}}


TABLE_OF: dict[str, Callable[[Stack, Stack], Any]] = {
    "of another stack": lambda data, _: table(data),
    "of another stack, by its name": lambda data, _: table(data).table_name,
    "of another stack, by its ARN": lambda data, _: table(data).table_arn,
    "imported by a name": lambda _, shop: dynamodb.Table.from_table_name(shop, "T", Fn.import_value("Name")),
    "imported by an ARN, TableV2": lambda _, shop: dynamodb.TableV2.from_table_arn(shop, "T", Fn.import_value("Arn")),
    "of a list": lambda _, shop: Fn.select(1, Fn.split(",", Fn.import_value("Names"))),
    "of a text with parts": lambda _, shop: Fn.sub("${AWS::StackName}-Orders"),
}


@pytest.mark.slow
def test_a_table_may_be_known_at_deployment_only_however_the_app_names_it() -> None:
    """Each is read by its own ARN, listed by a schedule, and watched by that schedule's alarm."""
    app = App(analytics_reporting=False)
    shops: dict[str, Stack] = {}
    for number, (kind, made) in enumerate(TABLE_OF.items()):
        data, shops[kind] = Stack(app, f"Data{number}"), Stack(app, f"Shop{number}")
        known = made(data, shops[kind])
        Skipscan(shops[kind], "Skipscan", name=f"s{number}", tables=[known], settings={"schedules": nightly(known)})
    assembly = app.synth()
    for kind, shop in shops.items():
        template = Template(json.loads(json.dumps(assembly.get_stack_by_name(shop.stack_name).template)))
        [schedule] = template.every("AWS::Scheduler::Schedule")
        (before, given, _) = schedule["Target"]["Input"]["Fn::Join"][1]
        assert before == '{"table":"', kind
        [late] = [each for each in template.every("AWS::CloudWatch::Alarm") if "late-nightly-none" in str(each)]
        [watched] = [each["Value"] for each in late["Dimensions"] if each["Name"] == "table"]
        arns = [arn for arn in scanned(template) if "/index" not in json.dumps(arn)]
        by_arn = [given] if "ARN" in kind else [arn_of(given)]
        assert arns == by_arn * len(arns), kind
        assert arns, kind
        assert "ARN" in kind or watched == given, kind
        assert "ARN" not in kind or name_in(watched) == given, kind


def arn_of(name: object) -> dict[str, Any]:
    place = [":dynamodb:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":table/"]
    return {"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, *place, name]]}


def name_in(value: Mapping[str, Any]) -> object:
    """Return the ARN of which a value is the part behind the slash."""
    match value:
        case {"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::Select": [5, {"Fn::Split": [":", arn]}]}]}]}:
            return arn
        case {"Fn::Select": [1, {"Fn::Split": ["/", arn]}]}:
            return arn
    raise AssertionError(value)


def scanned(template: Template) -> list[Any]:
    """Return what the roles of a template may scan."""
    return [arn for statement in template.statements("dynamodb:Scan") for arn in listed(statement["Resource"])]


@pytest.mark.parametrize("wanted", ["construct", "name", "ARN", "physical name"])
def test_a_schedule_names_a_table_as_the_app_does(wanted: str) -> None:
    shop = stack()
    orders = table(shop, table_name="Orders")
    spelt = {"construct": orders, "name": orders.table_name, "ARN": orders.table_arn, "physical name": "Orders"}
    settings = {"schedules": nightly(spelt[wanted]), "writing": {spelt[wanted]: {"act": True}}}
    if wanted == "construct":
        settings["writing"] = {orders.table_name: {"act": True}}
    environment = environment_in(shop, "shop", ["Known", orders], settings)
    assert environment.schedules[0].input["table"] == orders.table_name
    assert [each.table for each in environment.writing] == [orders.table_name]


@pytest.mark.parametrize("wanted", ["table-0", "Other"])
def test_a_table_that_is_not_there_is_refused_by_the_names_that_its_author_knows(wanted: str) -> None:
    shop = stack()
    with failed(CdkJsonError, f'schedules.nightly.input.table is "{wanted}"; ', "Shop/Orders, Known") as caught:
        environment_in(shop, "shop", [table(shop), "Known"], {"schedules": nightly(wanted)})
    assert "stand-in" not in str(caught.value)
    with failed(CdkJsonError, f"writing.{wanted} ", wanted):
        environment_in(shop, "shop", [table(Stack(shop, "Other"))], {"writing": {wanted: {"act": True}}})


def test_a_schedule_of_a_table_that_is_not_in_tables_is_refused() -> None:
    shop = stack()
    other = dynamodb.CfnTable(shop, "Other", key_schema=[])
    for wanted in (other, other.ref):
        with failed(CdkJsonError, '"shop": schedules.nightly.input.table ', "tables"):
            environment_in(shop, "shop", [table(Stack(shop, f"S{wanted is other}"))], {"schedules": nightly(wanted)})


@pytest.mark.parametrize(
    ("env", "tables", "settings", "facts"),
    [
        (HERE, ["Or"], {}, ['"shop": tables.0 is "Or"; ', "table's name"]),
        (HERE, [], {}, ["tables is []; "]),
        (HERE, ["Orders"], {"limit": {}}, ["limit is {}; "]),
        (HERE, ["Orders"], {"region": "eu-west-1"}, ['"shop": region ', "settings"]),
        (None, ["Orders"], {"monitoring": {"topic": "arn"}}, ['"shop": monitoring ']),
        (None, ["Orders"], {"encryption": {}, "writing": {}}, ['"shop": encryption and writing ', "both"]),
    ],
)
def test_a_mistake_is_refused_with_a_message(
    env: Environment | None, tables: list[str], settings: dict[str, object], facts: list[str]
) -> None:
    with failed(CdkJsonError, *facts):
        environment_in(stack(env), "shop", tables, settings)


def test_a_table_of_another_account_must_have_a_known_arn() -> None:
    app = App()
    there = Stack(app, "There", env=Environment(account="333333333333", region="eu-central-1"))
    orders = table(there)
    with failed(CdkJsonError, "There/Orders ", "account 333333333333", "ARN"):
        environment_in(Stack(app, "Here", env=HERE), "shop", [orders], {})
