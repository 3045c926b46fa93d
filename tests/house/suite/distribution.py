"""Thousands of short tests are handed out to pytest-xdist's processes, and reported, for little.

Its own scheduler counts, after each test, all that the process has ever been given: for 5,000 tests 8 s of CPU. And it
sends, of each test that passes, three reports, of which the terminal shows one; with `--durations` or `--junit-xml`,
which show times of setup, it still does.
"""

from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped]
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]

IN_A_PROCESS = "WorkerInteractor"


class Groups(LoadGroupScheduling):  # type: ignore[misc]
    """Forgets what is done."""

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        test = self.registered_collections[node][item_index]
        given, group = self.assigned_work[node], self._split_scope(test)
        given[group][test] = True
        if all(given[group].values()):
            del given[group]
        self._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Groups | None:
    return Groups(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_sessionstart(session: pytest.Session) -> None:
    asked = session.config.option
    if not hasattr(session.config, "workerinput") or asked.durations or asked.xmlpath:
        return
    [sender] = [it for it in session.config.pluginmanager.get_plugins() if type(it).__name__ == IN_A_PROCESS]
    send = sender.sendevent

    def send_news(name: str, **said: Any) -> None:
        if is_news(name, said.get("data", {})):
            send(name, **said)

    sender.sendevent = send_news


def is_news(event: str, report: dict[str, Any]) -> bool:
    """Return whether the terminal shows anything of it. `report`: that of a test's setup, call or teardown."""
    is_expected = event == "testreport" and report["outcome"] == "passed" and report["when"] != "call"
    return event != "logstart" and not is_expected
