"""A key that keeps changing is left to the next delivery after some writes, so that it cannot hold up the others."""

from skipscan.copy.reconciling import Ending, reconcile
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Get, Write, do_steps
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item


def test_a_key_that_changes_all_the_while_is_given_up_after_five_writes() -> None:
    writes: list[Write] = []

    def do(step: Get | Write) -> object:
        if isinstance(step, Write):
            writes.append(step)
            return WRITTEN
        found: Item = item("1", a=str(len(writes)), b="y") if step.table == "arn:source" else item("1", a="another's")
        return found

    assert do_steps(reconcile(copy_plan().replica, item("1")), do) is Ending.CONTENDED
    assert len(writes) == 5
    assert writes[0] == Write("arn:target", item("1"), put=item("1", a="0", b="y", made="0-y"))
