"""A table's stream in memory: shards close, are continued by others, and those are listed late, as AWS may do."""

from dataclasses import dataclass, field
from typing import Any

from tests.simulation.world.clock import Clock

NEVER = float("inf")
PAGE_SHARDS = 2


@dataclass
class Shard:
    """A shard that is open from `opened` to `closed`, and that DescribeStream lists from `listed` on.

    `records`: when each was written.
    """

    id: str
    opened: float = -NEVER
    listed: float = -NEVER
    parent: str | None = None
    closed: float = NEVER
    records: list[float] = field(default_factory=list)


@dataclass
class Stream:
    """The stream. All times are of the clock. It has one open shard in the beginning.

    `status`: as DescribeStream names it. `empty_pages`: how many answers come without the records that are there.
    """

    clock: Clock
    arn: str
    status: str = "ENABLED"
    empty_pages: int = 0
    shards: list[Shard] = field(default_factory=lambda: [Shard(_id(1))])

    def write(self, at: float, choice: int = 0) -> None:
        """Put a record into one of the shards that are open at a time."""
        found = [shard for shard in self.shards if shard.opened <= at < shard.closed]
        found[choice % len(found)].records.append(at)

    def close(self, at: float, *, children: int = 1, late: float = 0.0, choice: int = 0) -> None:
        """Close a shard that is open at a time. Its children open then, and are listed `late` seconds later."""
        found = [shard for shard in self.shards if shard.opened <= at < shard.closed]
        shard = found[choice % len(found)]
        shard.closed = at
        for _ in range(children):
            self.shards.append(Shard(_id(len(self.shards) + 1), at, at + late, shard.id))

    def describe_stream(self, StreamArn: str, ExclusiveStartShardId: str = "") -> Any:  # noqa: N803
        assert StreamArn == self.arn
        listed = [shard for shard in self.shards if shard.listed <= self._now and shard.id > ExclusiveStartShardId]
        found: dict[str, Any] = {"StreamStatus": self.status, "Shards": list(map(self._said, listed[:PAGE_SHARDS]))}
        if len(listed) > PAGE_SHARDS:
            found["LastEvaluatedShardId"] = listed[PAGE_SHARDS - 1].id
        return {"StreamDescription": found}

    def get_shard_iterator(self, StreamArn: str, ShardId: str, ShardIteratorType: str) -> Any:  # noqa: N803
        assert StreamArn == self.arn
        (shard,) = (one for one in self.shards if one.id == ShardId and one.listed <= self._now)
        place = {"LATEST": len(self._written(shard)), "TRIM_HORIZON": 0}[ShardIteratorType]
        return {"ShardIterator": f"{StreamArn}|{ShardId}|{place}"}

    def get_records(self, ShardIterator: str) -> Any:  # noqa: N803
        _, name, place = ShardIterator.rsplit("|", 2)
        (shard,) = (one for one in self.shards if one.id == name)
        written = self._written(shard)
        if len(written) > int(place) and self.empty_pages:
            self.empty_pages -= 1
            return {"Records": [], "NextShardIterator": ShardIterator}
        following = {"NextShardIterator": f"{self.arn}|{name}|{len(written)}"} if shard.closed > self._now else {}
        return {"Records": [{}] * (len(written) - int(place)), **following}

    @property
    def _now(self) -> float:
        return self.clock.monotonic()

    def _written(self, shard: Shard) -> list[float]:
        return [at for at in shard.records if at <= self._now]

    def _said(self, shard: Shard) -> dict[str, Any]:
        numbers = {"StartingSequenceNumber": "1"} | ({"EndingSequenceNumber": "9"} if shard.closed <= self._now else {})
        parent = {"ParentShardId": shard.parent} if shard.parent else {}
        return {"ShardId": shard.id, "SequenceNumberRange": numbers, **parent}


def _id(number: int) -> str:
    return f"shardId-{number:020}"
