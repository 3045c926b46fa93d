"""The packaged template and zip, deployed from the console alone: without CDK and bootstrap."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from infra.package import package
from local.embedded import CONFIG, SESSION
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.test_between_runs import Mailbox
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = [pytest.mark.xdist_group("embedded"), pytest.mark.long, pytest.mark.in_order]

COLLECTIONS = 12
BUCKET = "someones-bucket"


@pytest.fixture(scope="module")
def packaged(surroundings: Surroundings, tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    account, folder = surroundings.account, tmp_path_factory.mktemp("package")
    package(None, folder)
    account.s3.create_bucket(Bucket=BUCKET)
    for file in folder.iterdir():
        account.s3.upload_file(str(file), BUCKET, file.name)
    topics: Any = SESSION.client("sns", endpoint_url=account.endpoint, config=CONFIG)
    given = {
        "CodeBucket": BUCKET,
        "EnvironmentName": "packaged",
        "Table": "Packaged",
        "NotifyTopic": topics.create_topic(Name="packaged-runs")["TopicArn"],
        "NotifyOnlyIfChanged": "yes",
    }
    account.cloudformation.create_stack(
        StackName="skipscan-packaged",
        # The console takes a file to S3, too: a template in the request may have 51,200 bytes, there a million.
        TemplateURL=f"{account.endpoint}/{BUCKET}/skipscan.template.json",
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in given.items()],
        Capabilities=["CAPABILITY_IAM"],
    )
    account.cloudformation.get_waiter("stack_create_complete").wait(
        StackName="skipscan-packaged", WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    return Deployment(account, outputs(surroundings))


@pytest.fixture(scope="module")
def mailbox(packaged: Deployment) -> Mailbox:
    """What is published to the topic of the parameters."""
    made = Mailbox(packaged.account, "packaged")
    [arn] = (
        each["TopicArn"] for each in packaged.topics.list_topics()["Topics"] if "packaged-runs" in each["TopicArn"]
    )
    packaged.topics.subscribe(
        TopicArn=arn, Protocol="sqs", Endpoint=made.arn, Attributes={"RawMessageDelivery": "true"}
    )
    return made


def outputs(surroundings: Surroundings) -> Mapping[str, str]:
    [stack] = surroundings.account.cloudformation.describe_stacks(StackName="skipscan-packaged")["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


def test_a_run_goes_through_the_stack_of_a_console_user(packaged: Deployment) -> None:
    items: Iterator[Item] = (
        {"pk": {"S": f"p{pk}"}, "sk": {"N": f"{sk}"}} for pk in range(COLLECTIONS) for sk in range(3)
    )
    packaged.load(TableDefinition("Packaged", KeySchema.of(("pk", "S"), ("sk", "N"))), items)

    output = packaged.run(table="Packaged", segments=2)

    assert sorted(key["pk"] for key in packaged.keys(output)) == sorted(f"p{pk}" for pk in range(COLLECTIONS))
    assert packaged.outputs["StateMachineArn"].endswith(":stateMachine:skipscan-packaged")


def test_a_run_is_published_unless_it_found_what_the_one_before_found(packaged: Deployment, mailbox: Mailbox) -> None:
    runs = [packaged.run(table="Packaged", compare="previous") for _ in range(2)]
    packaged.account.dynamodb.put_item(TableName="Packaged", Item={"pk": {"S": "new"}, "sk": {"N": "0"}})
    changed = packaged.run(table="Packaged", compare="previous")
    assert [run["diff"]["new_keys"] for run in (*runs, changed)] == [0, 0, 1]
    assert mailbox.take()["output"] == changed


def test_an_e_mail_address_is_subscribed_to_a_topic_of_the_stack(packaged: Deployment) -> None:
    kept = ("CodeBucket", "EnvironmentName", "Table")
    stays: list[Any] = [{"ParameterKey": name, "UsePreviousValue": True} for name in kept]
    packaged.account.cloudformation.update_stack(
        StackName="skipscan-packaged",
        UsePreviousTemplate=True,
        Parameters=[*stays, {"ParameterKey": "NotifyEmail", "ParameterValue": "ann@example.com"}],
        Capabilities=["CAPABILITY_IAM"],
    )
    packaged.account.cloudformation.get_waiter("stack_update_complete").wait(
        StackName="skipscan-packaged", WaiterConfig={"Delay": 1, "MaxAttempts": 600}
    )
    [arn] = (each["TopicArn"] for each in packaged.topics.list_topics()["Topics"] if "finished" in each["TopicArn"])
    [subscription] = packaged.topics.list_subscriptions_by_topic(TopicArn=arn)["Subscriptions"]
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", "ann@example.com")
    assert "not_published" not in packaged.run(table="Packaged")
