"""What a cut-over counts of a stream whose shards close, split, and are listed late."""

from itertools import chain, repeat
from random import Random
from unittest.mock import DEFAULT, Mock

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.replicator_requests import StreamWatch
from skipscan.errors import TableError
from tests.house.suite.examples import examples
from tests.refusal import refused
from tests.simulation.world.clock import Clock
from tests.unit.cli.account import STREAM
from tests.unit.cli.stream import Stream

pytestmark = pytest.mark.slow


@pytest.fixture
def stream() -> Stream:
    return Stream(Clock(), STREAM)


def counted(watch: StreamWatch, stream: Stream, looks: int) -> list[int]:
    """Return the changes of some looks, ten seconds apart."""
    found = []
    for _ in range(looks):
        stream.clock.sleep(10.0)
        found.append(watch.records() or int(watch.awaits_shard))
    return found


def test_a_shard_is_followed_by_its_child(stream: Stream) -> None:
    stream.close(15.0)
    for at in (5.0, 14.0, 16.0, 25.0):
        stream.write(at)
    assert counted(StreamWatch(stream, STREAM), stream, 4) == [1, 2, 1, 0]


@pytest.mark.parametrize("children", [1, 2])
def test_a_closed_shard_is_not_quiet_until_its_child_is_listed(stream: Stream, children: int) -> None:
    stream.close(15.0, children=children, late=50.0)
    stream.write(66.0)
    stream.write(95.0)
    watch = StreamWatch(stream, STREAM)
    assert counted(watch, stream, 6) == [0, 1, 1, 1, 1, 1]
    assert watch.awaits_shard
    assert counted(watch, stream, 5) == [1, 0, 0, 1, 0]
    assert not watch.awaits_shard


def test_a_child_that_is_listed_later_than_the_beginning_is_found(stream: Stream) -> None:
    stream.close(-1.0, late=31.0)
    stream.write(20.0)
    watch = StreamWatch(stream, STREAM)
    assert counted(watch, stream, 5) == [1, 1, 1, 0, 0]


def test_a_shard_that_closed_before_the_beginning_and_has_a_child_is_past(stream: Stream) -> None:
    stream.write(-5.0)
    stream.close(-3.0)
    stream.write(-2.0)
    assert counted(StreamWatch(stream, STREAM), stream, 3) == [0, 0, 0]


def test_a_child_that_closed_before_it_was_listed_is_read(stream: Stream) -> None:
    stream.close(15.0, late=20.0)
    stream.write(16.0)
    stream.close(17.0, late=40.0)
    stream.write(18.0)
    watch = StreamWatch(stream, STREAM)
    stream.clock.sleep(20.0)
    assert (watch.records(), watch.awaits_shard) == (0, True)
    stream.clock.sleep(20.0)
    assert (watch.records(), watch.awaits_shard) == (1, True)
    stream.clock.sleep(20.0)
    assert (watch.records(), watch.awaits_shard) == (1, False)


@pytest.mark.parametrize("status", ["DISABLING", "DISABLED"])
def test_a_stream_that_is_disabled_ends_the_watch(stream: Stream, status: str) -> None:
    watch = StreamWatch(stream, STREAM)
    stream.close(15.0, children=0)
    assert counted(watch, stream, 2) == [0, 1]
    stream.status = status
    with refused(TableError, f"the stream {STREAM}", rule=status, way=r"cdk\.json"):
        counted(watch, stream, 1)


@pytest.mark.parametrize("late", [0.0, 50.0])
def test_after_an_iterator_expired_the_watch_begins_anew(stream: Stream, late: float) -> None:
    watch = StreamWatch(stream, STREAM)
    stream.close(15.0, late=late)
    stream.clock.sleep(20.0)
    expired = ClientError({"Error": {"Code": "ExpiredIteratorException", "Message": "old"}}, "GetRecords")
    watch._client = Mock(wraps=stream)
    watch._client.get_records.side_effect = chain([expired], repeat(DEFAULT))
    assert (watch.records(), watch.awaits_shard) == (1, late > 0)
    stream.write(70.0)
    assert sum(counted(watch, stream, 10)[4:]) == 1


def test_a_stream_that_may_not_be_read_is_no_quiet_one(stream: Stream) -> None:
    watch = StreamWatch(stream, STREAM)
    denied = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "GetRecords")
    watch._client = Mock(wraps=stream)
    watch._client.get_records.side_effect = denied
    with pytest.raises(ClientError) as raised:
        watch.records()
    assert raised.value is denied


def test_no_look_is_quiet_before_every_record_is_counted() -> None:
    quiet = 0
    for seed in range(examples(200)):
        chance, stream = Random(seed), Stream(Clock(), STREAM)
        for at in sorted(chance.uniform(-50, 150) for _ in range(chance.randrange(1, 8))):
            late = chance.choice([0.0, 5.0, 60.0])
            stream.close(at, children=chance.randrange(1, 3), late=late, choice=chance.randrange(9))
        for _ in range(20):
            stream.write(chance.uniform(-60, 200), chance.randrange(9))
        watch, found = StreamWatch(stream, STREAM), 0
        every = [at for shard in stream.shards for at in shard.records]
        for _ in range(30):
            stream.clock.sleep(10.0)
            found += (new := watch.records())
            if not new and not watch.awaits_shard:
                quiet += 1
                assert found >= sum(0 < at <= stream.clock.monotonic() for at in every), seed
    assert quiet > examples(1000)
