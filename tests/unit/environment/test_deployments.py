"""Which environments are deployed, by their stacks."""

from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session

from skipscan.environment.executions import Deployment, environment_names, find_deployment
from skipscan.errors import InputError, NotFoundError
from tests.fakes.faulty import faulty
from tests.fakes.pages import paged
from tests.fakes.services import Stacks
from tests.refusal import refused
from tests.unit.environment.test_executions import MACHINE


def deployment(
    outputs: Mapping[str, str] | None, environment: str = "dev", code: str = "ValidationError"
) -> Deployment:
    stacks = Stacks("skipscan-dev", outputs, "eu-west-1")
    refusals = [code] if code != "ValidationError" else []
    return find_deployment(faulty(stacks, {"describe_stacks": refusals}, "cloudformation"), environment)


@pytest.mark.parametrize("outputs", [None, {}, {"StateMachineArn": MACHINE}, {"BucketName": "results"}])
def test_an_environment_without_its_stack_is_refused(outputs: Mapping[str, str] | None) -> None:
    way = "did you mean dev"
    with refused(NotFoundError, "env", "dev", rule="skipscan-dev in eu-west-1", way=way):
        deployment(outputs)
    with refused(NotFoundError, "env", "Dev", rule="skipscan-Dev in eu-west-1", way=way):
        deployment({}, "Dev")
    with refused(NotFoundError, "env", "prod", rule="deployed are dev", way="skipscan deploy --table TABLE"):
        deployment({}, "prod")


@pytest.mark.parametrize("name", ["", "a_b", "a" * 25, "dev/"])
def test_a_name_that_no_environment_can_have_is_refused_without_a_call(name: str) -> None:
    with refused(InputError, "env", name, rule="1 to 24"):
        deployment(None, name, "AccessDenied")


def test_another_error_of_cloudformation_is_no_missing_stack() -> None:
    with pytest.raises(ClientError):
        deployment(None, code="AccessDenied")


def test_environments_are_found_by_stacks_that_work_or_change_on_any_page_of_the_newest_thousand() -> None:
    shape: Any = get_session().get_service_model("cloudformation").shape_for("StackStatus")
    named = {f"skipscan-{number}": status for number, status in enumerate(shape.enum)}

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        stacks = [name for name, status in named.items() if status in asked["StackStatusFilter"]]
        others = ("other", "my-skipscan-dev", "skipscan-a_b", "skipscan-")
        return {"StackSummaries": [{"StackName": name} for name in (*others, *stacks)]}

    found = {named[f"skipscan-{name}"] for name in environment_names(paged("cloudformation", list_stacks=listed))}
    gone = ("CREATE_IN_PROGRESS", "CREATE_FAILED", "ROLLBACK_", "DELETE_", "REVIEW_IN_PROGRESS")
    assert found == {status for status in shape.enum if not status.startswith(gone)}
    many = faulty(None, {"list_stacks": [{"StackSummaries": [{"StackName": "skipscan-a"}] * 1_001}]}, "cloudformation")
    assert len(environment_names(many)) == 1_000
