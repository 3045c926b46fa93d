"""A copy looks at what invokes its replicator."""

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.replica import Replica
from skipscan.copy.replicator_requests import check_on
from skipscan.errors import TableError
from tests.fakes.services import Mappings
from tests.refusal import refused

OLD, NEW = "Audit", "Audit-2"
STREAM = "arn:aws:dynamodb:eu-west-1:000000000000:table/Audit/stream/2026"
REPLICA = Replica(OLD, NEW, STREAM, "https://queue")
MAPPINGS = "mapping-1", "mapping-2"


@pytest.mark.parametrize("states", [("Enabled", "Enabled"), ("Creating", "Enabling"), ("Updating", "Enabled")])
def test_a_replicator_that_is_on_or_becomes_so_is_no_reason_to_refuse(states: tuple[str, ...]) -> None:
    check_on(Mappings(*states), REPLICA, MAPPINGS)


@pytest.mark.parametrize("states", [("Disabled", "Enabled"), ("Enabled", "Disabling"), ("Disabled", "Disabling")])
def test_a_copy_whose_replicator_is_off_is_refused_with_the_commands_that_switch_it_on(states: tuple[str, str]) -> None:
    commands = " and ".join(
        f"`aws lambda update-event-source-mapping --uuid {each} --enabled --region eu-west-1`"
        for each, state in zip(MAPPINGS, states, strict=True)
        if state != "Enabled"
    )
    way = rf'^a copy .*"Audit-2".* {commands}, and'
    with refused(TableError, "table", "Audit", "compare_only", rule="switched off", way=way):
        check_on(Mappings(*states), REPLICA, MAPPINGS)


@pytest.mark.parametrize("states", [("Disabled",), ("Enabled", "Deleting")])
def test_a_mapping_that_was_deleted_is_named_as_that(states: tuple[str, ...]) -> None:
    with refused(TableError, "table", "Audit", rule="was deleted"):
        check_on(Mappings(*states), REPLICA, MAPPINGS)


@pytest.mark.parametrize("code", ["TooManyRequestsException", "AccessDeniedException", "ServiceException"])
def test_without_an_answer_nothing_starts(code: str) -> None:
    with pytest.raises(ClientError):
        check_on(Mappings("Enabled", code=code), REPLICA, MAPPINGS)
