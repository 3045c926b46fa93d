"""The kit in the deployed environment `e2e`, with dynalite for DynamoDB and with MiniStack's own."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.checkout import ACCESS_KEY, REGION
from skipscan.environment import executions as deployments
from tests.engines.e2e.conftest import Deployment
from tests.engines.e2e.verify.needs import Call
from verify.check import Outcome
from verify.checks import CHECKS
from verify.kit import Kit
from verify.removal import found, remove
from verify.run import attempt

KEYS = 40
CALLS: list[Call] = []
"""Every call of the kits of `recorded`."""

OF_DYNAMODB = {
    "skips",
    "order",
    "billing",
    "writes",
    "tables",
    "throttling",
    "stream",
    "mappings",
    "statements",
    "client",
}
"""The modules whose checks try DynamoDB alone."""

PROFILES = """
[profile {name}]
aws_access_key_id = {key}
aws_secret_access_key = {key}
region = {region}
endpoint_url = {endpoint}
services = {name}

[services {name}]
dynamodb =
  endpoint_url = {dynamodb}
"""


@pytest.fixture(scope="session")
def profiles(deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An AWS configuration with a profile for each engine; what it says is for this process and those it starts."""
    account = deployment.account
    engines = {"dynalite": account.dynamodb_endpoint, "ministack": account.endpoint}
    file = tmp_path_factory.mktemp("aws") / "config"
    said = {"key": ACCESS_KEY, "region": REGION, "endpoint": account.endpoint}
    file.write_text("".join(PROFILES.format(name=name, dynamodb=url, **said) for name, url in engines.items()))
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_ENDPOINT_URL")]:
            patch.delenv(name)
        patch.setenv("AWS_CONFIG_FILE", str(file))
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("no_proxy", "127.0.0.1")
        yield file


def kit_of(engine: str, launch: str, environment: str = "e2e", *, is_recorded: bool = False) -> Kit:
    session = boto3.Session(profile_name=engine)
    deployed = deployments.find_deployment(deployments.cloudformation_client(session), environment)
    key = session.client("kms").create_key()["KeyMetadata"]["Arn"]  # MiniStack's S3 has no key of its own
    if is_recorded:
        session.events.register("provide-client-params", _record)
    return Kit(session, deployed, launch, keys=KEYS, patience_seconds=60.0, policy_seconds=0.0, kms_key=key)


def _record(*, params: dict[str, Any], model: Any, **_: object) -> None:
    CALLS.append(Call(model.service_model.service_name, model.name, params))


@dataclass
class Recorded:
    """A kit by engine, and how each check ended, which is tried once."""

    kits: dict[str, Kit]
    ended: dict[tuple[str, str], tuple[Outcome, str]] = field(default_factory=dict)

    def attempt(self, engine: str, check: str) -> tuple[Outcome, str]:
        case = engine, check
        if case not in self.ended:
            self.ended[case] = attempt(self.kits[engine], CHECKS[check])
        return self.ended[case]

    @staticmethod
    def is_of_dynamodb(check: str) -> bool:
        """Tell whether a check is one for both engines: the other services are MiniStack's."""
        return CHECKS[check].trial.__module__.rpartition(".")[2] in OF_DYNAMODB

    def clean(self) -> None:
        """Look for what is there, and remove what the kits have made so far."""
        for kit in self.kits.values():
            list(found(kit, lambda line: None))
            assert remove(kit, kit.made) == []


@pytest.fixture(scope="session")
def recorded(profiles: Path) -> Iterator[Recorded]:
    """A kit by engine; what they make is removed when the session ends."""
    made = Recorded({engine: kit_of(engine, engine, is_recorded=True) for engine in ("dynalite", "ministack")})
    yield made
    made.clean()
