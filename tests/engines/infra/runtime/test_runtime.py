"""The zip's functions under AWS's own runtime interface client: each starts, and errors keep their class's name."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.bundle import ROOT, bundle
from skipscan.errors import InputError
from tests.engines.infra.runtime.runtime_api import SECONDS, deployed
from tests.engines.infra.template import Template
from tests.fakes.handlers.machines import machines

pytest.importorskip("awslambdaric", reason="the runtime interface client has wheels for Linux alone")
pytestmark = [pytest.mark.xdist_group("synth"), pytest.mark.timeout(SECONDS, func_only=True)]

SAMPLE = {"plan", "scan"}
PLANS = {"plan", "plan_act", "plan_retrofit", "plan_copy"}
FOLLOWERS = {"keeper", "keep_attribute", "replicator"}
NAMES = sorted(machines(ROOT / "lambdas/handlers"))
STATES = [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.long) for name in NAMES]


@pytest.fixture(scope="module")
def zip_folder(assembly: Path) -> Path:
    """What the zip of every function holds."""
    return bundle(ROOT / "lambdas", ROOT / "build")


def handler_and_variables(templates: Mapping[str, Template], state: str) -> tuple[str, dict[str, str]]:
    """Return a function's configuration in the stack, from the first environment that has it."""
    for template in templates.values():
        for function in template.every("AWS::Lambda::Function"):
            if function["Handler"].endswith(f".{state}"):
                variables = template.spelled(function["Environment"]["Variables"])
                return function["Handler"], {name: str(value) for name, value in variables.items()}
    raise LookupError(state)


@pytest.mark.parametrize("state", STATES)
def test_a_function_of_the_zip_starts_and_names_its_error(
    templates: Mapping[str, Template], zip_folder: Path, state: str
) -> None:
    handler, variables = handler_and_variables(templates, state)
    with deployed(zip_folder, handler, variables) as invoke:
        kind, answer = invoke({"nothing": "that a state machine hands on"})
        assert kind != "init", answer
        if state in PLANS:  # a mistake of the input is an answer, on which the machine fails
            assert (kind, answer["error"]) == ("response", InputError.__name__)
            return
        assert kind == "error", answer
        if state not in FOLLOWERS:
            assert answer["errorType"] == InputError.__name__
            assert "start an execution with an input like" in answer["errorMessage"]
        assert any(str(zip_folder.resolve()) in line for line in answer["stackTrace"])
        assert invoke({})[0] == "error"  # the process lives on
