"""The real CDK command line, with the embedded AWS as its target.

It runs in a folder whose `cdk.json` defines the app and the environments, prints nothing on success, and writes its log
to `build/log/`. Its caches stay below `build/` too. jsii's library, 150 MB unpacked, is kept in `build/jsii` where the
tests put it, and otherwise removed after the deployment.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from local import jsii_cache
from local.checkout import BUILD, NODE, NODE_MODULES, ROOT, environ
from local.leash import leashed

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

PROGRAM = NODE_MODULES / "aws-cdk" / "bin" / "cdk"
TOOLKIT = "CDKToolkit"
TOOLKIT_TEMPLATE = PROGRAM.parents[1] / "lib" / "api" / "bootstrap" / "bootstrap-template.yaml"
LOGS = BUILD / "log"


class CdkError(Exception):
    """A failed CDK command. The text is its whole output."""


@dataclass(frozen=True)
class Synthesis:
    """An environment of this checkout that is being synthesised, by `python -m local.synthesis`."""

    environment: str
    folder: Path
    process: subprocess.Popen[bytes]
    log: Path

    def wait(self) -> Path:
        """Return the finished cloud assembly; raise `CdkError` if the app failed."""
        if status := self.process.wait():
            raise CdkError(f"the CDK app ended with status {status}:\n{self.log.read_text(errors='replace')}")
        return self.folder


@contextmanager
def synthesising(environment: str) -> Iterator[Synthesis]:
    """Synthesise an environment of this checkout's `cdk.json` in the background; it is gone after the block."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=BUILD, prefix="cdk-synthesis-") as scratch:
        log, folder = LOGS / f"{Path(scratch).name}.log", Path(scratch, "cdk.out")
        temporary = Path(scratch, "tmp")
        temporary.mkdir()
        variables = _variables() | {"TMPDIR": str(temporary), "CDK_OUTDIR": str(folder)}
        variables |= {"JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(_jsii_root(temporary))}
        program = [sys.executable, "-m", "local.synthesis", environment]
        with log.open("wb") as output, leashed(program, environ=variables, folder=ROOT, output=output) as process:
            yield Synthesis(environment, folder, process, log)


def bootstrap(cloudformation: CloudFormationClient) -> None:
    """Create the stack of `cdk bootstrap` from the command line's own template, without the start of Node."""
    cloudformation.create_stack(
        StackName=TOOLKIT,
        TemplateBody=TOOLKIT_TEMPLATE.read_text(encoding="utf-8"),
        Parameters=[{"ParameterKey": "FileAssetsBucketKmsKeyId", "ParameterValue": "AWS_MANAGED_KEY"}],
        Capabilities=["CAPABILITY_NAMED_IAM"],
    )
    waiter = cloudformation.get_waiter("stack_create_complete")
    waiter.wait(StackName=TOOLKIT, WaiterConfig={"Delay": 1, "MaxAttempts": 600})


def deploy(environment: str, *, endpoint: str, folder: Path | Synthesis) -> Mapping[str, str]:
    """The outputs of the stack of `environment`, once deployed at `endpoint`.

    `folder`: where the `cdk.json` is, or a synthesis that is under way.
    """
    stack = f"skipscan-{environment}"
    outputs = LOGS / f"cdk-outputs-{urlsplit(endpoint).port}.json"
    outputs.unlink(missing_ok=True)
    arguments = [stack, "--require-approval=never", f"--outputs-file={outputs}"]
    if isinstance(folder, Synthesis):
        _run("deploy", *arguments, f"--app={folder.wait()}", endpoint=endpoint, folder=BUILD)
    else:
        _run("deploy", *arguments, endpoint=endpoint, folder=folder)
    values: dict[str, str] = json.loads(outputs.read_text()).get(stack, {})
    return values


def write_app(folder: Path, environments: Mapping[str, object]) -> None:
    """Write into `folder` this checkout's `cdk.json`, with these environments in place of its own."""
    settings = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))
    settings["app"] = shlex.join([sys.executable, str(ROOT / "app.py")])  # which the CDK hands to a shell
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
    _leashed([sys.executable, "-c", PACKAGE, str(folder)], _variables(), "package", log, ROOT)
    shutil.copytree(ROOT / "docs" / "policies", folder / "policies")


def _run(command: str, *arguments: str, endpoint: str, folder: Path) -> None:
    log = LOGS / f"cdk-{command}-{urlsplit(endpoint).port}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    variables = _variables() | {"AWS_ENDPOINT_URL": endpoint}
    program = [str(NODE), str(PROGRAM), command, *arguments, "--progress=events", "--no-notices", "--no-color"]
    _leashed(program, variables, f"cdk {command}", log, folder)


def _leashed(program: Sequence[str], variables: dict[str, str], command: str, log: Path, folder: Path) -> None:
    # jsii unpacks a library for each run if it keeps none, and does not always remove all of it.
    with TemporaryDirectory(dir=variables["TMPDIR"], prefix="cdk-") as scratch, log.open("wb") as output:
        root = _jsii_root(Path(scratch))
        variables |= {"TMPDIR": scratch, "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(root)}
        if folder != BUILD:  # where no app is
            jsii_cache.fill(root)
        with leashed(program, environ=variables, folder=folder, output=output) as process:
            status = process.wait()
    if status:
        raise CdkError(f"{command} ended with status {status}:\n{log.read_text(errors='replace')}")


def _jsii_root(scratch: Path) -> Path:
    kept = BUILD / "jsii"
    return kept if kept.exists() else scratch / "jsii"


def _variables() -> dict[str, str]:
    return environ(
        CDK_HOME=str(BUILD / "cdk"),
        CDK_DISABLE_CLI_TELEMETRY="true",
        CDK_DISABLE_VERSION_CHECK="true",
        CDK_VALIDATION="false",  # two thirds of the synthesis; tests/engines/infra/test_rules.py validates templates
        JSII_NODE=str(NODE),
        NODE_OPTIONS="--max-semi-space-size=64",  # MB; half as much garbage collection
    )
