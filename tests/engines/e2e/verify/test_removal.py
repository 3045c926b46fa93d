"""What the kit creates is removed; resources without the kit's tag stay."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.environment.executions import PREFIX
from tests.engines.e2e.verify.conftest import kit_of
from verify.checks.mappings import mapping
from verify.checks.objects import bucket
from verify.checks.schedules import group, queue
from verify.function import function, machine
from verify.kit import Kit
from verify.removal import found, remove
from verify.thing import Kind, Thing

pytestmark = pytest.mark.xdist_group("embedded")


@pytest.fixture
def kit(profiles: object) -> Iterator[Kit]:
    made = kit_of("ministack", "removal")
    yield made
    remove(made, made.made)


def of_launch(kit: Kit, things: Any) -> set[Thing]:
    return {thing for thing in things if kit.launch in thing.name or thing in kit.made}  # a UUID names no launch


def make_one_of_each(kit: Kit) -> None:
    kit.create_table("things", TABLE)
    kit.client("s3").put_object(Bucket=bucket(kit), Key="deep/object", Body=b"")
    machine(kit, "things", {"Done": {"Type": "Succeed"}})
    function(kit)
    group(kit)
    queue(kit)
    mapping(kit)
    table = kit.record(Kind.RESULTS, kit.name("results"))
    kit.client("s3").put_object(Bucket=kit.deployment.bucket, Key=f"{PREFIX}/{table}/runs/x/plan.json", Body=b"")


TABLE: dict[str, Any] = {
    "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def test_everything_is_found_by_name_and_tag_and_removed(kit: Kit) -> None:
    make_one_of_each(kit)
    reported: list[str] = []
    things = of_launch(kit, found(kit, reported.append))
    assert {thing.kind for thing in things} == set(Kind) - {Kind.EXECUTION}
    assert things == set(kit.made)
    assert reported == []
    assert remove(kit, things) == []
    assert of_launch(kit, found(kit, reported.append)) == set()
    assert remove(kit, things) == []  # once more is harmless


def test_what_has_another_tag_is_left_and_named(kit: Kit) -> None:
    table = kit.create_table("others", TABLE)
    arn = kit.dynamodb.describe_table(TableName=table)["Table"]["TableArn"]
    kit.dynamodb.tag_resource(ResourceArn=arn, Tags=[{"Key": "skipscan-verify", "Value": "another"}])
    reported: list[str] = []
    assert of_launch(kit, found(kit, reported.append)) == set()
    assert [line for line in reported if table in line] == [
        f"table {table} lacks the tag skipscan-verify=e2e and is left"
    ]


def test_what_cannot_be_removed_is_named_and_the_rest_is_removed(kit: Kit) -> None:
    table = kit.create_table("rest", TABLE)
    with _refusing(kit):
        left = remove(kit, [*kit.made, Thing(Kind.BUCKET, kit.name("refused"))])
    assert len(left) == 1
    assert left[0].startswith(f"bucket {kit.name('refused')}: ")
    assert table not in kit.dynamodb.list_tables()["TableNames"]


@contextmanager
def _refusing(kit: Kit) -> Iterator[None]:
    """Have S3 refuse to list objects."""

    def refuse(**_: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "made up"}}, "ListObjectsV2")

    events = kit.client("s3").meta.events
    events.register("before-call.s3.ListObjectsV2", refuse)
    try:
        yield
    finally:
        events.unregister("before-call.s3.ListObjectsV2", refuse)
