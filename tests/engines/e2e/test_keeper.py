"""The deployed keeper on the streams of real tables, while several writers insert and remove what they like.

MiniStack hands over a stream's records in order, one batch at a time, and takes no notice of the ones that a function
wants again: so the records are also handed to the function directly, shuffled, repeated and at the same time.
"""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.engines.e2e.kept_table import KINDS, KeptTable, Kind
from tests.engines.e2e.streams import Streams

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]

WRITERS = 3
BY_KIND = [
    pytest.param(kind, id=kind.table, marks=[pytest.mark.long] if number else []) for number, kind in enumerate(KINDS)
]


def kept(streams: Streams, kind: Kind) -> KeptTable:
    return KeptTable(streams.account, kind, streams.followers[kind.table], streams.arns[kind.table])


@pytest.mark.parametrize("kind", BY_KIND)
def test_markers_equal_collections_once_the_stream_is_handled(streams: Streams, kind: Kind) -> None:
    table = kept(streams, kind)
    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(table.write, range(WRITERS)))
    table.drain("last-1")
    assert table.listed() == table.collections()
    assert len(table.listed()) > 3

    delivered = table.records()
    chance = random.Random(kind.table)
    batches = [chance.choices(delivered, k=60) for _ in range(4)]  # shuffled, some twice, all of them old
    with ThreadPoolExecutor(WRITERS + 3) as threads:
        writing = [threads.submit(table.write, WRITERS + seed) for seed in range(WRITERS)]
        assert list(threads.map(table.invoke, batches)) == [[]] * len(batches)
        for writer in writing:
            writer.result()
    table.drain("last-2")
    assert table.listed() == table.collections()


def test_a_record_it_cannot_follow_is_named_and_the_others_are_followed(streams: Streams) -> None:
    table = kept(streams, KINDS[0])
    poison = {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "7", "Keys": {"id": {"S": "?"}}}}
    assert table.invoke([poison, *table.records()[:3]]) == ["7"]


@pytest.mark.parametrize("kind", BY_KIND)
def test_a_keeper_s_role_allows_every_call_it_made_and_no_other(streams: Streams, kind: Kind) -> None:
    streams.check_rights(kept(streams, kind).function.rpartition(":")[2])
