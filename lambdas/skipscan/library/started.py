"""A run of a deployed environment, started from Python."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

import boto3

from skipscan.environment.status import Status
from skipscan.environment.watch import Watch, seconds_to_next_look
from skipscan.errors import BatchError
from skipscan.inputs.quantities import duration
from skipscan.library.deployed import Deployed
from skipscan.library.finished import Run
from skipscan.library.naming import new_name
from skipscan.listing.execution_input import parse


@dataclass(frozen=True)
class StartedRun:
    """A run under way, or ended. `name`: also of its execution."""

    name: str
    _deployed: Deployed
    _watch: Watch

    def status(self) -> Mapping[str, Any]:
        """Return the state and the figures now, as `skipscan status --json` prints them."""
        return self._watch.look().to_json()

    def wait(self, seconds: float | None = None) -> Run:
        """Return the finished run; raise `BatchError` with the state if it ended otherwise, `TimeoutError` too late.

        `seconds`: how long to wait at most.
        """
        begun = monotonic()
        while (status := self._watch.look()).state.is_under_way:
            waited = monotonic() - begun
            if seconds is not None and waited >= seconds:
                raise TimeoutError(f"run {self.name} is {status.state} after {duration(waited)}: call wait again")
            sleep(seconds_to_next_look(waited))
        return self._run(status)

    def _run(self, status: Status) -> Run:
        if status.manifest is None:
            table, env = self._deployed.table, self._deployed.env
            raise BatchError(
                f"run {self.name} is {status.state}: `skipscan status {table} {self.name} --env {env}` shows why, and "
                f"`skipscan resume {table} {self.name} --env {env}` goes on"
            )
        return Run(status.name, status.manifest, self._deployed.storage)


def start(
    table: str, *, env: str, name: str | None = None, session: boto3.Session | None = None, **options: Any
) -> StartedRun:
    """Start a run in a deployed environment and return it; `wait` on it for its keys.

    `options`: the fields of an execution's input. `name`: of the run; default: the time, and four random characters.
    Raises `InputError` before anything starts, `NotFoundError` without such an environment.
    """
    document = {"table": table, **options}
    parse(document)
    deployed = Deployed.of_session(env, table, session or boto3.Session())
    name = name or new_name()
    deployed.archive("run").results(name)  # refuse an invalid name before anything starts
    execution = deployed.machine("run").start(name, document)
    return StartedRun(name, deployed, deployed.started("run", name, execution))
