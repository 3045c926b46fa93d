"""`python -m infra.release --repository URL [--tag v1.2.3]`: all files of a release, in build/release.

The wheel, the package for the console, a software bill of materials (SBOM, in the form CycloneDX) of the command line
and one of the functions' zip, the section of the changelog, and the checksums. The same sources give the same bytes on
every machine: the release workflow builds twice and compares.
"""

import argparse
import copy
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import skipscan

from . import bundle, wheel
from .package import package, show_files
from .section import ending

FOLDER = bundle.ROOT / "build" / "release"
TOOLS = bundle.ROOT / ".venv-tools" / "bin"
COMMAND_LOCK = bundle.ROOT / "requirements" / "command.txt"
FORMULA = bundle.ROOT / "tools" / "packaging" / "skipscan.rb"
CODE = ("CodeBucket", "CodeKey")
"""The parameters of the packaged template that say where the zip is."""

SERVERLESS = "serverless-repository.template.json"
NOTES = "NOTES.md"
CHECKSUMS = "SHA256SUMS"


def build(folder: Path, repository: str, tag: str | None) -> None:
    """Write the files of a release. Replaces the folder. Raises `ValueError` before anything is built."""
    notes = check(tag, (bundle.ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    built = wheel.build(folder, repository)
    with TemporaryDirectory(dir=bundle.ROOT / "build") as scratch:
        package(None, Path(scratch))
        for file in sorted(Path(scratch).iterdir()):
            shutil.copy(file, folder / ("PACKAGE.md" if file.name == "README.md" else file.name))
    [zip] = folder.glob("*.zip")
    packaged = json.loads((folder / "skipscan.template.json").read_text(encoding="utf-8"))
    repository_template = serverless_template(packaged, zip.name, repository.rstrip("/"))
    (folder / SERVERLESS).write_text(json.dumps(repository_template, indent=1) + "\n", encoding="utf-8")
    shutil.copy(COMMAND_LOCK, folder / "requirements-command.txt")
    (folder / FORMULA.name).write_text(_formula(built, repository), encoding="utf-8")
    _sbom(COMMAND_LOCK, folder / "skipscan-command.cdx.json")
    _sbom(bundle.ROOT / "lambdas" / "requirements.txt", folder / "skipscan-functions.cdx.json")
    (folder / NOTES).write_text(notes, encoding="utf-8")
    # The notes become the release's text, not a file of it.
    sums = "".join(f"{_sha256(file)}  {file.name}\n" for file in sorted(folder.iterdir()) if file.name != NOTES)
    (folder / CHECKSUMS).write_text(sums, encoding="utf-8")


def check(tag: str | None, changelog: str) -> str:
    """Return the changelog's section of this version; raise `ValueError` if the tag or the changelog has another."""
    version = skipscan.__version__
    if tag is not None and tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, and the version of the sources is {version}: tag the commit v{version}")
    sections = (section.partition("\n") for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:])
    named = {title.partition(" - ")[0]: text.strip() for title, _, text in sections}
    if tag is not None and named.get("Unreleased"):
        raise ValueError('CHANGELOG.md has entries under "Unreleased": move them into the section of the version')
    if version not in named:
        raise ValueError(f"CHANGELOG.md has no section of {version}: close it first")
    return named[version] + "\n"


def serverless_template(packaged: Mapping[str, Any], zip: str, repository: str) -> dict[str, Any]:
    """Return the template for the Serverless Application Repository.

    `packaged`: the template for the console, which takes the code from a bucket. Here the zip lies beside the template,
    as `sam package` expects it.
    """
    template: dict[str, Any] = copy.deepcopy(dict(packaged))
    for name in CODE:
        del template["Parameters"][name]
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    groups[:] = [group for group in groups if not set(CODE) & set(group["Parameters"])]
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Function":
            resource["Properties"]["Code"] = zip
    template["Transform"] = "AWS::Serverless-2016-10-31"
    template["Metadata"]["AWS::ServerlessRepo::Application"] = {
        "Name": "skipscan",
        "Description": "The distinct partition keys of a DynamoDB table for a fraction of a full scan's price",
        "Author": "The Skipscan maintainers",
        "SpdxLicenseId": "Apache-2.0",
        "LicenseUrl": f"{repository}/blob/v{skipscan.__version__}/LICENSE",
        "Labels": ["dynamodb", "step-functions", "partition-key"],
        "HomePageUrl": repository,
        "SemanticVersion": skipscan.__version__,
        "SourceCodeUrl": f"{repository}/tree/v{skipscan.__version__}",
    }
    return template


def _formula(built: Path, repository: str) -> str:
    """Return the Homebrew formula of this release."""
    filled = {
        "REPOSITORY": repository.rstrip("/"),
        "VERSION": skipscan.__version__,
        "WHEEL_SHA256": _sha256(built),
        "LOCK_SHA256": _sha256(COMMAND_LOCK),
    }
    text = FORMULA.read_text(encoding="utf-8").split("\n", 1)[1]  # without the line about filling in
    return re.sub("|".join(filled), lambda name: filled[name[0]], text)


def _sbom(lock: Path, sbom: Path) -> None:
    options = ["--pyproject=pyproject.toml", "--mc-type=application", "--spec-version=1.6", "--output-reproducible"]
    command = [str(TOOLS / "cyclonedx-py"), "requirements", *options, f"--output-file={sbom}", str(lock)]
    subprocess.run(command, cwd=bundle.ROOT, check=True)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m infra.release", description="Build all files of a release.")
    parser.add_argument("--repository", required=True, help="the URL of the sources: https://github.com/you/skipscan")
    parser.add_argument("--tag", default="", help="the tag of the release; without one only build")
    given = parser.parse_args()
    with ending(ValueError):
        build(FOLDER, given.repository, given.tag or None)
    show_files(FOLDER)
