"""What a run left out of each group stays: which items these are now, in the order and within the bounds of the run."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.delete_listed import DeleteListed
from skipscan.act.kept import Kept
from skipscan.act.preview import Preview, reading_advice
from skipscan.act.task_source import Task
from skipscan.aws import table
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.dynamodb.write_units import WriteUnits
from skipscan.lines.formats import line_encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.loop.work import stamped
from skipscan.scan.taken import Taken
from tests.fakes.acting import Acting
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.act.worker import plan

SORT_KEYS = ("a#1", "a#2", "a#3", "b#1", "b#2", "b#3")


def item(pk: str, sk: str) -> Item:
    return {"pk": {"S": pk}, "sk": {"S": sk}, "back": {"N": f"{-SORT_KEYS.index(sk)}"}}


@pytest.fixture
def dynamodb() -> FakeDynamoDB:
    fake = FakeDynamoDB()
    key, back = KeySchema.of(("pk", "S"), ("sk", "S")), KeySchema.of(("pk", "S"), ("back", "N"))
    indexes = (IndexDefinition("local", back, "local"), IndexDefinition("global", back))
    fake.add(TableDefinition("T-1", key, indexes), [item(pk, sk) for pk in "xy" for sk in SORT_KEYS])
    return fake


class Trim:
    """The deletes of what a run listed; `of` says what comes of an item."""

    def __init__(self, client: FakeDynamoDB, beyond: int = 2, order: str = "descending", **asked: Any) -> None:
        take = {"items": "all", "beyond": beyond, "order": order}
        listing_input = parse({"table": "T-1", "take": take, "format": "dynamodb-jsonl", **asked})
        description = table.describe(client, "T-1")  # type: ignore[arg-type]
        run = plan_listing(listing_input, description)
        kept = Kept.of_manifest(stamped(run.stated), "T-1", description)
        decided = replace(plan([], DeleteListed(None)), format="dynamodb-jsonl", has_items=True, kept=kept)
        decided = replace(decided, has_level=run.source.level is not None)
        self._encode, self._run = line_encoder(run.source.line, "dynamodb-jsonl", run.take), run
        self.acting, self.kept = Acting.over(client, decided), kept

    def of(self, pk: str, sk: str) -> str:
        whole = item(pk, sk)
        rest = {name: whole[name] for name in whole if name != "pk"}
        line = self._encode(Taken(self._run.groups.of(whole), {"item": rest}, "now"))
        (result,) = self.acting.act(Task(0, (line,), 0, 1, "part-0"))
        (outcome,) = result.counts.outcomes
        return result.failed[0][1] if result.failed else outcome


@pytest.mark.parametrize(
    ("asked", "stays", "goes"),
    [
        ({}, "b#2", "b#1"),
        ({"order": "ascending"}, "a#2", "a#3"),
        ({"delimiter": "#"}, "a#2", "a#1"),
        ({"prefix": "a#"}, "a#2", "a#1"),
        ({"until": "b#1"}, "a#3", "a#2"),
        ({"index": "local"}, "a#2", "a#3"),
        ({"index": "global"}, "a#2", "a#3"),
    ],
)
def test_so_many_at_one_end_of_a_group_stay(dynamodb: FakeDynamoDB, asked: Any, stays: str, goes: str) -> None:
    trim = Trim(dynamodb, **asked)
    assert (trim.of("x", stays), trim.of("x", goes)) == ("Kept", "deleted")
    assert [len(dynamodb.table("T-1").items()), len(trim.acting.answers)] == [11, 4]  # one look serves both


def test_a_look_is_strongly_consistent_where_it_can_be(dynamodb: FakeDynamoDB) -> None:
    kept = {index: Trim(dynamodb, index=index).kept for index in (None, "local", "global")}
    looks = {index: each.look(item("x", "a#1")).is_consistent for index, each in kept.items() if each}
    assert looks == {None: True, "local": True, "global": False}


def test_of_a_group_with_fewer_items_than_stay_nothing_is_deleted(dynamodb: FakeDynamoDB) -> None:
    assert Trim(dynamodb, beyond=7).of("x", "a#1") == "Kept"


def test_a_look_serves_its_group_for_seconds(dynamodb: FakeDynamoDB) -> None:
    now = 0.0
    trim = Trim(dynamodb, beyond=4)
    trim.acting.clock = lambda: now
    assert trim.of("x", "a#2") == "deleted"
    dynamodb.table("T-1").delete(item("x", "b#3"))
    now = 5.0
    assert trim.of("x", "a#1") == "Kept"
    assert trim.of("y", "a#1") == "deleted"


def test_a_look_that_took_longer_than_it_serves_serves_the_next_item(dynamodb: FakeDynamoDB) -> None:
    times = iter([0.0, 6.0, 6.5])
    trim = Trim(dynamodb)
    trim.acting.clock = lambda: next(times)
    assert [trim.of("x", sk) for sk in ("a#2", "a#1")] == ["deleted", "deleted"]
    assert len(trim.acting.answers) == 2 * 2 + 1


def test_reads_that_exceed_a_quarter_of_the_capacity_are_warned_of() -> None:
    (said,) = reading_advice({"read_units": 6_000.0, "minutes": 1.0}, 24.5)
    assert "some 100 read units a second" in said
    assert not [*reading_advice({"read_units": 6_000.0, "minutes": 1.0}, 100.0)]
    assert not [*reading_advice({"read_units": 6_000.0, "minutes": 1.0}, None)]
    assert not [*reading_advice({"minutes": 0.0}, 1.0)]


def test_what_is_gone_already_is_no_failure(dynamodb: FakeDynamoDB) -> None:
    """A crash repeats deletes, also where the application has deleted others since."""
    for sk in SORT_KEYS[:-1]:
        dynamodb.table("T-1").delete(item("x", sk))
    assert Trim(dynamodb).of("x", "a#1") == "absent"


def test_a_dry_run_prices_the_looks_at_those_to_keep() -> None:
    """Two of the sample's items are of one group, which has 7 steps of 4 KB to keep; each item has two."""
    source = Source("T-1", None, SourceKind.TABLE, (KeyAttribute("pk", "S"),), (KeyAttribute("sk", "S"),), ())
    items: list[Item] = [{**item("x", sk), "body": {"B": bytes(5_000)}} for sk in SORT_KEYS[:2]]
    preview = Preview(tuple(items), WriteUnits({"table": 5.0}, 5.0), 5_020.0, ())
    decided = replace(plan([], DeleteListed(None)), keys=100, kept=Kept(source, None, 5, is_backwards=True))
    priced = preview.to_json(decided, recovery=None)
    assert (priced["read_units"], priced["requests"]) == (100 * 2 + 100 * 7, 300)
    few = preview.to_json(replace(decided, keys=10), recovery=None)
    assert (few["read_units"], few["requests"]) == (10 * 2 + 10 * 7, 30)
    apart = Preview((*items, *(item(pk, "a#1") for pk in "yzuvw")), preview.units, 5_020.0, ())
    assert apart.to_json(decided, recovery=None)["requests"] == 300
