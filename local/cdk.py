"""The real CDK command line, pointed at the embedded AWS.

It runs in the folder whose `cdk.json` names the app and the environments, says nothing while all goes well,
and leaves its log in `build/log/`. Its caches, and jsii's, stay below `build/` too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

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


def deploy(environment: str, *, endpoint: str, folder: Path = ROOT) -> Mapping[str, str]:
    """The outputs of the stack of `environment`, once deployed at `endpoint` from the `cdk.json` in `folder`."""
    stack = f"skipscan-{environment}"
    outputs = LOGS / f"cdk-outputs-{urlsplit(endpoint).port}.json"
    outputs.unlink(missing_ok=True)
    _run("deploy", stack, "--require-approval=never", f"--outputs-file={outputs}", endpoint=endpoint, folder=folder)
    values: dict[str, str] = json.loads(outputs.read_text()).get(stack, {})
    return values


def _run(command: str, *arguments: str, endpoint: str, folder: Path) -> None:
    log = LOGS / f"cdk-{command}-{urlsplit(endpoint).port}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    variables = environ(
        AWS_ENDPOINT_URL=endpoint,
        CDK_HOME=str(BUILD / "cdk"),
        CDK_DISABLE_CLI_TELEMETRY="true",
        CDK_DISABLE_VERSION_CHECK="true",
        JSII_NODE=str(NODE),
        JSII_RUNTIME_PACKAGE_CACHE_ROOT=str(BUILD / "jsii"),
    )
    program = [str(NODE), str(PROGRAM), command, *arguments, "--progress=events", "--no-notices", "--no-color"]
    with log.open("wb") as output, leashed(program, environ=variables, folder=folder, output=output) as process:
        status = process.wait()
    if status:
        raise CdkError(f"cdk {command} ended with status {status}:\n{log.read_text(errors='replace')}")
