"""When the check of the alarm says that it turned; no run fails on the embedded engine."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from verify.checks.runs import alarm
from verify.errors import NotHeldError, NotTriedError

STARTED = datetime(2026, 1, 1, tzinfo=UTC)
ALARM = "skipscan-dev-failed"


class Kit:
    """The kit after a run that failed, with this state of the environment's alarm."""

    deployment = SimpleNamespace(machines={"run": "arn:aws:states:us-east-1:111111111111:stateMachine:skipscan-dev"})
    patience_seconds = 1.0

    def __init__(self, *alarms: dict[str, Any]) -> None:
        self._alarms = list(alarms)

    def once(self, what: str, make: object) -> Any:
        assert what == "failed run"
        return SimpleNamespace(started=STARTED)

    def client(self, service: str) -> Any:
        assert service == "cloudwatch"
        return self

    def describe_alarms(self, *, AlarmNames: list[str]) -> Any:  # noqa: N803 (theirs)
        assert AlarmNames == [ALARM]
        return {"MetricAlarms": self._alarms}

    def until(self, what: str, look: Any, *, seconds: float) -> Any:
        if (found := look()) is None:
            raise NotTriedError(f"{what} did not come within {seconds:.0f} s")
        return found


def tried(*alarms: dict[str, Any]) -> str:
    kit: Any = Kit(*alarms)
    return alarm(kit)


def test_an_alarm_that_turned_after_the_run_began_holds_also_if_it_is_back() -> None:
    for state in ("ALARM", "OK"):
        changed = STARTED + timedelta(minutes=2)
        assert state in tried({"StateValue": state, "StateTransitionedTimestamp": changed})


@pytest.mark.parametrize("changed", [{}, {"StateTransitionedTimestamp": STARTED - timedelta(days=1)}])
def test_an_alarm_that_has_not_turned_since_is_wrong(changed: dict[str, Any]) -> None:
    with pytest.raises(NotHeldError, match=f"a change of {ALARM} did not come"):
        tried({"StateValue": "OK", **changed})


def test_an_environment_without_the_alarm_shows_nothing() -> None:
    with pytest.raises(NotTriedError, match="has no alarm"):
        tried()
