"""The packaged template and zip, deployed from the console alone: without CDK and bootstrap."""

from collections.abc import Iterator, Mapping

import pytest

from infra.package import package
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = [pytest.mark.xdist_group("embedded"), pytest.mark.long]

COLLECTIONS = 12
BUCKET = "someones-bucket"


@pytest.fixture(scope="module")
def packaged(surroundings: Surroundings, tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    account, folder = surroundings.account, tmp_path_factory.mktemp("package")
    package(None, folder)
    account.s3.create_bucket(Bucket=BUCKET)
    for file in folder.iterdir():
        account.s3.upload_file(str(file), BUCKET, file.name)
    given = {"CodeBucket": BUCKET, "EnvironmentName": "packaged", "Table": "Packaged"}
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
