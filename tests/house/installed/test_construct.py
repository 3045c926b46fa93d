"""The construct in a user's app, which has only what pip installed."""

import json
import shutil
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from infra.bundle import ROOT, bundle, zipped
from local.checkout import NODE
from tests.engines.infra.template import Template
from tests.house.installed.conftest import Run

pytestmark = [pytest.mark.xdist_group("installed"), pytest.mark.long]


def synthesise(example: str, run_installed: Run, folder: Path) -> Path:
    """Return the cloud assembly of an example app."""
    shutil.copytree(ROOT / "examples" / example, folder, dirs_exist_ok=True)
    # Spares the download: the wheels that are named by the same requirements.
    bundle(ROOT / "lambdas", ROOT / "build")
    for wheels in (ROOT / "build").glob("wheels-*"):
        shutil.copytree(wheels, folder / "cdk.out" / "skipscan" / wheels.name)
    # By the Node that the checkout locks: JSII warns of one on the machine that is too old by the day's date.
    variables = {"CDK_OUTDIR": str(folder / "cdk.out"), "JSII_NODE": str(NODE)}
    done = run_installed("-W", "error", "app.py", folder=folder, **variables)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "cdk.out"


@pytest.fixture(scope="module")
def out(run_installed: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthesise("cdk-app", run_installed, tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="module")
def shop(out: Path) -> Template:
    return Template(json.loads((out / "Shop.template.json").read_text()))


def test_it_is_started_by_the_principal_that_the_app_names(shop: Template) -> None:
    [machine] = [
        {"Ref": name}
        for name, each in shop.document["Resources"].items()
        if each["Properties"].get("StateMachineName") == "skipscan-shop"
    ]
    starters = [
        policy
        for policy in shop.every("AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        if (statement["Action"], statement["Resource"]) == ("states:StartExecution", machine)
    ]
    assert len(starters) == 2  # the schedule and the function
    [newsletter] = [f for f in shop.every("AWS::Lambda::Function") if "FunctionName" not in f]
    assert newsletter["Environment"]["Variables"]["STATE_MACHINE"] == machine
    [schedule] = shop.every("AWS::Scheduler::Schedule")
    assert schedule["Target"]["Arn"] == machine
    [table] = [n for n, each in shop.document["Resources"].items() if each["Type"] == "AWS::DynamoDB::GlobalTable"]
    assert {"Ref": table} in schedule["Target"]["Input"]["Fn::Join"][1]


def test_its_functions_have_the_very_code_of_the_zip_in_the_wheel(out: Path, wheel: Path) -> None:
    assets: dict[str, Any] = json.loads((out / "Shop.assets.json").read_text())["files"]
    with ZipFile(wheel) as content:
        [packaged] = (content.read(name) for name in content.namelist() if name.endswith(".zip"))
    [built] = (out / "skipscan").glob("bundle-*")
    assert zipped(built) == packaged
    [code] = [asset for asset in assets.values() if asset["source"]["packaging"] == "zip"]
    assert (out / code["source"]["path"] / "skipscan" / "scan" / "plan.py").exists()


def test_a_table_with_the_mixin_has_a_keeper_of_its_markers(run_installed: Run, tmp_path: Path) -> None:
    assembly = synthesise("cdk-app-markers", run_installed, tmp_path / "shop")
    shop = Template(json.loads((assembly / "Shop.template.json").read_text()))
    [table] = [
        name for name, each in shop.document["Resources"].items() if each["Type"] == "AWS::DynamoDB::GlobalTable"
    ]
    [mapping] = shop.every("AWS::Lambda::EventSourceMapping")
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": [table, "StreamArn"]}
    [index] = shop.document["Resources"][table]["Properties"]["GlobalSecondaryIndexes"]
    [schedule] = shop.every("AWS::Scheduler::Schedule")
    assert f'"index":"{index["IndexName"]}"' in json.dumps(schedule["Target"]["Input"]).replace("\\", "")
