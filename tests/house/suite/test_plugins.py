"""Plugins of the suite that would fail in silence: each fails a test for a reason, or leaves a file of tests out."""

import pytest

from tests.house.suite import calls, kinds, skips

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("marks", "is_read"),
    [
        ("pytest.mark.slow", False),
        ("[pytest.mark.posix, pytest.mark.long]", False),
        ('pytest.mark.xdist_group("dynalite")', False),
        ('pytest.mark.xdist_group("moto")', True),
        ("pytest.mark.posix", True),
    ],
)
def test_only_a_file_that_is_left_out_as_a_whole_is_not_read(
    pytester: pytest.Pytester, marks: str, is_read: bool
) -> None:
    pytester.makepyfile(f"import pytest\npytestmark = {marks}\ndef test_it(): ...\nopen('read', 'w').close()")
    pytester.runpytest_inprocess("-m", "not engine and not slow and not long", plugins=[kinds])
    assert (pytester.path / "read").exists() == is_read
    pytester.runpytest_inprocess("-m", "not engine or slow", plugins=[kinds])
    assert (pytester.path / "read").exists()


def test_a_skip_that_is_not_expected_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        def test_skips(): pytest.skip("no engine here")

        @pytest.mark.skipif(True, reason="no network here")
        def test_is_marked(): ...

        @pytest.mark.xfail(reason="a known deviation")
        def test_deviates(): assert False
    """)
    ran = pytester.runpytest_inprocess("-p", "no:randomly", plugins=[skips])
    ran.assert_outcomes(failed=1, errors=1, xfailed=1)
    ran.stdout.fnmatch_lines_random(["skipped, *no engine here", "skipped, *no network here"])


CALLS = """
from moto import mock_aws
from tests.unit.handlers.conftest import SESSION

def put(**more):
    with mock_aws():
        s3 = SESSION.client("s3")
        s3.create_bucket(Bucket="results")
        s3.put_object(Bucket="results", Key="a", **more)

def test_right(): put()
def test_wrong(): put(Metadata={"a": "x" * 3000})
"""


@pytest.mark.refused_by_aws
def test_a_call_that_aws_would_refuse_fails_its_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(CALLS)
    done = pytester.runpytest_inprocess("-p", "no:randomly", plugins=[calls])
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*('PutObject', 'Metadata has more than 2 KB')*"])
