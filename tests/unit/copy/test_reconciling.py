"""A key that keeps changing is left to the next delivery after some writes, so that it cannot hold up the others."""

from skipscan.copy.reconciling import Ending, LookAt, PutTarget, Reconciling, Side
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item

KEY = item("1")


def test_a_key_that_changes_all_the_while_is_given_up_after_five_writes() -> None:
    work, writes = Reconciling(copy_plan().transform, KEY), 0
    while work.step is not None and writes < 100:
        match work.step:
            case LookAt(side=Side.SOURCE):
                work.found(item("1", a=str(writes), b="y"))
            case LookAt():
                work.found(item("1", a="of another writer"))
            case PutTarget():
                work.written()
                writes += 1
    assert (work.ending, writes) == (Ending.CONTENDED, 5)
