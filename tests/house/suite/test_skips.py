"""An unexpected skip makes the test run fail."""

import pytest

from tests.house.suite import kinds, skips

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


@pytest.mark.parametrize("reason", skips.EXPECTED)
def test_a_skip_with_a_reason_that_is_named_stays_a_skip(pytester: pytest.Pytester, reason: str) -> None:
    pytester.makepyfile(f"import pytest\ndef test_skips(): pytest.skip({reason!r})")
    pytester.runpytest_inprocess("-p", "no:randomly", plugins=[skips]).assert_outcomes(skipped=1)


POSIX = """
import pytest

@pytest.mark.posix
def test_of_posix(): ...

def test_of_every_system(): ...
"""


@pytest.mark.parametrize(("is_posix", "ended"), [(True, {"passed": 2}), (False, {"passed": 1, "skipped": 1})])
def test_tests_that_need_posix_are_skipped_elsewhere(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, is_posix: bool, ended: dict[str, int]
) -> None:
    monkeypatch.setattr(kinds, "IS_POSIX", is_posix)
    monkeypatch.setitem(skips.EXPECTED, kinds.NO_POSIX, "as on Windows")
    pytester.makepyfile(POSIX)
    pytester.runpytest_inprocess("-p", "no:randomly", plugins=[kinds, skips]).assert_outcomes(**ended)


def test_nothing_is_skipped_for_want_of_posix_where_it_is_there() -> None:
    assert (kinds.NO_POSIX in skips.EXPECTED) is not kinds.IS_POSIX
