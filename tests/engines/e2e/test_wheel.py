"""The wheel in an empty environment deploys, lists, upgrades and removes: no checkout, no CDK, no Node on the way."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from infra.wheel import build
from local.checkout import ACCOUNT, BUILD, REGION, ROOT, environ
from local.embedded import Embedded
from tests.engines.e2e.conftest import Deployment
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

# It installs boto3 into an environment of its own, and deploys four times: minutes.
pytestmark = [pytest.mark.xdist_group("embedded"), pytest.mark.long, pytest.mark.in_order, pytest.mark.timeout(900)]

COLLECTIONS = 12
CODE_BUCKET = f"skipscan-code-{ACCOUNT}-{REGION}-an"
Skipscan = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def installed_wheel() -> Iterator[Path]:
    """The interpreter of an environment that has the wheel and its requirements, in the locked versions."""
    with TemporaryDirectory(dir=BUILD, prefix="wheel-e2e-") as name:
        wheel, folder = build(Path(name, "wheel")), Path(name, "empty")
        uv = [str(ROOT / ".venv-uv" / "bin" / "uv"), "--quiet", "--no-cache"]
        subprocess.run([*uv, "venv", "--python", sys.executable, str(folder)], check=True)
        locked = Path(name, "constraints.txt")
        locked.write_text(re.sub(r" \\\n    --hash=\S+", "", (ROOT / "requirements.txt").read_text()))
        python = folder / "bin" / "python"
        install = [*uv, "pip", "install", "--python", str(python), "--constraint", str(locked), str(wheel)]
        subprocess.run(install, check=True)
        yield python


@pytest.fixture(scope="module")
def skipscan(installed_wheel: Path, embedded_account: Embedded) -> Skipscan:
    """Runs a command of the installed wheel, with the embedded AWS and nothing else in reach."""
    variables = environ(
        AWS_ENDPOINT_URL=embedded_account.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB=embedded_account.dynamodb_endpoint,
    )
    variables = {name: value for name, value in variables.items() if not name.startswith("PYTHON")}
    variables["PATH"] = f"{installed_wheel.parent}{os.pathsep}{os.defpath}"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(installed_wheel.with_name("skipscan")), *arguments]
        return subprocess.run(
            command,
            env=variables,
            cwd=installed_wheel.parents[1],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def outputs(embedded_account: Embedded) -> dict[str, str]:
    [stack] = embedded_account.cloudformation.describe_stacks(StackName="skipscan-wheel")["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


def test_nothing_of_the_cdk_and_no_node_is_there(installed_wheel: Path, skipscan: Skipscan) -> None:
    done = subprocess.run([str(installed_wheel), "-c", "import aws_cdk"], capture_output=True, text=True, check=False)
    assert "No module named 'aws_cdk'" in done.stderr
    found = subprocess.run(
        [str(installed_wheel), "-c", "import skipscan; print(skipscan.__file__)"], capture_output=True, check=False
    )
    assert str(ROOT / "lambdas") not in found.stdout.decode()
    assert skipscan("--version").returncode == 0


def test_it_deploys(skipscan: Skipscan, embedded_account: Embedded) -> None:
    items: Iterator[Item] = (
        {"pk": {"S": f"p{pk}"}, "sk": {"N": f"{sk}"}} for pk in range(COLLECTIONS) for sk in range(3)
    )
    definition = TableDefinition("Wheel", KeySchema.of(("pk", "S"), ("sk", "N")))
    Deployment(embedded_account, {}).load(definition, items)
    done = skipscan("deploy", "--table", "Wheel", "--env", "wheel", "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == outputs(embedded_account)["StateMachineArn"]
    assert "Capability CAPABILITY_IAM" in done.stderr
    assert re.search(r"CREATE_COMPLETE +AWS::CloudFormation::Stack +skipscan-wheel", done.stderr)
    s3 = embedded_account.s3
    policy = json.loads(s3.get_bucket_policy(Bucket=CODE_BUCKET)["Policy"])
    assert [each["Condition"] for each in policy["Statement"]] == [{"Bool": {"aws:SecureTransport": "false"}}]
    assert all(s3.get_public_access_block(Bucket=CODE_BUCKET)["PublicAccessBlockConfiguration"].values())


def test_a_run_goes_through_what_it_deployed(skipscan: Skipscan, tmp_path: Path) -> None:
    keys = tmp_path / "keys.txt"
    done = skipscan("run", "Wheel", "--env", "wheel", "--output", str(keys))
    assert done.returncode == 0, done.stderr
    assert sorted(keys.read_text().splitlines()) == sorted(f"p{pk}" for pk in range(COLLECTIONS))


def test_an_upgrade_happens_in_place(skipscan: Skipscan, embedded_account: Embedded) -> None:
    before = outputs(embedded_account)
    assert "up to date" in skipscan("deploy", "--env", "wheel", "--yes").stderr
    done = skipscan(
        "deploy", "--env", "wheel", "--yes", "--schedule", "rate(1 day)", "--schedule-input", '{"segments": 2}'
    )
    assert done.returncode == 0, done.stderr
    assert outputs(embedded_account) == before
    schedule = embedded_account.scheduler.get_schedule(Name="skipscan-wheel-schedule")
    assert json.loads(schedule["Target"]["Input"]) == {"overlap": "skip", "segments": 2, "table": "Wheel"}
    done = skipscan("deploy", "--env", "wheel", "--yes", "--no-schedule")
    assert done.returncode == 0, done.stderr
    names = {each["Name"] for each in embedded_account.scheduler.list_schedules()["Schedules"]}
    assert "skipscan-wheel-schedule" not in names


def test_destroy_says_what_stays_and_leaves_the_results(skipscan: Skipscan, embedded_account: Embedded) -> None:
    results = outputs(embedded_account)["BucketName"]
    done = skipscan("destroy", "--env", "wheel", "--yes")
    assert done.returncode == 0, done.stderr
    assert f"bucket {results} with all results" in done.stderr
    names = {bucket["Name"] for bucket in embedded_account.s3.list_buckets()["Buckets"]}
    assert {results, CODE_BUCKET} <= names
    done = skipscan("destroy", "--env", "wheel", "--yes")
    assert (done.returncode, "stack skipscan-wheel in" in done.stderr) == (1, True)
