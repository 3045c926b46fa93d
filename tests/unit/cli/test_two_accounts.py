"""Tables of one name in two accounts have folders of their own: a command takes the work of the one that is meant."""

import pytest

from skipscan.errors import NotFoundError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.unit.cli.place import Place, item

pytestmark = pytest.mark.slow

THEIRS = TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), account="222222222222")
CUSTOMERS = {f"c{number}" for number in range(12)}


@pytest.fixture
def ours(place: Place) -> str:
    """A finished run over our own table, and a table of that name in another account."""
    place.dynamodb.add(THEIRS, [item("theirs", 0)])
    return place.finished()


def begun(place: Place) -> str:
    """Return the name of a run over the other account's table that was started after ours."""
    done = place.skipscan("run", THEIRS.arn)
    assert (done.status, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.fixture
def theirs(place: Place, ours: str) -> str:
    run = begun(place)
    place.complete(run)
    return run


def test_the_newest_run_is_one_over_the_table_that_is_meant(place: Place, theirs: str) -> None:
    assert set(place.skipscan("download", "Orders").stdout.split()) == CUSTOMERS
    assert place.skipscan("download", THEIRS.arn).stdout.split() == ["theirs"]


def test_another_account_s_run_is_not_found_by_the_bare_name(place: Place, theirs: str, ours: str) -> None:
    for command, table, run in (("download", "Orders", theirs), ("download", THEIRS.arn, ours)):
        place.skipscan(command, table, run).check_refused(NotFoundError, "run", run, rule="Orders")
    place.skipscan("status", "Orders", theirs).check_refused(NotFoundError, "name", theirs, rule="Orders")
    assert place.skipscan("diff", "Orders", ours, theirs).status == 1


def test_only_what_works_on_the_table_that_is_meant_is_stopped(place: Place, ours: str) -> None:
    run = begun(place)
    refused = place.skipscan("stop", "Orders")
    refused.check_refused(NotFoundError, 'table "Orders"', rule="dev")
    assert place.skipscan("stop", THEIRS.arn).stdout.strip() == run
