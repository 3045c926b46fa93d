"""Every status of a stack, by botocore's model of CloudFormation."""

from typing import Any

from botocore.session import get_session


def stack_statuses() -> tuple[str, ...]:
    shape: Any = get_session().get_service_model("cloudformation").shape_for("StackStatus")
    return tuple(shape.enum)
