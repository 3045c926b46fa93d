"""What companies ask of all that is deployed: a boundary, a path, tags, a network, a share of the concurrency."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsii
import pytest
from aws_cdk import App, Aspects, Aws, Environment, IAspect, PermissionsBoundary, RemovalPolicies, Stack, Stage, Tags
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import IConstruct

from infra.construct import Skipscan
from infra.grant import PolicySizes, validation_refused
from infra.section import CdkJsonError
from skipscan.inputs.names import partition_of
from tests.engines.infra.conftest import ENVIRONMENTS, KEY, QUEUE
from tests.engines.infra.template import Template, synthesised
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

PLAIN: Any = ENVIRONMENTS["plain"]


@pytest.mark.parametrize(("region", "domains"), [("us-east-1", [""]), ("cn-north-1", ["", ".cn"])])
def test_keys_are_used_through_their_services_in_every_partition(region: str, domains: list[str]) -> None:
    key = f"arn:aws:kms:{region}:111111111111:key/d0000000-0000-4000-8000-000000000000"
    keys = {"results": key, "tables": [key], "queues": [key]}
    queue = f"arn:{partition_of(region)}:sqs:{region}:111111111111:keys"
    writing = {"Orders": {"act": True, "targets": [queue]}}
    text = stack_of(region=region, encryption=keys, writing=writing)
    used = [statement["Condition"] for statement in text.statements("kms:Decrypt")]
    found = {json.dumps(each["StringEquals"]["kms:ViaService"]) for each in used}
    names = [[f"{service}.{region}.amazonaws.com{end}" for end in domains] for service in ("dynamodb", "s3", "sqs")]
    assert found == {json.dumps(each if len(each) > 1 else each[0]) for each in names}


def test_another_role_path_publishes_versions_because_it_replaces_the_roles() -> None:
    """A version keeps the role that it was published with (API reference, UpdateFunctionConfiguration)."""
    made = [stack_of(**path).document["Resources"] for path in ({}, {"role_path": "/a/"}, {"role_path": "/b/"})]
    versions = [name for each in made for name in each if each[name]["Type"] == "AWS::Lambda::Version"]
    assert len({*versions}) == len(versions) > 0


def stack_of(**fields: object) -> Template:
    return synthesised({"big": {**PLAIN, **fields}})["big"]


def test_more_variables_than_lambda_takes_stop_synth() -> None:
    # 4 KB in all: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
    tables = [f"A-table-with-a-name-{number:02d}" for number in range(40)]
    writing = {table: {"act": True, "targets": [QUEUE]} for table in tables}
    with failed(CdkJsonError, "4,9", "Plan act; ", "4,096"):
        stack_of(tables=tables, writing=writing)


@pytest.mark.parametrize(("count", "characters"), [(52, 60), (63, 40), (88, 12), (150, 60)])
def test_the_policies_of_many_tables_are_within_the_quotas_of_iam(count: int, characters: int) -> None:
    """As https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html has them."""
    big = stack_of(tables=named(count, characters))
    managed, inline = big.every("AWS::IAM::ManagedPolicy"), big.every("AWS::IAM::Policy")
    assert managed
    assert max(size(big, policy) for policy in managed) <= 6_144
    attached = Counter(role["Ref"] for policy in managed for role in policy["Roles"])
    assert max(attached.values()) <= 10
    of_role: Counter[str] = Counter()
    for policy in inline:
        for role in policy["Roles"]:
            of_role[role["Ref"]] += size(big, policy)
    assert max(of_role.values()) <= 10_240


def named(count: int, characters: int) -> list[str]:
    return [f"T{number:03d}".ljust(characters, "x") for number in range(count)]


def size(template: Template, policy: dict[str, Any]) -> int:
    """IAM does not count white space."""
    return len(json.dumps(template.spelled(policy["PolicyDocument"]), separators=(",", ":")))


def test_more_tables_than_policies_can_name_stop_synth_with_the_number() -> None:
    with failed(CdkJsonError, "PlanRole", " managed policies; ", " 10 "), validation_refused():
        stack_of(tables=named(150, 200))


def test_what_the_cdk_found_is_a_mistake_in_cdk_json_and_any_other_error_stays_as_it_is() -> None:
    found = RuntimeError("Validation failed with the following errors:\n  [stack] PlanRole has 11 managed policies\n")
    with failed(CdkJsonError, "cdk.json: [stack] PlanRole has 11 "), validation_refused():
        raise found
    other = RuntimeError("the process of Node ended")
    with pytest.raises(RuntimeError) as kept, validation_refused():
        raise other
    assert kept.value is other


def test_one_statement_that_is_too_long_stops_synth() -> None:
    stack = Stack(App(), "stack")
    for name, characters in (("Fitting", 6_040), ("Big", 6_100)):
        statement = iam.PolicyStatement(actions=["s3:GetObject"], resources=["x" * characters])
        iam.ManagedPolicy(stack, name, statements=[statement])
    big = "stack/Big/Resource has 6,195 characters; IAM allows 6,144 for a managed policy"
    assert PolicySizes(stack).validate() == [f"{big}: move some of the tables to another environment"]


COMPANY: Any = ENVIRONMENTS["company"]
HELD: Any = {
    **{field: COMPANY[field] for field in ("permissions_boundary", "role_path", "tags", "vpc")},
    "schedules": {"nightly": {"expression": "rate(1 day)", "input": {"table": "Orders"}}},
    "retention": {"logs_days": 14, "results_days": 9},
    "encryption": dict.fromkeys(
        ("results", "logs", "executions"), KEY.format("a").replace("eu-central-1", "us-east-1")
    ),
    "tracing": True,
}
HERE = Environment(account="111111111111", region="us-east-1")


@jsii.implements(IAspect)
class Rules:
    """Sets for every resource of an app what an environment may set, too."""

    def visit(self, node: IConstruct) -> None:
        match node:
            case iam.CfnRole():
                node.add_property_override("PermissionsBoundary", "arn:aws:iam::111111111111:policy/rules")
                node.path = "/rules/"
            case logs.CfnLogGroup():
                node.retention_in_days = 3
                node.kms_key_id = "rules"
            case lambda_.CfnFunction():
                node.add_property_override("VpcConfig.SubnetIds", ["subnet-rules"])
                node.add_property_override("TracingConfig.Mode", "PassThrough")
            case s3.CfnBucket():
                node.add_property_override("BucketEncryption", Aws.NO_VALUE)
                node.add_property_override("LifecycleConfiguration.Rules", [])
            case sfn.CfnStateMachine():
                node.add_property_override("EncryptionConfiguration", Aws.NO_VALUE)
                node.add_property_override("TracingConfiguration.Enabled", False)


def constructed(settings: dict[str, Any], ruled: Callable[[App], Stack], *, keep_results: bool = True) -> list[Any]:
    """Return the resources of a construct with these settings in a stack of an app with rules of its own."""
    app = App(analytics_reporting=False)
    shop = ruled(app)
    Skipscan(shop, "Skipscan", name="shop", tables=["Orders"], settings=settings, keep_results=keep_results)
    assembly: Any = Stage.of(shop).synth()  # type: ignore[union-attr]
    resources: Any = json.loads(json.dumps(assembly.get_stack_by_name(shop.stack_name).template))["Resources"]
    return list(resources.values())


def plain_stack(app: App) -> Stack:
    return Stack(app, "Shop", env=HERE)


def of_a_stage(app: App) -> Stack:
    rules = PermissionsBoundary.from_name("of-the-stage")
    return Stack(Stage(app, "Stage", permissions_boundary=rules), "Shop", env=HERE)


def of_the_context(app: App) -> Stack:
    app.node.set_context("@aws-cdk/core:permissionsBoundary", {"name": "of-the-app"})
    return plain_stack(app)


def of_aspects(app: App) -> Stack:
    Aspects.of(app).add(Rules())
    RemovalPolicies.of(app).destroy()
    Tags.of(app).add("cost-center", "rules", priority=300)
    Tags.of(app).remove("cost-center", priority=400)
    return plain_stack(app)


def held(resources: list[Any]) -> list[Any]:
    """Return the properties of resources, and whether their buckets stay."""
    buckets = [each["DeletionPolicy"] for each in resources if each["Type"] == "AWS::S3::Bucket"]
    return [*buckets, *((each["Type"], each.get("Properties")) for each in resources)]


@pytest.fixture(scope="module")
def unruled() -> list[Any]:
    return held(constructed(HELD, plain_stack))


@pytest.mark.slow
@pytest.mark.parametrize("ruled", [of_a_stage, of_the_context, of_aspects])
def test_what_an_environment_sets_holds_whatever_the_app_sets_for_all(
    ruled: Callable[[App], Stack], unruled: list[Any]
) -> None:
    assert held(constructed(HELD, ruled)) == unruled


@pytest.mark.slow
def test_what_an_environment_does_not_set_is_left_to_the_app() -> None:
    [role, *_] = [each for each in constructed({}, of_the_context) if each["Type"] == "AWS::IAM::Role"]
    assert "of-the-app" in json.dumps(role["Properties"]["PermissionsBoundary"])
    resources = constructed({}, of_aspects, keep_results=False)
    assert {each["Properties"]["RetentionInDays"] for each in resources if each["Type"] == "AWS::Logs::LogGroup"} == {3}
