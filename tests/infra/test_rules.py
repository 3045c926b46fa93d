"""The rules of cdk-nag (AwsSolutions), the CDK and cfn-lint: on environments that set everything, and the package."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_s3 as s3
from cdk_nag import AwsSolutionsChecks

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.package import PackagedStack
from infra.stack import SkipscanStack
from tests.infra.conftest import ENVIRONMENTS
from tests.suite.examples import ALL

pytestmark = pytest.mark.xdist_group("synth")

CONTEXT = json.loads((ROOT / "cdk.json").read_text())["context"]
LOOKED_AT = {**CONTEXT["environments"], **ENVIRONMENTS} if ALL else {"company": ENVIRONMENTS["company"]}
"""`make test` looks at the one that sets most; `make test-all` at every environment."""
REDUNDANT_DEPENDENCY = "W3005"  # CDK writes a DependsOn beside every reference to a role


@pytest.fixture(scope="module")
def validator() -> cdk.CloudFormationValidatePlugin:
    """Return what validates the templates of `cdk deploy`. Other tests and the demo go without it, as it is slow."""
    return cdk.CloudFormationValidatePlugin()


def violations(
    folder: Path,
    environments: dict[str, Any],
    also: Callable[[cdk.Stack], object],
    validator: cdk.CloudFormationValidatePlugin,
) -> list[str]:
    """Return the rules that the stacks of some environments break."""
    app = cdk.App(context=CONTEXT, outdir=str(folder))
    for environment in read_environments(environments):
        name = f"skipscan-{environment.name}"
        also(SkipscanStack(app, name, environment=environment, keep_results=True))
    PackagedStack(app, "skipscan", environment=None, zip="skipscan.zip")
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app), validator)
    with contextlib.suppress(RuntimeError):  # which the report says better
        app.synth()
    report = json.loads((folder / "validation-report.json").read_text())
    return [rule["ruleName"] for plugin in report["pluginReports"] for rule in plugin["violations"]]


@pytest.fixture(scope="module")
def synthesised(
    tmp_path_factory: pytest.TempPathFactory, validator: cdk.CloudFormationValidatePlugin
) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("cdk.out")
    return folder, violations(folder, LOOKED_AT, lambda stack: None, validator)


def test_no_rule_is_broken_without_a_reason(synthesised: tuple[Path, list[str]]) -> None:
    assert synthesised[1] == []


def test_a_broken_rule_is_found(tmp_path: Path, validator: cdk.CloudFormationValidatePlugin) -> None:
    def careless(stack: cdk.Stack) -> None:
        s3.CfnBucket(stack, "Careless", versioning_configuration={"status": "Perhaps"})

    found = violations(tmp_path, {"plain": ENVIRONMENTS["plain"]}, careless, validator)
    assert sorted(set(found)) == ["AwsSolutions-S1", "AwsSolutions-S10", "W3030"]


@pytest.mark.long
def test_cfn_lint_finds_nothing(synthesised: tuple[Path, list[str]]) -> None:
    templates = list(synthesised[0].glob("*.template.json"))
    assert len(templates) == len(LOOKED_AT) + 1
    program = ["cfn-lint", "--ignore-checks", REDUNDANT_DEPENDENCY, "--", *map(str, templates)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
