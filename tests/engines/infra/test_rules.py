"""The rules of cdk-nag (AwsSolutions), the CDK and cfn-lint: on environments that set everything, and the package."""

import contextlib
import json
import subprocess
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
from tests.engines.infra.conftest import ENVIRONMENTS
from tests.house.suite.examples import ALL

pytestmark = pytest.mark.xdist_group("synth")

CONTEXT = json.loads((ROOT / "cdk.json").read_text())["context"]
LOOKED_AT = {**CONTEXT["environments"], **ENVIRONMENTS} if ALL else {"company": ENVIRONMENTS["company"]}
"""`make test` looks at the one that sets most; `make test-all` at every environment, and at the package."""
CARELESS = "careless"
"""The name of a stack that breaks rules."""
REDUNDANT_DEPENDENCY = "W3005"  # CDK writes a DependsOn beside every reference to a role


@pytest.fixture(scope="module")
def synthesised(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The folder of the templates, and the report of the rules that they break."""
    folder = tmp_path_factory.mktemp("cdk.out")
    app = cdk.App(context=CONTEXT, outdir=str(folder))
    for environment in read_environments(LOOKED_AT):
        SkipscanStack(app, environment.deployment, environment=environment)
    if ALL:
        PackagedStack(app, "skipscan", environment=None, zip="skipscan.zip", code_sha256="A" * 43 + "=")
    s3.CfnBucket(cdk.Stack(app, CARELESS), "Bucket", versioning_configuration={"status": "Perhaps"})
    # What validates the templates of `cdk deploy`; other tests and the demo go without it, as it is slow.
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app), cdk.CloudFormationValidatePlugin())
    with contextlib.suppress(RuntimeError):  # which the report says better
        app.synth()
    return folder, json.loads((folder / "validation-report.json").read_text())


def broken(report: Any) -> set[tuple[str, str]]:
    """Return stacks with the rules that they break."""
    return {
        (construct["constructPath"].partition("/")[0], violation["ruleName"])
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for construct in violation["violatingConstructs"]
    }


def test_no_rule_is_broken_without_a_reason_and_a_broken_one_is_found(synthesised: tuple[Path, Any]) -> None:
    found = {"AwsSolutions-S1", "AwsSolutions-S10", "W3030"}
    assert broken(synthesised[1]) == {(CARELESS, rule) for rule in found}


@pytest.mark.long
def test_cfn_lint_finds_nothing(synthesised: tuple[Path, Any]) -> None:
    templates = list(synthesised[0].glob("skipscan*.template.json"))
    assert len(templates) == len(LOOKED_AT) + ALL
    program = ["cfn-lint", "--ignore-checks", REDUNDANT_DEPENDENCY, "--", *map(str, templates)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
