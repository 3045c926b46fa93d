"""What `make package` writes: a template with a parameter for everything it needs, and the zip that it names."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import skipscan
from infra.cdk_json import read_environments
from infra.package import package
from skipscan.cli.stack.deploy_options import OPTIONS
from tests.engines.infra.conftest import ENVIRONMENTS
from tests.engines.infra.template import Template
from tests.house.docs.document import rows
from tests.unit.cli.stack.conftest import PARAMETERS

pytestmark = pytest.mark.xdist_group("synth")

ACCOUNT_AND_REGION = re.compile(r"(?<![0-9a-f])\d{12}(?![0-9a-f])|[a-z]{2}-[a-z]+-\d")


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package whose environment is described when it is deployed."""
    folder = tmp_path_factory.mktemp("described") / "package"
    package(None, folder)
    return folder


@pytest.fixture(scope="module")
def document(described: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((described / "skipscan.template.json").read_text())
    return found


def test_the_template_knows_no_bootstrap_no_asset_no_account_and_no_region(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    assert not re.search(r"(?i)bootstrap|cdk-|assets?\b|hnb659fds", text)
    assert not ACCOUNT_AND_REGION.findall(text.replace("123456789012", ""))


def test_only_the_bucket_of_the_code_and_a_table_have_no_default_and_every_parameter_has_a_group(
    document: dict[str, Any],
) -> None:
    parameters = document["Parameters"]
    assert {name for name, parameter in parameters.items() if "Default" not in parameter} == {"Table", "CodeBucket"}
    groups = document["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert sorted(name for group in groups for name in group["Parameters"]) == sorted(parameters)


def test_the_page_lists_every_parameter_with_its_default(document: dict[str, Any]) -> None:
    """A default that sets nothing is given in words."""
    listed = rows(Path("docs/ways-in.md"), "## The template, from the console")
    defaults = {name: default for names, default, _ in listed for name in re.findall("`([^`]+)`", names)}
    assert defaults.keys() == document["Parameters"].keys()
    for name, default in defaults.items():
        if default == "required":
            assert "Default" not in document["Parameters"][name]
        elif default.startswith("`"):
            assert document["Parameters"][name]["Default"] == default.strip("`")


def test_skipscan_deploy_has_an_option_for_every_parameter(document: dict[str, Any]) -> None:
    assert document["Parameters"].keys() == OPTIONS.keys() | {"CodeBucket", "CodeKey"} == PARAMETERS.keys()
    assert document["Outputs"]["Version"]["Value"] == skipscan.__version__


def test_roles_and_functions_are_as_the_company_s_parameters_say(document: dict[str, Any]) -> None:
    template, nothing = Template(document), {"Ref": "AWS::NoValue"}
    for role in template.every("AWS::IAM::Role"):
        condition, policy, otherwise = role["PermissionsBoundary"]["Fn::If"]
        assert (condition, otherwise) == ("PermissionsBoundaryGiven", nothing)
        assert policy["Fn::Join"][1][-2:] == [":policy/", {"Ref": "PermissionsBoundary"}]
    assert all(role["Path"] == {"Ref": "RolePath"} for role in template.every("AWS::IAM::Role"))
    network = {"SubnetIds": {"Ref": "SubnetIds"}, "SecurityGroupIds": {"Ref": "SecurityGroupIds"}}
    for function in template.every("AWS::Lambda::Function"):
        assert function["VpcConfig"] == {"Fn::If": ["SubnetIdsGiven", network, nothing]}
    every = template.statements("ec2:CreateNetworkInterface")
    interfaces = [statement["Resource"] for statement in every if statement["Effect"] == "Allow"]
    assert [each["Fn::If"][:2] for each in interfaces] == [["SubnetIdsGiven", "*"]] * 5


def test_a_schedule_and_its_resources_are_created_only_on_request(document: dict[str, Any]) -> None:
    resources = document["Resources"]
    conditional = {name for name, each in resources.items() if each.get("Condition") == "ScheduleGiven"}
    assert document["Conditions"]["ScheduleGiven"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "Schedule"}, ""]}]}
    assert sorted(resources[name]["Type"].rpartition("::")[2] for name in conditional) == [
        *("Alarm", "Alarm", "Policy", "Queue", "QueuePolicy", "Role", "Schedule")
    ]
    # CloudFormation refuses a template in which another resource refers to a conditional one.
    for name in resources.keys() - conditional:
        assert not any(f'"{other}"' in json.dumps(resources[name]) for other in conditional)


def test_a_stack_of_the_template_can_be_taken_over_by_the_cdk_with_its_results(
    document: dict[str, Any], plain: Template
) -> None:
    """The same logical names: CloudFormation keeps the bucket and the state machine of the stack that is there."""
    for kept in ("AWS::S3::Bucket", "AWS::StepFunctions::StateMachine"):
        [name] = (name for name, each in document["Resources"].items() if each["Type"] == kept)
        assert plain.document["Resources"][name]["Type"] == kept


def test_another_network_or_role_path_makes_other_versions(document: dict[str, Any]) -> None:
    """The state machine invokes versions, and a version keeps the network and the role that it was published with.

    Lambda refuses to publish a function that has not changed, so the function has the text, too.
    """
    template = Template(document)
    said = [each["Description"] for kind in ("Function", "Version") for each in template.every(f"AWS::Lambda::{kind}")]
    assert said == [said[0]] * 10
    assert re.findall('"Ref": "(\\w+)"', json.dumps(said[0])) == ["RolePath", "SubnetIds", "SecurityGroupIds"]


def test_a_version_takes_no_other_code_than_the_packaged_zip(document: dict[str, Any], described: Path) -> None:
    """Whoever may write to the bucket of the code could exchange it between upload and deployment."""
    content = (described / document["Parameters"]["CodeKey"]["Default"]).read_bytes()
    digest = b64encode(hashlib.sha256(content).digest()).decode()
    every = Template(document).every("AWS::Lambda::Version")
    assert [version["CodeSha256"] for version in every] == [digest] * 5


def test_its_roles_read_the_tables_named_and_no_other(document: dict[str, Any]) -> None:
    statements = Template(document).statements("dynamodb:Scan")
    scans = [json.dumps(resource) for statement in statements for resource in statement["Resource"]]
    assert scans
    for resource in scans:
        # An unused parameter has the first table's name again.
        optional = re.search(r'{"Fn::If": \["(Table\d)Given", {"Ref": "\1"}, {"Ref": "Table"}\]}', resource)
        assert optional or ':table/", {"Ref": "Table"}' in resource
    assert {name for name in ("Table2", "Table5") if any(f'"{name}"' in scan for scan in scans)} == {"Table2", "Table5"}


def test_an_environment_of_cdk_json_is_packaged_with_all_it_has(tmp_path: Path) -> None:
    [environment] = read_environments({"full": ENVIRONMENTS["full"]})
    package(replace(environment, keep_results=False), tmp_path)
    document = json.loads((tmp_path / "skipscan-full.template.json").read_text())
    assert list(document["Parameters"]) == ["CodeBucket", "CodeKey"]
    template = Template(document)
    assert len(template.every("AWS::Scheduler::Schedule")) == 2
    assert "table/Orders" in json.dumps(template.every("AWS::IAM::Policy"))
    assert set(document["Outputs"]) >= {"StateMachineArn", "BucketName", "TablePolicy333333333333Customers"}
    assert template.raw("AWS::S3::Bucket")[0]["DeletionPolicy"] == "Delete"
    assert "`skipscan-full`" in (tmp_path / "README.md").read_text()
