"""A copy looks at what invokes its replicator, before anything else, unless it only compares."""

from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.planning import CopyPlanning
from skipscan.copy.replica import Replica
from skipscan.copy.replicator_requests import check_on
from skipscan.errors import TableError
from tests.fakes.services import Denied, Mappings
from tests.fakes.small_table import DESCRIPTION, settings_with
from tests.refusal import refused

OLD, NEW = "Audit", "Audit-2"
STREAM = "arn:aws:dynamodb:eu-west-1:000000000000:table/Audit/stream/2026"
REPLICA = Replica(OLD, NEW, STREAM, "https://queue")
DYNAMODB: Any = SimpleNamespace(
    meta=SimpleNamespace(region_name="us-east-1", endpoint_url="http://localhost"),
    describe_table=lambda TableName: {"Table": {**DESCRIPTION, "TableName": TableName}},  # noqa: N803 (boto3's)
)
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


class CalledError(Exception):
    """The check was made, or what comes after it."""


def planned(monkeypatch: pytest.MonkeyPatch, **document: Any) -> list[str]:
    """Return which of the two were reached: the check, and what comes after it."""
    reached: list[str] = []

    def target_of(*_: Any, **__: Any) -> Any:
        reached.append("target")
        raise CalledError

    monkeypatch.setattr("skipscan.copy.planning.target_of", target_of)
    with pytest.raises(CalledError):
        CopyPlanning.open(
            {"table": OLD, "to": NEW, **document},
            DYNAMODB,
            Denied(),
            settings_with(REPLICA),
            keys=Denied(),
            check_on=lambda replica: reached.append(f"check of {replica.source}"),
        )
    return reached


@pytest.mark.parametrize("document", [{}, {"dry_run": False}, {"create": True}])
def test_the_check_comes_before_a_table_is_created(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned(monkeypatch, **document) == [f"check of {OLD}", "target"]


@pytest.mark.parametrize("document", [{"compare_only": True, "dry_run": False}, {"resume": "it-may-only-compare"}])
def test_a_comparison_needs_no_replicator(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned(monkeypatch, **document) == ["target"]
