"""The kinds of tests, and the order in which tests/house/suite/kinds.py hands them out."""

import pytest

from tests.house.suite import kinds

pytestmark = pytest.mark.slow

TESTS = """
import pytest
pytestmark = [pytest.mark.in_order, pytest.mark.xdist_group("{group}")]
def test_c(): ...
def test_a(): ...
def test_b(): ...
"""


@pytest.mark.parametrize("seed", range(2))
def test_steps_keep_their_order_and_the_longest_group_comes_first(pytester: pytest.Pytester, seed: int) -> None:
    pytester.makepyfile(test_first=TESTS.format(group="any"), test_second=TESTS.format(group=kinds.LONGEST[0]))
    ran = pytester.runpytest_inprocess(f"--randomly-seed={seed}", "-v", plugins=[kinds])
    passed = [line.split()[0] for line in ran.outlines if "PASSED" in line]
    assert passed == [f"test_{file}.py::test_{name}" for file in ("second", "first") for name in "cab"]


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
def test_a_file_that_is_left_out_as_a_whole_is_not_read(pytester: pytest.Pytester, marks: str, is_read: bool) -> None:
    pytester.makepyfile(f"import pytest\npytestmark = {marks}\ndef test_it(): ...\nopen('read', 'w').close()")
    pytester.runpytest_inprocess("-m", "not engine and not slow and not long", plugins=[kinds])
    assert (pytester.path / "read").exists() == is_read
    pytester.runpytest_inprocess("-m", "not engine or slow", plugins=[kinds])
    assert (pytester.path / "read").exists()


def test_of_sampled_cases_every_nth_is_not_long(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.mark.sampled(3)
        @pytest.mark.parametrize("case", range(7))
        def test_cases(case): ...
    """)
    ran = pytester.runpytest_inprocess("-m", "not long", "-v", plugins=[kinds])
    assert {line.split()[0][-3:] for line in ran.outlines if "PASSED" in line} == {"[0]", "[3]", "[6]"}
    pytester.runpytest_inprocess(plugins=[kinds]).assert_outcomes(passed=7)
