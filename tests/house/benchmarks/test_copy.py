"""Both ways of the race fill the new table alike, and are counted alike."""

import pytest

from benchmarks.copy.naive import Naive
from benchmarks.copy.ours import Ours
from benchmarks.retrofit.naive import made
from local import audit_table
from local.embedded import SESSION, dynamodb_client
from skipscan.aws import clients

pytestmark = pytest.mark.xdist_group("dynalite")


def test_both_ways_fill_the_new_table_and_follow_a_change(dynalite: str) -> None:
    plain, own = dynamodb_client(dynalite), clients.dynamodb(SESSION, 16, dynalite)
    found = []
    for name, way, client in (("copied-naive", Naive, plain), ("copied-ours", Ours, own)):
        for table in (name, f"{name}-to"):
            audit_table.create(plain, table)
        audit_table.load(plain, name, audit_table.items(40))
        racing = way(client, name, f"{name}-to")
        assert racing.copy()["items"] == 45
        changed = {**next(iter(audit_table.items())), "note": {"S": "new"}}
        plain.put_item(TableName=name, Item=changed)
        racing.follow({"id": changed["id"]}, changed)
        plain.delete_item(TableName=name, Key={"id": {"S": "000001"}})
        racing.follow({"id": {"S": "000001"}}, None)
        racing.come_to_rest()
        items = plain.scan(TableName=f"{name}-to")["Items"]
        found.append({item["id"]["S"]: item for item in items})
        source = plain.scan(TableName=name)["Items"]
        assert found[-1] == {item["id"]["S"]: {**item, **made(item)} for item in source}
    assert found[0] == found[1]
    own.close()
