"""MiniStack with additions that version 1.5.33 lacks. MiniStack's Python runs it: `python -P mended_ministack.py`.

Its CloudWatch has composite alarms, but its CloudFormation refuses AWS::CloudWatch::CompositeAlarm. Its Step Functions
ignores the MaxConcurrencyPath of a Distributed Map. At the first call of S3, it reads the models of all AWS services to
learn their signing names, which takes 5 s of CPU. This file gives it the names of the services instead. It unpacks a
function's zip for each process of the function, which then compiles it: here, functions with the same zip share a
folder. A stream that its CloudFormation makes has a label with a Z, which no label on AWS has. It imports nothing from
the checkout.
"""

import hashlib
import tempfile
import zipfile
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

import botocore.session
from ministack.app import main  # type: ignore[import-not-found]  # of another virtual environment
from ministack.core import lambda_runtime, responses, router  # type: ignore[import-not-found]
from ministack.services import cloudwatch, stepfunctions  # type: ignore[import-not-found]
from ministack.services.cloudformation import provisioners  # type: ignore[import-not-found]

TYPE = "AWS::CloudWatch::CompositeAlarm"
PATH = "MaxConcurrencyPath"


def create(_logical_id: str, properties: dict[str, Any], _stack: str) -> tuple[str, dict[str, str]]:
    """Return the alarm's name and attributes, in the form of Ref and GetAtt."""
    _parameters(cloudwatch._put_composite_alarm, properties)
    name = properties["AlarmName"]
    return name, {"Arn": cloudwatch._composite_alarms[name]["AlarmArn"]}


def update(
    _physical_id: str, _old: dict[str, Any], properties: dict[str, Any], stack: str
) -> tuple[str, dict[str, str]]:
    return create("", properties, stack)


def delete(physical_id: str, _properties: dict[str, Any]) -> None:
    _parameters(cloudwatch._delete_alarms, {"AlarmNames": [physical_id]})


def _parameters(operation: Any, parameters: dict[str, Any]) -> None:
    """Make a call of CloudWatch; raise `ValueError` with its refusal."""
    status, _, body = operation({}, parameters, False, True)
    if status >= 300:
        raise ValueError(str(body))


def bounded(run: Any) -> Any:
    """Return what runs a Distributed Map with as many children at once as its MaxConcurrencyPath says."""

    def run_bounded(state: dict[str, Any], raw_input: Any, effective: Any, *rest: Any) -> Any:
        if PATH in state:
            state = {**state, "MaxConcurrency": stepfunctions._resolve_path(state[PATH], effective)}
        return run(state, raw_input, effective, *rest)

    return run_bounded


class SharedZip(zipfile.ZipFile):
    """A zip that is unpacked once: further folders become links to the first, which keeps the compiled modules."""

    _unpacking = Lock()

    def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
        folder = Path(path or ".")
        if folder.name != "code":  # a layer
            return super().extractall(path, members, pwd)
        digest = hashlib.sha256(Path(str(self.filename)).read_bytes()).hexdigest()
        shared = Path(tempfile.gettempdir(), f"code-{digest}")
        with self._unpacking:
            if not shared.exists():
                unfinished = shared.with_suffix(".new")
                super().extractall(unfinished, members, pwd)
                unfinished.rename(shared)
        folder.rmdir()
        folder.symlink_to(shared)
        return None


if __name__ == "__main__":
    if TYPE in provisioners._RESOURCE_HANDLERS:
        raise SystemExit(f"MiniStack has {TYPE} now: start it without this file")
    provisioners._RESOURCE_HANDLERS[TYPE] = {"create": create, "update": update, "delete": delete}
    stepfunctions._run_distributed_map = bounded(stepfunctions._run_distributed_map)
    router._KNOWN_AWS_SERVICE_NAMES = frozenset(botocore.session.get_session().get_available_services())
    provisioners.now_iso = lambda: responses.now_iso().removesuffix("Z")
    lambda_runtime.zipfile = SimpleNamespace(**{**vars(zipfile), "ZipFile": SharedZip})
    main()
