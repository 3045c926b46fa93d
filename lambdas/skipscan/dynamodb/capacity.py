"""How fast work may read or write when nobody says a rate: a quarter of the capacity, which leaves the rest to others.

The capacity is what is provisioned. A table on demand has one where a maximum is set for it (developer guide,
"DynamoDB maximum throughput for on-demand tables"); elsewhere it grows, and such a job has no rate.
"""

from skipscan.dynamodb.table_description import IndexDescription, Kind, TableDescription, Throughput

GENTLE_SHARE = 0.25

FRESH_READ_UNITS, FRESH_WRITE_UNITS = 12_000.0, 4_000.0
"""A second, that a table on demand serves from its first day (developer guide, "On-demand capacity")."""


def gentle_read_rate(table: TableDescription, index: IndexDescription | None) -> float | None:
    """Return read units a second for a table, or an index of it; `None` where no capacity is known.

    A local index has its table's capacity, a global one its own.
    """
    read = index.throughput if index and index.kind is Kind.GLOBAL_INDEX else table.throughput
    units = read.max_read_units if table.is_on_demand else read.read_units
    return units and units * GENTLE_SHARE


def gentle_write_rate(table: TableDescription) -> float | None:
    """Return write units a second for a table; `None` where no capacity is known.

    A write to the table is one to its global indexes as well, and the scarcest capacity of all bounds it.
    """
    indexes = (index.throughput for index in table.indexes if index.kind is Kind.GLOBAL_INDEX)

    def units(written: Throughput) -> int | None:
        return written.max_write_units if table.is_on_demand else written.write_units

    known = [count for throughput in (table.throughput, *indexes) if (count := units(throughput))]
    return min(known) * GENTLE_SHARE if known else None
