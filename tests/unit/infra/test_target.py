"""The message of `make deploy ENV=…` for an environment that does not exist."""

import json

import pytest

from infra.section import CdkJsonError
from infra.target import target
from local.checkout import ROOT
from tests.refusal import failed
from tests.simulation.inputs.refusal import subject

pytestmark = pytest.mark.slow

TEXT = (ROOT / "cdk.json").read_text()


def test_an_environment_is_deployed_where_cdk_json_says() -> None:
    assert target("dev", TEXT) == "aws://111111111111/us-east-1"


@pytest.mark.parametrize("name", ["", "Dev", "dev ", "../dev", "d\u0435v", "--all", "*", "x" * 5000])
def test_an_unknown_environment_is_refused_with_the_known_ones(name: str) -> None:
    with failed(CdkJsonError, "dev, prod, local: ") as caught:
        target(name, TEXT)
    assert subject(str(caught.value)) == "ENV"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"context": 5}', json.dumps({"context": {"a": 1}})])
def test_an_unreadable_cdk_json_is_reported(text: str) -> None:
    with failed(CdkJsonError, "cdk.json") as caught:
        target("dev", text)
    assert subject(str(caught.value)) in {"cdk.json", "context.environments"}


@pytest.mark.parametrize("name", ["dev", "tables"])
def test_a_name_that_is_there_twice_is_refused(name: str) -> None:
    twice = TEXT.replace(f'"{name}":', f'"{name}": 1, "{name}":', 1)
    with failed(CdkJsonError, f'"{name}"', "twice"):
        target("dev", twice)
