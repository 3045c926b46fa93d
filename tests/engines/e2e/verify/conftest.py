"""The kit in an environment of an account of its own, whose DynamoDB is MiniStack's, as the stack's tables are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
import pytest

from local import cdk
from local.checkout import ACCESS_KEY, ACCOUNT, BUILD, REGION
from local.embedded import Embedded, embedded_with_streams
from skipscan.environment import executions as deployments
from verify.kit import Kit

ENVIRONMENT = "kept"
JOBS = f"skipscan-verify-{ENVIRONMENT}-jobs"


@dataclass
class Place:
    """An account, the folder that the environment is deployed from, and what cdk.json says of the environment."""

    account: Embedded
    folder: Path
    said: dict[str, Any] = field(
        default_factory=lambda: {
            "account": ACCOUNT,
            "region": REGION,
            "tables": ["Orders", JOBS],
            "writing": {JOBS: {"act": True, "retrofit": True}},
            "limits": {"batch_pages": 4},
        }
    )
    calls: set[str] = field(default_factory=set)
    """Every call that the kits made, as `service:Operation`."""

    def deploy(self, **more: Any) -> None:
        for name, value in more.items():
            self.said[name] = self.said[name] | value if isinstance(value, dict) else [*self.said[name], *value]
        cdk.write_app(self.folder, {ENVIRONMENT: self.said})
        self.account.deploy(ENVIRONMENT, folder=self.folder)

    def kit(self, launch: str) -> Kit:
        session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
        deployed = deployments.find_deployment(deployments.cloudformation_client(session), ENVIRONMENT)
        key = session.client("kms").create_key()["KeyMetadata"]["Arn"]  # MiniStack's S3 has no key of its own

        def note(*, model: Any, **_: object) -> None:
            self.calls.add(f"{model.service_model.service_name}:{model.name}")

        session.events.register("provide-client-params", note)
        return Kit(session, deployed, launch, keys=20, patience_seconds=40.0, policy_seconds=0.0, kms_key=key)

    def left(self) -> list[str]:
        """Return what there is of the kit's."""
        session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
        found = [
            *session.client("dynamodb").list_tables()["TableNames"],
            *(role["RoleName"] for role in session.client("iam").list_roles()["Roles"]),
            *session.client("sqs").list_queues().get("QueueUrls", ()),
            *(each["FunctionName"] for each in session.client("lambda").list_functions()["Functions"]),
            *(each["name"] for each in session.client("stepfunctions").list_state_machines()["stateMachines"]),
            *(each["Name"] for each in session.client("scheduler").list_schedules()["Schedules"]),
        ]
        return [name for name in found if "skipscan-verify-" in name]


@pytest.fixture(scope="package")
def kept_place() -> Iterator[Place]:
    with (
        embedded_with_streams() as account,
        TemporaryDirectory(dir=BUILD, prefix="kept-") as name,
        pytest.MonkeyPatch.context() as patched,
    ):
        made = Place(account, Path(name))
        made.deploy()
        patched.setenv("AWS_ENDPOINT_URL", account.endpoint)
        patched.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
        patched.setenv("AWS_SECRET_ACCESS_KEY", ACCESS_KEY)
        patched.setenv("NO_PROXY", "127.0.0.1")
        yield made
