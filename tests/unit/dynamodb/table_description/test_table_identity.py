"""Two tables of one name are told apart, and the message says which of them was meant."""

from dataclasses import replace

import pytest

from skipscan.dynamodb.table_description import TableIdentity
from skipscan.errors import TableError
from tests.refusal import refused

OURS = TableIdentity("arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "one")
THEIRS = replace(OURS, arn=OURS.arn.replace("111111111111", "222222222222"))


def test_the_same_table_is_accepted() -> None:
    OURS.check(OURS, "run a")


def test_another_account_s_table_is_refused_though_its_id_were_the_same() -> None:
    with refused(TableError, "run a", rule=f"^belongs to table {OURS.arn}; this is table {THEIRS.arn}$"):
        OURS.check(THEIRS, "run a")


@pytest.mark.parametrize(("before", "now"), [("one", "two"), ("", "two"), ("one", "")])
def test_a_table_that_was_created_again_is_refused_with_both_ids(before: str, now: str) -> None:
    with refused(TableError, "run a", rule=rf"\(TableId {before or 'unknown'}, now {now or 'unknown'}\)"):
        replace(OURS, table_id=before).check(replace(OURS, table_id=now), "run a")
