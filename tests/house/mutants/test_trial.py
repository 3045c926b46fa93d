"""What a trial sees: a copy of the product, beside everything else that the checkout has."""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.posix]


def test_a_copy_has_what_tests_of_infra_read_beside_the_code(tmp_path: Path) -> None:
    from tests.house.mutants.trial import Copy  # noqa: PLC0415  # it imports what every child needs, which takes seconds

    Copy(tmp_path)
    names = {each.name for each in Path().iterdir()} - {"tests", ".git"}
    assert {"docs", "lambdas", "infra", "cdk.json", ".gitignore", "CHANGELOG.md"} <= names
    assert {each.name for each in tmp_path.iterdir()} == names
    own = {each.name for each in tmp_path.iterdir() if not each.is_symlink()}
    assert own == {"lambdas", "infra"}
