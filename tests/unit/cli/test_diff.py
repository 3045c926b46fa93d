"""Why two runs cannot be compared."""

from typing import Any

import pytest

from skipscan.cli.commands.diff import _check_same
from skipscan.environment.watch import Finished
from skipscan.errors import NotFoundError
from tests.refusal import refused

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/"


def run(name: str, table: str = "Orders", index: str | None = None, table_id: str = "id-1", **more: Any) -> Finished:
    keys = [{"name": "customer", "type": "S"}]
    manifest: dict[str, Any] = {"table": table, "index": index, "partition_key": keys}
    return Finished(name, {**manifest, **more, "identity": {"arn": f"{ARN}{table}", "table_id": table_id}})


@pytest.mark.parametrize(
    ("other", "rule"),
    [
        (run("b", "Audit"), 'table "Orders".* b table "Audit"'),
        (run("b", index="by-customer"), r'"customer" \(S\).* b "customer" \(S\) of index "by-customer"'),
        (run("b", level={"delimiter": "#", "depth": 2, "type": "S"}), r'b "customer" \(S\).* delimiter "#", depth 2'),
        (run("b", table_id="id-2"), r'table "Orders".* deleted.* b\b'),
    ],
)
def test_runs_of_different_scopes_are_refused_with_what_differs(other: Finished, rule: str) -> None:
    with refused(NotFoundError, "run a", rule=rule, way="table or index"):
        _check_same(run("a"), other)
