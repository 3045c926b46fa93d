"""The fake and dynalite, page by page: any table whose partition keys both hash alike (strings and binary)."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.engines.conformance.engine import Engine, FakeEngine
from tests.engines.conformance.walking import pages
from tests.fakes.definition import TableDefinition
from tests.fakes.tables import GeneratedTable, tables

NUMBERS = count(1)


@pytest.mark.xdist_group("dynalite")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables(), limit=st.integers(1, 12), total_segments=st.sampled_from([1, 2, 8]))
def test_the_fake_answers_as_dynalite(
    dynalite_engine: Engine, table: GeneratedTable, limit: int, total_segments: int
) -> None:
    assume(table.definition.key.partition[0].type != "N")
    definition = TableDefinition(f"generated-{next(NUMBERS)}", table.definition.key)
    fake = FakeEngine()
    for engine in (fake, dynalite_engine):
        engine.load(definition, table.items)
    for segment in range(total_segments):
        scan = {"TableName": definition.name, "Segment": segment, "TotalSegments": total_segments, "Limit": limit}
        assert list(answers(fake, scan)) == list(answers(dynalite_engine, scan))


def answers(engine: Engine, scan: dict[str, Any]) -> Iterator[tuple[object, object]]:
    for page in pages(engine, **scan):
        yield page["Items"], page.get("LastEvaluatedKey")
