"""A run over a real engine while writers insert and delete as fast as they can.

Item collections come and go, rows move between an index's keys, and some keys stay.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from local import table as tables
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.pace.bounds import Bounds
from tests.fakes import turns
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

STAYING = 150
COMING_AND_GOING = 150
STATES = 40
THREADS = 3
READY_BATCHES = 25
INDEXES = (
    IndexDefinition("local", KeySchema.of(("pk", "S"), ("date", "N")), "local"),
    IndexDefinition("global", KeySchema.of(("state", "S"), ("date", "N"))),
    IndexDefinition("plain", KeySchema.of(("state", "S"))),
)


def row(pk: str, sk: int, state: str) -> Item:
    return {
        "pk": {"S": pk},
        "sk": {"N": str(sk)},
        "date": {"N": str(-sk)},
        "state": {"S": state},
        "body": {"B": bytes(1500)},
    }


def staying() -> Iterator[Item]:
    """An item of each key that stays; no writer changes these."""
    for number in range(STAYING):
        yield row(f"staying-{number}", 50, f"staying-{number % STATES}")


_OF_TABLE = frozenset(f"staying-{number}" for number in range(STAYING))
_OF_STATES = frozenset(f"staying-{number}" for number in range(STATES))
ALWAYS: dict[str | None, frozenset[str]] = {
    None: _OF_TABLE,
    "local": _OF_TABLE,
    "global": _OF_STATES,
    "plain": _OF_STATES,
}
"""The keys that stay, by the name of the index that lists them."""


def load(client: "DynamoDBClient", table: str) -> None:
    """Create the table, with an item of each key that stays."""
    tables.create(client, **TableDefinition(table, KeySchema.of(("pk", "S"), ("sk", "N")), INDEXES).request())
    for item in staying():
        client.put_item(TableName=table, Item=item)


@dataclass
class Writing:
    """What the writers did so far. `inserted`: the keys they may have inserted, of the table and of its indexes."""

    batches: int = 0
    inserted: set[str] = field(default_factory=set)

    def judge(self, keys: Sequence[str], index: str | None = None) -> None:
        """Assert that a run found what it had to."""
        assert len(keys) == len(set(keys)), "a key is reported twice"
        assert set(keys) >= ALWAYS[index], "a key that stayed is missing"
        assert set(keys) <= ALWAYS[index] | self.inserted, "a key is reported that never was"
        assert set(keys) > ALWAYS[index], "no key that came and went was met"


@contextmanager
def writing(client: "DynamoDBClient", table: str) -> Iterator[Writing]:
    """Write for the length of the block, from several threads, once there is something that comes and goes."""
    done, over, one_by_one = Writing(), Event(), Lock()

    def write(seed: int) -> None:
        chance = Random(seed)
        while not over.is_set():
            puts, deletes = _some(chance, seed), _some(chance, seed)
            requests: dict[tuple[str, str], WriteRequestTypeDef] = {}
            with one_by_one:
                done.inserted.update(each[name]["S"] for each in puts for name in ("pk", "state"))
            for each in puts:
                requests[each["pk"]["S"], each["sk"]["N"]] = {"PutRequest": {"Item": each}}
            for each in deletes:
                key = {"pk": each["pk"], "sk": each["sk"]}
                requests[each["pk"]["S"], each["sk"]["N"]] = {"DeleteRequest": {"Key": key}}
            client.batch_write_item(RequestItems={table: list(requests.values())})
            with one_by_one:
                done.batches += 1

    with ThreadPoolExecutor(THREADS) as pool:
        writers = [pool.submit(write, seed) for seed in range(THREADS)]
        try:
            while done.batches < READY_BATCHES and not any(writer.done() for writer in writers):
                sleep(0.01)
            yield done
        finally:
            over.set()
        for writer in writers:
            writer.result()


def _some(chance: Random, writer: int) -> list[Item]:
    """Rows around the one that stays of a key, and whole collections of three others."""
    among = f"staying-{chance.randrange(STAYING)}"
    others = [f"passing-{writer}-{chance.randrange(COMING_AND_GOING)}" for _ in range(3)]
    states = ("staying", "passing")
    return [
        row(pk, sk, f"{chance.choice(states)}-{chance.randrange(STATES)}")
        for pk, sort_keys in ((among, (49, 51)), *((other, (1, 2, 3)) for other in others))
        for sk in sort_keys
    ]


BATCHES = 25
"""Batches of writes that happen at least while keys are listed, in one run or in several."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("index", ALWAYS, ids=lambda index: index or "table")
def test_every_key_that_stays_is_found_and_none_twice(
    shared_dynamodb: "DynamoDBClient", dynalite: str, index: str | None
) -> None:
    table = f"Busy-{index}"
    load(shared_dynamodb, table)
    client: Any = clients.dynamodb(SESSION, connections=16, endpoint_url=dynalite)
    during = 0
    with writing(shared_dynamodb, table) as written:
        while during < BATCHES:
            before = written.batches
            outcome = turns.run(
                client, Bounds(pages=40), threads=8, table=table, index=index, segments=8, workers=2, optimize="cost"
            )
            during += written.batches - before
            written.judge([key["S"] for key in outcome.keys], index)
