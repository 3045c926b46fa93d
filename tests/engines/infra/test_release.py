"""A release is built from a tag that fits its sources, and equal sources give equal files."""

import copy
import hashlib
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import skipscan
from infra import release, wheel
from infra.bundle import ROOT
from infra.package import package

pytestmark = pytest.mark.engine

VERSION = skipscan.__version__
SECTIONS = "# Changelog", "## Unreleased", f"## {VERSION} - 2026-11-24", "- Something new.", "## 0.1.0 - 2026-01-01"
CLOSED = "\n\n".join(SECTIONS)


def test_the_notes_are_the_section_of_the_version() -> None:
    assert release.check(f"v{VERSION}", CLOSED) == "- Something new.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v9.9.9", CLOSED, f"the tag is v9.9.9, and the version of the sources is {VERSION}"),
        (f"v{VERSION}", CLOSED.replace("## Unreleased\n", "## Unreleased\n\n- Later.\n"), "entries under"),
        (None, CLOSED.replace(VERSION, "7.7.7"), f"no section of {VERSION}"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused_before_anything_is_built(
    tag: str | None, changelog: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        release.check(tag, changelog)


def test_a_wheel_names_the_pages_of_its_repository(tmp_path: Path) -> None:
    """tests/house/installed has a whole wheel without one."""
    module = tmp_path / "__init__.py"
    module.write_text((ROOT / "lambdas/skipscan/__init__.py").read_text())
    wheel.name_pages(module, f"{REPOSITORY}/blob/HEAD/docs")
    assert f'DOCUMENTATION = "{REPOSITORY}/blob/HEAD/docs"' in module.read_text()


TRANSLATE = """
import json, sys
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
template = json.load(sys.stdin)
print(len(Translator({}, Parser()).translate(template, {"Table": "Orders"})["Resources"]))
"""


def translated(template: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Translate a template as SAM does, after `sam package` has put the zip into a bucket."""
    for resource in template["Resources"].values():
        code = resource["Properties"].get("Code") if resource["Type"] == "AWS::Lambda::Function" else None
        if isinstance(code, str):
            resource["Properties"]["Code"] = {"S3Bucket": "bucket", "S3Key": code}
    python = ROOT / ".venv-tools" / "bin" / "python"
    environ = {**os.environ, "AWS_DEFAULT_REGION": "us-east-1"}
    command = [str(python), "-c", TRANSLATE]
    return subprocess.run(command, input=json.dumps(template), env=environ, capture_output=True, text=True, check=False)


REPOSITORY = "https://github.com/you/skipscan"
BUCKET, TABLE = {"Parameters": ["CodeBucket", "CodeKey"]}, {"Parameters": ["Table"]}
FUNCTION, OTHER = {"Type": "AWS::Lambda::Function"}, {"Type": "AWS::S3::Bucket", "Properties": {"Code": "kept"}}
PACKAGED = {
    "Parameters": {"CodeBucket": 1, "CodeKey": 2, "Table": 3},
    "Metadata": {"AWS::CloudFormation::Interface": {"ParameterGroups": [BUCKET, TABLE]}},
    "Resources": {"F": {**FUNCTION, "Properties": {"Code": {"S3Bucket": "b"}, "Timeout": 9}}, "B": OTHER},
}


def test_the_template_of_the_serverless_repository_takes_the_zip_beside_it_and_says_what_it_is() -> None:
    before = copy.deepcopy(PACKAGED)
    assert release.serverless_template(PACKAGED, "skipscan-1.zip", REPOSITORY) == {
        "Parameters": {"Table": 3},
        "Metadata": {
            "AWS::CloudFormation::Interface": {"ParameterGroups": [TABLE]},
            "AWS::ServerlessRepo::Application": {
                "Name": "skipscan",
                "Description": "The distinct partition keys of a DynamoDB table for a fraction of a full scan's price",
                "Author": "The Skipscan maintainers",
                "SpdxLicenseId": "Apache-2.0",
                "LicenseUrl": f"{REPOSITORY}/blob/v{VERSION}/LICENSE",
                "Labels": ["dynamodb", "step-functions", "partition-key"],
                "HomePageUrl": REPOSITORY,
                "SemanticVersion": VERSION,
                "SourceCodeUrl": f"{REPOSITORY}/tree/v{VERSION}",
            },
        },
        "Resources": {"F": {**FUNCTION, "Properties": {"Code": "skipscan-1.zip", "Timeout": 9}}, "B": OTHER},
        "Transform": "AWS::Serverless-2016-10-31",
    }
    assert before == PACKAGED


@pytest.mark.long
@pytest.mark.xdist_group("synth")
def test_sam_accepts_the_template_of_the_serverless_application_repository(tmp_path: Path) -> None:
    package(None, tmp_path / "package")
    packaged = json.loads((tmp_path / "package" / "skipscan.template.json").read_text())
    template = release.serverless_template(packaged, "skipscan-1.zip", REPOSITORY)
    assert "CodeBucket" not in json.dumps(template)
    done = translated(copy.deepcopy(template))
    assert (done.returncode, done.stdout.strip()) == (0, str(len(packaged["Resources"]))), done.stderr
    template["Resources"]["Wrong"] = {"Type": "AWS::Serverless::Function", "Properties": {"Runtime": 1}}
    assert translated(template).returncode != 0


@pytest.mark.long
@pytest.mark.xdist_group("installed")
def test_two_builds_have_the_same_bytes_and_the_checksums_of_all_files(tmp_path: Path) -> None:
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
        (folder / "earlier.zip").write_text("of another version")
        release.build(folder, f"{REPOSITORY}/", None)
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders)
    assert first == second
    sums = dict(line.split("  ")[::-1] for line in first.pop("SHA256SUMS").decode().splitlines())
    notes = first.pop("NOTES.md").decode()
    assert notes == release.check(None, (ROOT / "CHANGELOG.md").read_text())
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in first.items()}
    built, lock = f"skipscan-{VERSION}-py3-none-any.whl", "requirements-command.txt"
    template = json.loads(first["skipscan.template.json"])
    zip = template["Parameters"]["CodeKey"]["Default"]
    assert first.keys() == {
        *(built, lock, "skipscan.rb", "PACKAGE.md", zip, "skipscan.template.json"),
        *("serverless-repository.template.json", "skipscan-command.cdx.json", "skipscan-functions.cdx.json"),
    }
    assert json.loads(first["serverless-repository.template.json"]) == release.serverless_template(
        template, zip, REPOSITORY
    )
    for name, parts in (("functions", {"aws-lambda-powertools"}), ("command", {"boto3", "click", "rich"})):
        assert parts <= {part["name"] for part in json.loads(first[f"skipscan-{name}.cdx.json"])["components"]}
    formula = first["skipscan.rb"].decode()
    assert formula.startswith("class Skipscan < Formula\n")
    urls = [f"{REPOSITORY}/releases/download/v{VERSION}/{name}" for name in (built, lock)]
    assert re.findall(r'^ +(?:homepage|url) "(.*)"$', formula, re.MULTILINE) == [REPOSITORY, *urls]
    assert re.findall(r'^ +sha256 "(.*)"$', formula, re.MULTILINE) == [sums[built], sums[lock]]
