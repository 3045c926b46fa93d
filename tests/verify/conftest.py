"""The kit in the deployed environment `e2e`, with dynalite for DynamoDB and with MiniStack's own."""

import os
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from local.checkout import ACCESS_KEY, REGION
from skipscan.aws import deployment as deployments
from tests.e2e.conftest import Deployment, cdk_folder, deployment, surroundings
from verify.kit import Kit
from verify.removal import remove

__all__ = ["cdk_folder", "deployment", "surroundings"]
KEYS = 40
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
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        patch.setenv("AWS_CONFIG_FILE", str(file))
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("no_proxy", "127.0.0.1")
        yield file


def kit_of(engine: str, launch: str) -> Kit:
    session = boto3.Session(profile_name=engine)
    found = deployments.find(deployments.client(session), "e2e")
    key = session.client("kms").create_key()["KeyMetadata"]["Arn"]  # MiniStack's S3 has no key of its own
    return Kit(session, found, launch, keys=KEYS, patience_seconds=60.0, kms_key=key)


@pytest.fixture(scope="session")
def kits(profiles: Path) -> Iterator[dict[str, Kit]]:
    """A kit by engine; what they make is removed when the session ends."""
    made = {engine: kit_of(engine, engine) for engine in ("dynalite", "ministack")}
    yield made
    for kit in made.values():
        assert remove(kit, kit.made) == []
