"""A release is built from a tag that fits its sources, and equal sources give equal files."""

import copy
import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
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


@dataclass
class Tools:
    """What a release takes long for: the wheel, the package and the bills of materials, each as a short text."""

    commands: list[list[str]] = field(default_factory=list)

    def wheel(self, folder: Path, repository: str) -> Path:
        (ROOT / "build").mkdir(exist_ok=True)
        built = folder / f"skipscan-{VERSION}-py3-none-any.whl"
        built.write_text(f"wheel of {repository}")
        return built

    def package(self, environment: None, folder: Path) -> None:
        assert environment is None
        files = {"README.md": "guide", "skipscan.template.json": json.dumps(PACKAGED), "skipscan-1.zip": "zip"}
        for name, content in files.items():
            (folder / name).write_text(content)

    def run(self, command: list[str], *, cwd: Path, check: bool) -> None:
        assert (cwd, check) == (ROOT, True)
        *begin, output, lock = command
        Path(output.removeprefix("--output-file=")).write_text(f"SBOM of {Path(lock).relative_to(ROOT)}")
        self.commands.append(begin)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    tools = Tools()
    monkeypatch.setattr(wheel, "build", tools.wheel)
    monkeypatch.setattr(release, "package", tools.package)
    monkeypatch.setattr(subprocess, "run", tools.run)
    return tools


def test_a_release_has_these_files_and_no_earlier_one(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "earlier.zip").write_text("of another version")
    release.build(tmp_path, f"{REPOSITORY}/", None)
    built, lock = f"skipscan-{VERSION}-py3-none-any.whl", (ROOT / "requirements/command.txt").read_text()
    found = {file.name: file.read_text() for file in tmp_path.iterdir()}
    formula, sums = found.pop("skipscan.rb"), found.pop("SHA256SUMS")
    assert json.loads(found.pop("serverless-repository.template.json")) == release.serverless_template(
        PACKAGED, "skipscan-1.zip", REPOSITORY
    )
    assert found == {
        built: f"wheel of {REPOSITORY}/",
        "PACKAGE.md": "guide",
        "skipscan.template.json": json.dumps(PACKAGED),
        "skipscan-1.zip": "zip",
        "requirements-command.txt": lock,
        "skipscan-command.cdx.json": f"SBOM of {Path('requirements', 'command.txt')}",
        "skipscan-functions.cdx.json": f"SBOM of {Path('lambdas', 'requirements.txt')}",
        "NOTES.md": release.check(None, (ROOT / "CHANGELOG.md").read_text()),
    }
    assert {name for *_, name in map(str.split, sums.splitlines())} == {*found, "skipscan.rb"} - {"NOTES.md"} | {
        "serverless-repository.template.json"
    }
    assert formula.startswith("class Skipscan < Formula\n")
    urls = [f"{REPOSITORY}/releases/download/v{VERSION}/{name}" for name in (built, "requirements-command.txt")]
    assert re.findall(r'^ +(?:homepage|url) "(.*)"$', formula, re.MULTILINE) == [REPOSITORY, *urls]
    contents = (found[built], lock)
    assert re.findall(r'^ +sha256 "(.*)"$', formula, re.MULTILINE) == [
        hashlib.sha256(content.encode()).hexdigest() for content in contents
    ]
    options = ["--pyproject=pyproject.toml", "--mc-type=application", "--spec-version=1.6", "--output-reproducible"]
    assert tools.commands == [[str(ROOT / ".venv-tools/bin/cyclonedx-py"), "requirements", *options]] * 2


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
        release.build(folder, REPOSITORY, None)
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders)
    assert first == second
    sums = dict(line.split("  ")[::-1] for line in first[release.CHECKSUMS].decode().splitlines())
    assert sums == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in first.items()
        if name not in {release.CHECKSUMS, release.NOTES}
    }
    functions = json.loads(first["skipscan-functions.cdx.json"])["components"]
    command = json.loads(first["skipscan-command.cdx.json"])["components"]
    assert "aws-lambda-powertools" in {part["name"] for part in functions}
    assert {"boto3", "click", "rich"} <= {part["name"] for part in command}
    assert sums["requirements-command.txt"] in first["skipscan.rb"].decode()
