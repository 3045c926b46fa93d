"""An account in which `skipscan deploy` finds what a test put there."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from skipscan.cli.stack.deploy_options import DeployOptions
from skipscan.cli.stack.deploying import Deploying, destroy_stack
from skipscan.cli.stack.permissions import TEMPLATE, Packaged
from skipscan.cli.stack.place import BY, MARK, ExistingStack, Prompter, StackPlace
from skipscan.inputs.names import topic_arn
from tests.unit.cli.stack.fakes import ACCOUNT, REGION, STACK, FakeBuckets, FakeCloudFormation, FakeTables, Person

PARAMETERS: dict[str, dict[str, str]] = {
    "EnvironmentName": {"AllowedPattern": "[a-zA-Z0-9-]{1,24}"},
    "Table": {},
    **{f"Table{number}": {"Default": ""} for number in range(2, 6)},
    "Schedule": {"Default": "", "AllowedPattern": r"|(cron|rate)\([^()]{1,200}\)"},
    "ScheduleTimezone": {"Default": "UTC"},
    "ScheduleInput": {"Default": "{}"},
    "NotifyEmail": {
        "Default": "",
        "AllowedPattern": r"|[^\s@]{1,64}@[^\s@]{1,255}",
        "ConstraintDescription": "must be an e-mail address",
    },
    "NotifyTopic": {"Default": "none", "AllowedPattern": f"none|{topic_arn()}"},
    "NotifyOnlyIfChanged": {"Default": "no"},
    "AlarmTopic": {"Default": "none"},
    "PermissionsBoundary": {
        "Default": "",
        "AllowedPattern": "[A-Za-z0-9+=,.@_/-]{0,512}",
        "ConstraintDescription": "must be the name of a policy",
    },
    "RolePath": {"Default": "/", "AllowedPattern": "/([!-~]{1,510}/)?", "ConstraintDescription": "must be a path"},
    "SubnetIds": {},
    "SecurityGroupIds": {},
    "CodeBucket": {},
    "CodeKey": {"Default": "skipscan-0123.zip"},
}
"""Those of the packaged template, which tests/engines/infra/test_package.py compares with the options."""


@dataclass
class Account:
    """`slept`: how long was waited, in turn."""

    packaged: Packaged
    cloudformation: FakeCloudFormation = field(default_factory=FakeCloudFormation)
    s3: FakeBuckets = field(default_factory=FakeBuckets)
    dynamodb: FakeTables = field(default_factory=FakeTables)
    person: Person = field(default_factory=Person)
    slept: list[float] = field(default_factory=list)
    is_verbose: bool = False

    @property
    def place(self) -> StackPlace:
        return StackPlace("dev", ACCOUNT, "aws", REGION, self.cloudformation, self.s3, self.dynamodb)

    @property
    def talk(self) -> Prompter:
        return Prompter(self.person.say, self.person.confirm, self.person.live.append, is_verbose=self.is_verbose)

    def deploy(self, *tables: str, tags: dict[str, str] | None = None, **wanted: Any) -> ExistingStack:
        code_bucket = wanted.pop("code_bucket", None)
        deploying = Deploying(self.place, self.packaged, self.talk, self.slept.append, code_bucket=code_bucket)
        found = deploying.deploy(DeployOptions(tables=tables, **wanted), tags or {})
        assert found
        return found

    def destroy(self) -> None:
        destroy_stack(self.place, self.talk, self.slept.append)

    def has(self, status: str, *, tags: dict[str, str] | None = None, **more: Any) -> None:
        """Put a stack there, made by `skipscan deploy` unless tags say otherwise."""
        tags = {MARK: BY} if tags is None else tags
        self.cloudformation.stack = {
            "StackId": STACK,
            "StackStatus": status,
            "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
            "Parameters": [
                {"ParameterKey": key, "ParameterValue": value}
                for key, value in {"Table": "Orders", "RolePath": "/team/", "OfAnEarlierVersion": "x"}.items()
            ],
            "Outputs": [
                {"OutputKey": "StateMachineArn", "OutputValue": "arn:machine"},
                {"OutputKey": "BucketName", "OutputValue": "the-results"},
            ],
            **more,
        }

    def parameters(self) -> dict[str, Any]:
        """What the change set was asked with; `True` for what stays."""
        [asked] = self.cloudformation.asked("CreateChangeSet")
        return {each["ParameterKey"]: each.get("ParameterValue", True) for each in asked["Parameters"]}


@pytest.fixture
def account(tmp_path: Path) -> Account:
    template = {"Parameters": PARAMETERS, "Outputs": {"Version": {"Value": "9.9.9"}}}
    (tmp_path / TEMPLATE).write_text(json.dumps(template))
    (tmp_path / "skipscan-0123.zip").write_bytes(b"the code")
    shutil.copytree("docs/policies", tmp_path / "policies")
    return Account(Packaged(tmp_path))
