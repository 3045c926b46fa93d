"""An unexpected skip makes the test run fail."""

import pytest

from tests.house.suite import skips

pytestmark = pytest.mark.slow


def test_a_skip_that_is_not_expected_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        def test_skips(): pytest.skip("no engine here")

        @pytest.mark.skipif(True, reason="no network here")
        def test_is_marked(): ...

        @pytest.fixture
        def engine(): pytest.skip("no fixture here")

        def test_asks_for_what_is_skipped(engine): ...

        @pytest.mark.xfail(reason="a known deviation")
        def test_deviates(): assert False
    """)
    ran = pytester.runpytest_inprocess("-p", "no:randomly", plugins=[skips])
    ran.assert_outcomes(failed=1, errors=2, xfailed=1)
    ran.stdout.fnmatch_lines_random(
        ["skipped, *no engine here", "skipped, *no network here", "skipped, *no fixture here"]
    )
