"""The real CDK command line, pointed at the embedded AWS.

It runs in a folder whose `cdk.json` names the app and the environments, says nothing while all goes well,
and leaves its log in `build/log/`. Its caches stay below `build/` too. The library that jsii needs, 150 MB unpacked, is
kept in `build/jsii` where the tests put it, and otherwise removed after the deployment.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from local import jsii_cache
from local.checkout import ACCOUNT, BUILD, NODE, NODE_MODULES, REGION, ROOT, environ
from local.leash import leashed

PROGRAM = NODE_MODULES / "aws-cdk" / "bin" / "cdk"
LOGS = BUILD / "log"


class CdkError(Exception):
    """A CDK command that failed. The text is everything it printed."""


def bootstrap(endpoint: str) -> None:
    """Makes the account at `endpoint` ready for deployments; again is harmless."""
    # In a folder without a cdk.json: bootstrapping needs no app, but would synthesise one it finds.
    _run("bootstrap", f"aws://{ACCOUNT}/{REGION}", endpoint=endpoint, folder=BUILD)


def deploy(environment: str, *, endpoint: str, folder: Path | None = None) -> Mapping[str, str]:
    """The outputs of the stack of `environment`, once deployed at `endpoint` from the `cdk.json` in `folder`.

    Without a folder, the environment is that of this checkout's `cdk.json`, and no other is synthesised beside it.
    """
    if folder is None:
        settings = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))
        with TemporaryDirectory(dir=BUILD, prefix="cdk-app-") as alone:
            write_app(Path(alone), {environment: settings["context"]["environments"][environment]})
            return deploy(environment, endpoint=endpoint, folder=Path(alone))
    stack = f"skipscan-{environment}"
    outputs = LOGS / f"cdk-outputs-{urlsplit(endpoint).port}.json"
    outputs.unlink(missing_ok=True)
    _run("deploy", stack, "--require-approval=never", f"--outputs-file={outputs}", endpoint=endpoint, folder=folder)
    values: dict[str, str] = json.loads(outputs.read_text()).get(stack, {})
    return values


def write_app(folder: Path, environments: Mapping[str, object]) -> None:
    """Write into `folder` this checkout's `cdk.json`, with these environments in place of its own."""
    settings = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))
    settings["app"] = f"{sys.executable} {ROOT / 'app.py'}"
    settings["context"]["environments"] = environments
    (folder / "cdk.json").write_text(json.dumps(settings), encoding="utf-8")


def template(folder: Path, environment: str) -> dict[str, Any]:
    """Return the template that a deployment of `environment` from `folder` was synthesised to."""
    output = json.loads((folder / "cdk.json").read_text(encoding="utf-8"))["output"]
    found: dict[str, Any] = json.loads((folder / output / f"skipscan-{environment}.template.json").read_text())
    return found


PACKAGE = "import sys; from pathlib import Path; from infra.package import package; package(None, Path(sys.argv[1]))"


def package(folder: Path) -> None:
    """Write into `folder` what a wheel brings along for `skipscan deploy`: template, zip and policies."""
    log = LOGS / f"package-{folder.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    _leashed([sys.executable, "-c", PACKAGE, str(folder)], environ(**SYNTHESIS), "package", log, ROOT)
    shutil.copytree(ROOT / "docs" / "policies", folder / "policies")


SYNTHESIS = {
    "JSII_NODE": str(NODE),
    "NODE_OPTIONS": "--max-semi-space-size=64",  # MB; half as much garbage collection
}


def _run(command: str, *arguments: str, endpoint: str, folder: Path) -> None:
    log = LOGS / f"cdk-{command}-{urlsplit(endpoint).port}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    variables = environ(
        AWS_ENDPOINT_URL=endpoint,
        CDK_HOME=str(BUILD / "cdk"),
        CDK_DISABLE_CLI_TELEMETRY="true",
        CDK_DISABLE_VERSION_CHECK="true",
        CDK_VALIDATION="false",  # two thirds of the synthesis; tests/infra/test_rules.py validates the templates
        **SYNTHESIS,
    )
    program = [str(NODE), str(PROGRAM), command, *arguments, "--progress=events", "--no-notices", "--no-color"]
    _leashed(program, variables, command, log, folder)


def _leashed(program: Sequence[str], variables: dict[str, str], command: str, log: Path, folder: Path) -> None:
    # jsii unpacks a library for each run if it keeps none, and does not always remove all of it.
    with TemporaryDirectory(dir=variables["TMPDIR"], prefix="cdk-") as scratch, log.open("wb") as output:
        variables["TMPDIR"] = scratch
        kept = BUILD / "jsii"
        variables["JSII_RUNTIME_PACKAGE_CACHE_ROOT"] = str(kept if kept.exists() else Path(scratch, "jsii"))
        if command != "bootstrap":
            jsii_cache.fill(Path(variables["JSII_RUNTIME_PACKAGE_CACHE_ROOT"]))
        with leashed(program, environ=variables, folder=folder, output=output) as process:
            status = process.wait()
    if status:
        raise CdkError(f"{command} ended with status {status}:\n{log.read_text(errors='replace')}")
