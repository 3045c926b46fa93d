"""What holds for every resource of a kind, in every environment, and why."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from infra.restricted import NETWORK
from skipscan.copy.replica import DELAY_SECONDS
from tests.engines.infra.conftest import BOUNDARY, ENVIRONMENTS, KEY, OWN
from tests.engines.infra.template import Template, every

pytestmark = pytest.mark.xdist_group("synth")

FUNCTION, ROLE, SCHEDULE = "AWS::Lambda::Function", "AWS::IAM::Role", "AWS::Scheduler::Schedule"
HELD: dict[tuple[str, str], str] = {
    # The bundle has wheels for this interpreter and this processor.
    (FUNCTION, "Properties/Runtime"): "python3.14",
    (FUNCTION, "Properties/Architectures/0"): "arm64",
    # A function of many threads would have an arena of memory for each.
    (FUNCTION, "Properties/Environment/Variables/MALLOC_ARENA_MAX"): "1",
    (FUNCTION, "Properties/Environment/Variables/POWERTOOLS_SERVICE_NAME"): "skipscan",
    (FUNCTION, "Properties/Environment/Variables/POWERTOOLS_LOG_LEVEL"): "INFO",
    (FUNCTION, "Properties/Environment/Variables/SKIPSCAN_PREFIX"): "skipscan",
    # An execution that is open or can be redriven invokes the version that it began with.
    ("AWS::Lambda::Version", "DeletionPolicy"): "Retain",
    ("AWS::Lambda::Version", "UpdateReplacePolicy"): "Retain",
    # Logs and messages go with the stack.
    ("AWS::Logs::LogGroup", "DeletionPolicy"): "Delete",
    ("AWS::Logs::LogGroup", "UpdateReplacePolicy"): "Delete",
    ("AWS::SQS::Queue", "DeletionPolicy"): "Delete",
    ("AWS::SQS::Queue", "UpdateReplacePolicy"): "Delete",
    # A run that cannot start is tried again, then reported to a queue.
    (SCHEDULE, "Properties/Target/DeadLetterConfig/Arn"): "the queue",
}
"""By kind and place of a property: its value."""


def at(resource: Any, place: str) -> Any:
    """Return what is at a place, or `None`."""
    for part in place.split("/"):
        if isinstance(resource, list):
            resource = resource[int(part)] if len(resource) > int(part) else None
        else:
            resource = resource.get(part) if isinstance(resource, dict) else None
    return resource


@pytest.mark.parametrize(("kind", "place"), HELD, ids=[f"{kind} {place}" for kind, place in HELD])
def test_a_property_has_its_value_in_every_environment(
    templates: Mapping[str, Template], kind: str, place: str
) -> None:
    for environment, template, name, resource in every(templates, kind):
        value = at(resource, place)
        if isinstance(value, dict):
            value = template.text(value)
        assert value == HELD[kind, place], f"{environment} {name}"


def test_only_results_and_the_versions_of_functions_outlast_a_stack(templates: Mapping[str, Template]) -> None:
    for environment, template in templates.items():
        resources = template.document["Resources"].values()
        kept = [one["Type"] for one in resources if one.get("DeletionPolicy", "").startswith("Retain")]
        assert {*kept} <= {"AWS::Lambda::Version", "AWS::S3::Bucket"}, environment
        assert kept.count("AWS::S3::Bucket") <= 1


def test_a_function_has_a_log_of_its_own_that_expires(templates: Mapping[str, Template]) -> None:
    days, keys = {"watched": 400}, {"full": KEY.format("b")}
    for environment, template, _, function in every(templates, FUNCTION):
        properties = function["Properties"]
        log = template.document["Resources"][properties["LoggingConfig"]["LogGroup"]["Ref"]]["Properties"]
        assert log["LogGroupName"] == f"/aws/lambda/{properties['FunctionName']}"
        assert (log["RetentionInDays"], log.get("KmsKeyId")) == (days.get(environment, 90), keys.get(environment))


def test_a_function_knows_its_environment_and_where_results_are(templates: Mapping[str, Template]) -> None:
    for environment, template, name, function in every(templates, FUNCTION):
        variables = function["Properties"]["Environment"]["Variables"]
        made = ENVIRONMENTS[environment]
        assert variables["SKIPSCAN_ENVIRONMENT"] == environment
        assert variables["SKIPSCAN_PLACE"] == f"{made['region']}:{made['account']}"
        assert template.text(variables["SKIPSCAN_BUCKET"]) == "the bucket"
        assert variables.get("SKIPSCAN_CLIENT") == made.get("client"), name
        assert function["Properties"]["Code"]["S3Key"].endswith(".zip")


def test_no_function_runs_so_long_that_its_write_arrives_after_a_late_look(templates: Mapping[str, Template]) -> None:
    """Lambda's own maximum is longer: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html.

    A request that a replicator signed arrives within the five minutes for which its signature holds.
    """
    signature_seconds = 300
    for _, _, _, function in every(templates, FUNCTION):
        follows = function["Properties"]["Handler"].startswith("handlers.stream.")
        seconds = function["Properties"]["Timeout"]
        assert seconds + (signature_seconds if follows else 0) <= DELAY_SECONDS
        is_quick = follows or ".report" in function["Properties"]["Handler"]
        assert seconds == (300 if is_quick else 900)


def test_a_version_is_of_a_function_that_a_machine_invokes(templates: Mapping[str, Template]) -> None:
    for environment, template in templates.items():
        resources = template.document["Resources"]
        published = {
            name: resource["Properties"]["FunctionName"]["Ref"]
            for name, resource in resources.items()
            if resource["Type"] == "AWS::Lambda::Version"
        }
        text = json.dumps([each["DefinitionString"] for each in template.every("AWS::StepFunctions::StateMachine")])
        assert all(f'{{"Ref": "{name}"}}' in text for name in published), environment
        assert '"Fn::GetAtt"' not in text
        invoked = {
            name
            for name, resource in resources.items()
            if resource["Type"] == FUNCTION and ".stream." not in resource["Properties"]["Handler"]
        }
        assert sorted(published.values()) == sorted(invoked)


def trust(region: str, account: str) -> dict[str, Any]:
    """Return by service on which condition it may take on a role.

    Without one, others could have it act for them: the confused deputy
    (https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html). A function's role has none: Lambda takes it
    on before there is a function. test_state_machine.py says for which machines.
    """
    group = f"arn:aws:scheduler:{region}:{account}:schedule-group/default"
    return {
        "lambda": {},
        "scheduler": {"StringEquals": {"aws:SourceAccount": account, "aws:SourceArn": group}},
        "states": {"StringEquals": {"aws:SourceAccount": account}},
    }


def test_a_role_is_for_one_service_of_its_own_account(templates: Mapping[str, Template]) -> None:
    for environment, template, name, role in every(templates, ROLE):
        [statement] = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        service = statement["Principal"]["Service"].removesuffix(".amazonaws.com")
        condition = template.spelled(statement.get("Condition", {}))
        if service == "states":
            del condition["ArnLike"]
        made = ENVIRONMENTS[environment]
        assert condition == trust(made["region"], made["account"])[service], name


UNTAGGED = {
    "AWS::IAM::Policy",
    "AWS::S3::BucketPolicy",
    "AWS::SQS::QueuePolicy",
    "AWS::Lambda::Version",
    "AWS::CloudWatch::Dashboard",
    "AWS::Scheduler::Schedule",
}
"""What has no tags in CloudFormation."""


def test_everything_that_has_tags_has_the_tag(company: Template) -> None:
    for name, resource in company.document["Resources"].items():
        if resource["Type"] not in UNTAGGED:
            assert {"Key": "cost-center", "Value": "Köln 4711"} in resource["Properties"]["Tags"], name


def test_every_role_has_the_boundary_and_the_path(company: Template, plain: Template) -> None:
    found = {(role["PermissionsBoundary"], role["Path"]) for role in company.every(ROLE)}
    assert found == {(BOUNDARY, "/teams/data/")}
    assert not [role for role in plain.every(ROLE) if {"PermissionsBoundary", "Path"} & role.keys()]


def test_every_function_runs_in_the_network_whose_interfaces_its_code_cannot_touch(
    company: Template, plain: Template
) -> None:
    """Lambda makes them with the same role: https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html."""
    network = {"SubnetIds": ["subnet-0123456789abcdef0"], "SecurityGroupIds": ["sg-0123456789abcdef0"]}
    for function in company.every(FUNCTION):
        assert function["VpcConfig"] == network
        assert {(action, "*") for action in NETWORK} <= company.permissions(function["Role"])
        statements = [each for policy in company.policies(function["Role"]) for each in policy["Statement"]]
        arn = f"arn:aws:lambda:us-east-1:111111111111:function:{function['FunctionName']}"
        assert [each for each in statements if each["Effect"] == "Deny"] == [
            {
                "Effect": "Deny",
                "Action": sorted(NETWORK),
                "Resource": "*",
                "Condition": {"ArnEquals": {"lambda:SourceFunctionArn": arn}},
            }
        ]
    assert "ec2:" not in json.dumps(plain.document)


def test_every_function_and_machine_traces_if_asked_and_none_otherwise(watched: Template, full: Template) -> None:
    send = {("xray:PutTraceSegments", "*"), ("xray:PutTelemetryRecords", "*")}
    sample = {("xray:GetSamplingRules", "*"), ("xray:GetSamplingTargets", "*")}

    def traces(role: dict[str, Any]) -> set[tuple[str, str]]:
        return {each for each in watched.permissions(role) if each[0].startswith("xray:")}

    for function in watched.every(FUNCTION):
        assert (function["TracingConfig"], traces(function["Role"])) == ({"Mode": "Active"}, send)
    for machine in watched.every("AWS::StepFunctions::StateMachine"):
        assert machine["TracingConfiguration"] == {"Enabled": True}
        assert traces(machine["RoleArn"]) == send | sample
    assert "xray" not in str(full.document)
    assert "Tracing" not in str(full.document)


def test_every_machine_is_encrypted_with_the_key_of_executions(company: Template, plain: Template) -> None:
    machines = company.every("AWS::StepFunctions::StateMachine")
    for machine in machines:
        encrypted = machine["EncryptionConfiguration"]
        assert (encrypted["Type"], encrypted["KmsKeyId"]) == ("CUSTOMER_MANAGED_KMS_KEY", OWN.format("e"))
    assert "EncryptionConfiguration" not in plain.the("AWS::StepFunctions::StateMachine")


def test_no_history_is_logged_because_it_holds_key_values(templates: Mapping[str, Template]) -> None:
    for _, _, _, machine in every(templates, "AWS::StepFunctions::StateMachine"):
        assert "LoggingConfiguration" not in machine["Properties"]
        assert machine["Properties"].get("StateMachineType", "STANDARD") == "STANDARD"


DAY = 24 * 3600


def test_a_queue_keeps_what_a_person_has_to_look_at_for_two_weeks_and_is_encrypted(
    templates: Mapping[str, Template],
) -> None:
    """Late looks and their dead letters hold keys of items; the messages about a stream's failures hold none."""
    for environment, template, name, resource in every(templates, "AWS::SQS::Queue"):
        queue, redriven = resource["Properties"], resource["Properties"].get("RedrivePolicy")
        if redriven:
            dead = template.document["Resources"][redriven["deadLetterTargetArn"]["Fn::GetAtt"][0]]["Properties"]
            assert redriven["maxReceiveCount"] == 10
            assert queue["VisibilityTimeout"] >= 6 * 300, (
                "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html"
            )
            assert (queue["MessageRetentionPeriod"], dead["MessageRetentionPeriod"]) == (4 * DAY, 14 * DAY)
            assert queue.get("KmsMasterKeyId") == dead.get("KmsMasterKeyId")
        else:
            assert queue["MessageRetentionPeriod"] == 14 * DAY
        own = OWN.format("f") if environment == "company" and "Late" in name else None
        assert (queue.get("KmsMasterKeyId"), queue.get("SqsManagedSseEnabled")) == (
            (own, None) if own else (None, True)
        )


