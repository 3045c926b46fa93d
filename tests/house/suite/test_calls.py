"""A test whose process makes a call that AWS would refuse fails, by whichever client it is made."""

from types import SimpleNamespace

import pytest

from tests.house.suite import calls
from tests.unit.handlers.conftest import SESSION

pytestmark = pytest.mark.slow

CALLS = """
import pytest
from tests.unit.handlers.conftest import SESSION
from moto import mock_aws

@pytest.fixture
def s3():
    with mock_aws():
        yield SESSION.client("s3")

def test_right(s3):
    s3.create_bucket(Bucket="results")

def test_wrong(s3):
    s3.create_bucket(Bucket="results")
    s3.put_object(Bucket="results", Key="a", Metadata={"a": "x" * 3000})

@pytest.mark.refused_by_aws
def test_wrong_on_purpose(s3):
    test_wrong(s3)
"""


@pytest.mark.refused_by_aws
def test_a_call_that_aws_would_refuse_fails_its_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(CALLS)
    done = pytester.runpytest_inprocess("-p", "no:randomly", plugins=[calls])
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["*('PutObject', 'Metadata has more than 2 KB')*"])


@pytest.mark.refused_by_aws
def test_the_lean_client_s_calls_are_checked() -> None:
    client = SimpleNamespace(_client=SESSION.client("dynamodb"))
    exchange = calls.exchanging(lambda *asked: "raw")
    calls.FOUND.clear()
    assert exchange(client, None, {"TableName": "Orders", "Limit": 1}, "Scan") == "raw"
    assert not calls.FOUND
    assert exchange(client, None, {"TableName": "Orders", "Limit": 0}, "Scan") == "raw"
    assert [operation for operation, *_ in calls.FOUND] == ["Scan"]
