"""The definitions of all state machines, as CloudFormation would hand them to Step Functions."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.infra.template import Template

ACCOUNT, REGION = "123456789012", "us-east-1"  # moto's own
TOPIC = f"arn:aws:sns:{REGION}:{ACCOUNT}:runs"
TAKEN = {"full": ("run",), "company": ("act", "retrofit", "copy")}
"""The kinds of work whose machine is taken from an environment's template. The run of `full` is announced."""

Definitions = Mapping[str, Any]
"""By the kind of work: `run`, `act`, `retrofit`, `copy`."""


@pytest.fixture(scope="session")
def definitions(templates: Mapping[str, Template]) -> Definitions:
    """Return the definitions; a function has its state's name, and everything is in one account and region."""
    return {
        kind: _definition(templates[environment], environment, "" if kind == "run" else f"-{kind}")
        for environment, kinds in TAKEN.items()
        for kind in kinds
    }


def _definition(template: Template, environment: str, suffix: str) -> Any:
    name = f"skipscan-{environment}"
    machine = template.the("AWS::StepFunctions::StateMachine", StateMachineName=f"{name}{suffix}")
    separator, parts = machine["DefinitionString"]["Fn::Join"]
    text = separator.join(part if isinstance(part, str) else _text(template, name, part) for part in parts)
    for theirs, here in (("111111111111", ACCOUNT), ("222222222222", ACCOUNT), ("eu-central-1", REGION)):
        text = text.replace(theirs, here)
    return json.loads(text)


def _text(template: Template, name: str, part: Any) -> str:
    text = template.text(part)
    function, _, version = text.removeprefix(f"{name}-").partition(":")
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function}:{version}" if version else text