EVENTS = {
    "keeper": ["INSERT", "REMOVE"],
    "keep_attribute": ["INSERT", "MODIFY"],
    "replicator": ["INSERT", "MODIFY", "REMOVE"],
}
"""By handler: the changes after which it has something to do."""


def test_a_follower_sees_what_concerns_it_in_order_and_keeps_what_it_gives_up(
    templates: Mapping[str, Template],
) -> None:
    """Of a stream two batches of one key at once would be written in any order: a shard has one batch at a time.

    One bad record is found by halving, given up after ten attempts, and kept; all others are handled meanwhile.
    """
    for _, template, name, mapping in every(templates, "AWS::Lambda::EventSourceMapping"):
        follower = template.document["Resources"][mapping["Properties"]["FunctionName"]["Ref"]]["Properties"]
        handler = follower["Handler"].rpartition(".")[2]
        properties = {key: value for key, value in mapping["Properties"].items() if key not in {"FunctionName", "Tags"}}
        if "StartingPosition" not in properties:  # of late looks
            source = template.text(properties.pop("EventSourceArn"))
            expected = {"BatchSize": 10, "ScalingConfig": {"MaximumConcurrency": 10}}
            assert (handler, source, properties) == (
                "replicator",
                "the queue",
                {"FunctionResponseTypes": ["ReportBatchItemFailures"], **expected},
            )
            continue
        assert template.text(properties.pop("DestinationConfig")["OnFailure"]["Destination"]) == "the queue"
        assert json.loads(properties.pop("FilterCriteria")["Filters"][0]["Pattern"]) == {"eventName": EVENTS[handler]}
        assert properties == {
            "EventSourceArn": follower["Environment"]["Variables"].get("SKIPSCAN_STREAM", properties["EventSourceArn"]),
            "StartingPosition": "TRIM_HORIZON",
            "FunctionResponseTypes": ["ReportBatchItemFailures"],
            "BisectBatchOnFunctionError": True,
            "MaximumRetryAttempts": 10,
            "ParallelizationFactor": 1,
            "MaximumBatchingWindowInSeconds": 1,
            "BatchSize": 100,
        }, name
