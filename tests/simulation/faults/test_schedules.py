"""Whatever goes wrong, each key is in the result once and all counts agree: random schedules, and chosen ones.

`make soak` runs many more.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.house.suite.examples import examples
from tests.simulation.faults.catalogue import Setting
from tests.simulation.faults.proof import prove
from tests.simulation.faults.run import run
from tests.simulation.faults.simulator import Simulator
from tests.simulation.faults.tampering import tampered
from tests.simulation.world.fault import SENT, Fault, FaultCounts
from tests.simulation.world.functions import functions

pytestmark = pytest.mark.slow


def check(schedules: int, seed: int, **setting: Any) -> None:
    """Run so many schedules, each of which is proved."""
    # Hypothesis does not count those that are like an earlier one, a fifth; they are run and proved as well.
    counts = run(examples(schedules), seed, **setting)
    assert counts.schedules >= examples(schedules)
    assert counts.faults.total() > examples(schedules)


def test_random_schedules_end_with_every_key_once() -> None:
    check(600, 0)


@pytest.mark.parametrize(("seed", "schedules"), [(10, 100), pytest.param(11, 150, marks=pytest.mark.long)])
def test_random_schedules_over_a_folder_end_with_every_key_once(
    seed: int, schedules: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)  # no machine loses its power here
    check(schedules, seed, storage="folder")


@pytest.mark.parametrize("seed", [20, pytest.param(21, marks=pytest.mark.long)])
def test_random_schedules_whose_states_are_all_too_long_end_with_every_key_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every turn continues from the checkpoint of the last committed batch."""
    monkeypatch.setattr("skipscan.loop.kind.STATE_BYTES", 0)
    check(100 if seed == 20 else 150, seed)


@pytest.mark.parametrize("table", ["Local", "Global"])
@pytest.mark.parametrize(("seed", "schedules"), [(30, 60), pytest.param(31, 100, marks=pytest.mark.long)])
def test_random_schedules_that_take_items_with_a_prefix_end_with_the_ends_of_every_collection(
    seed: int, schedules: int, table: str
) -> None:
    """By a Query for each key, which is lost, refused and repeated like a page, while others write."""
    check(schedules, seed, table=table, takes=True, within=True)


@pytest.mark.parametrize("table", ["Mixed", "Plain", "Global", "Local", "Unskippable"])
@pytest.mark.parametrize(("seed", "schedules"), [(40, 40), pytest.param(41, 150, marks=pytest.mark.long)])
def test_random_schedules_while_others_write_end_with_every_key_that_stayed(
    seed: int, schedules: int, table: str
) -> None:
    """Before any page, where it hurts: to the collection in which the page before has ended."""
    check(schedules, seed, table=table, is_busy=True)


TAKES: list[dict[str, Any]] = [{"counts": 0}, {"counts": 3}, {"collects": "ascending"}, {"collects": "descending"}]
GIVEN: list[dict[str, Any]] = [{**take, "only": True} for take in ({}, {"takes": True}, *TAKES)]
"""Of given keys alone, whose list is put and read while calls fail."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("take", [*TAKES, *GIVEN], ids=str)
@pytest.mark.parametrize(
    ("table", "within"), [("Mixed", False), ("Plain", False), ("Global", True), ("Local", True), ("Unskippable", False)]
)
@pytest.mark.parametrize(("seed", "schedules"), [(50, 15), pytest.param(51, 100, marks=pytest.mark.long)])
def test_random_schedules_end_with_the_number_or_the_items_of_every_collection(
    seed: int, schedules: int, table: str, within: bool, take: dict[str, Any]
) -> None:
    """Batches, crashes and used up budgets break off inside a collection, and go on there."""
    check(schedules, seed, table=table, within=within, **take)


@pytest.fixture
def begin() -> Callable[..., Simulator]:
    def begun(**setting: object) -> Simulator:
        return Simulator(Setting(**setting), FaultCounts())  # type: ignore[arg-type]

    return begun


@pytest.fixture(autouse=True)
def _simulated() -> object:
    with functions().simulated():
        yield


@pytest.mark.parametrize(
    "fault",
    [fault for fault in Fault if not fault.fits <= SENT],  # those happen to writers: see `tests.simulation.histories`
    ids=lambda fault: fault.name.lower(),
)
def test_every_fault_can_happen(fault: Fault, begin: Callable[..., Simulator]) -> None:
    """A fault that never meets a call would prove nothing."""
    simulated = begin(plan_calls=0)
    while not simulated.counts.faults[fault.value] and simulated.live:
        simulated.go_on(simulated.live[0], 0, fault)
    prove(simulated)
    assert simulated.counts.faults[fault.value]


def test_a_tampered_state_that_is_gone_on_from_ends_the_execution_and_the_run_can_be_resumed(
    begin: Callable[..., Simulator],
) -> None:
    simulated = begin(segments=2, batch_pages=2)
    execution = simulated.execution
    simulated.go_on(simulated.live[0])
    worker = execution.workers[0]
    execution.hand_in(worker, tampered(dict(worker.states[-1]), "segments forgotten"))
    while not execution.ended:
        simulated.go_on(simulated.live[0])
    assert execution.outcome is None
    output = simulated.resume()
    prove(simulated)
    assert output.outcome
    assert output.outcome["keys"] == 12
