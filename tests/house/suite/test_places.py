"""A test that says what it brings a place of the product to fails unless the product did that."""

import pytest

from tests.house.suite import places

pytestmark = pytest.mark.slow

TESTS = """
import time
import pytest
from skipscan.aws.table import first_items
from verify.removal import _once_free
from verify import removal
from botocore.exceptions import ClientError

FIRST = pytest.mark.second_page("skipscan.aws.table:first_items")
FREE = "verify.removal:_once_free"

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

class Lambda:
    def __init__(self, busy):
        self.busy = busy
    def delete_function(self):
        self.busy -= 1
        if self.busy >= 0:
            raise ClientError({"Error": {"Code": "ResourceInUseException"}}, "DeleteFunction")

@pytest.mark.asked_again(FREE)
def test_refused(monkeypatch):
    monkeypatch.setattr(removal.time, "sleep", lambda seconds: None)
    client = Lambda(1)
    _once_free(lambda: client.delete_function())

@pytest.mark.asked_again(FREE)
def test_not_refused():
    client = Lambda(0)
    _once_free(lambda: client.delete_function())

@pytest.mark.waits(FREE)
def test_clock(monkeypatch):
    test_refused(monkeypatch)

@pytest.mark.waits(FREE)
def test_no_clock():
    client = Lambda(1)
    _once_free(lambda: client.delete_function())

@pytest.mark.waits(FREE)
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
