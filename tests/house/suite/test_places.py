"""A test that says what it brings a place of the product to fails unless the product did that."""

import pytest

from tests.house.suite import places

pytestmark = pytest.mark.slow

TESTS = """
import time
import pytest
from skipscan.aws.table import first_items
from types import SimpleNamespace
from verify import kit
from verify.kit import Kit
from botocore.exceptions import ClientError

FIRST = pytest.mark.second_page("skipscan.aws.table:first_items")
LOAD = "verify.kit:Kit.load.put"

class Table:
    def __init__(self, *pages):
        self.pages = list(pages)
    def query(self, **asked):
        return self.pages.pop(0)

PAGE = {"Items": [], "ConsumedCapacity": {"CapacityUnits": 0.5}}

def read(*pages):
    return first_items(Table(*pages), 1, lambda units: None, TableName="Orders")

@FIRST
def test_two_pages():
    read({**PAGE, "LastEvaluatedKey": {"id": {"S": "a"}}}, PAGE)

@FIRST
def test_one_page():
    read(PAGE)

class Busy:
    exceptions = SimpleNamespace(ProvisionedThroughputExceededException=ClientError)
    def __init__(self, busy):
        self.busy = busy
    def batch_write_item(self, **asked):
        self.busy -= 1
        if self.busy >= 0:
            raise ClientError({"Error": {"Code": "ProvisionedThroughputExceededException"}}, "BatchWriteItem")
        return {}

def load(busy):
    session = SimpleNamespace(client=lambda service, **asked: Busy(busy))
    Kit(session, None, "launch").load("Orders", [{}])

@pytest.mark.asked_again(LOAD)
def test_refused(monkeypatch):
    monkeypatch.setattr(kit.time, "sleep", lambda seconds: None)
    load(1)

@pytest.mark.asked_again(LOAD)
def test_not_refused():
    load(0)

@pytest.mark.waits(LOAD)
def test_clock(monkeypatch):
    test_refused(monkeypatch)

@pytest.mark.waits(LOAD)
def test_no_clock():
    load(1)

@pytest.mark.waits(LOAD)
def test_no_wait():
    test_not_refused()
"""


def test_a_test_fails_unless_the_product_did_what_its_mark_says(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess("-rf", "-p", "no:randomly", plugins=[places])
    done.assert_outcomes(passed=3, failed=4)
    done.stdout.fnmatch_lines_random(
        [f"*FAILED*::{name}*" for name in ("test_one_page", "test_not_refused", "test_no_clock", "test_no_wait")]
    )
