"""Both ways of the race set the same attribute, and are counted alike."""

import pytest

from benchmarks.retrofit.naive import naive
from benchmarks.retrofit.ours import ours
from local import audit_table
from local.embedded import SESSION, dynamodb_client
from skipscan.aws import clients

pytestmark = pytest.mark.xdist_group("dynalite")


def test_both_ways_complete_the_table(dynalite: str) -> None:
    plain = dynamodb_client(dynalite)
    found = []
    for name, way, client in (
        ("race-naive", naive, plain),
        ("race-ours", ours, clients.dynamodb(SESSION, 16, dynalite)),
    ):
        audit_table.create(plain, name)
        audit_table.load(plain, name, audit_table.items(40))
        figures = way(client, name)
        items = plain.scan(TableName=name)["Items"]
        found.append(sorted((item["id"]["S"], item[audit_table.ATTRIBUTE]["S"]) for item in items))
        assert (figures["items"], len(items)) == (45, 45)
        client.close()
    assert found[0] == found[1]
