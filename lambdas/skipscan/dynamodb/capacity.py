"""The default rate of work, a quarter of the capacity, which leaves the rest to other traffic; and what a table serves.

The capacity is the provisioned one, or the maximum that is set for a table on demand (developer guide, "DynamoDB
maximum throughput for on-demand tables"). Without such a maximum a table on demand grows, and the default is no rate.
"""

from skipscan.dynamodb.table_description import IndexDescription, SourceKind, TableDescription, Throughput

GENTLE_SHARE = 0.25

PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, PARTITION_BYTES = 3_000.0, 1_000.0, 10e9
"""What one partition serves in a second and holds (developer guide, "Best practices for designing and using partition
keys effectively")."""

FRESH_READ_UNITS, FRESH_WRITE_UNITS = 12_000.0, 4_000.0
"""Units a second that a new table on demand serves (developer guide, "On-demand capacity").

What another one serves at once, DescribeTable says (`WarmThroughput`), but not every engine does.
"""


def gentle_read_rate(table: TableDescription, index: IndexDescription | None) -> float | None:
    """Return the read units a second of a table or its index; `None` if the capacity is unknown.

    A local index has its table's capacity, a global one its own.
    """
    read = index.throughput if index and index.kind is SourceKind.GLOBAL_INDEX else table.throughput
    units = read.max_read_units if table.is_on_demand else read.read_units
    return units and units * GENTLE_SHARE


def gentle_write_rate(table: TableDescription) -> float | None:
    """Return the write units a second of a table; `None` if the capacity is unknown.

    A write to the table is also a write to its global indexes, so the smallest capacity of them all is the bound.
    """
    indexes = (index.throughput for index in table.indexes if index.kind is SourceKind.GLOBAL_INDEX)

    def units(written: Throughput) -> int | None:
        return written.max_write_units if table.is_on_demand else written.write_units

    known = [count for throughput in (table.throughput, *indexes) if (count := units(throughput))]
    return min(known) * GENTLE_SHARE if known else None


def served_read_units(throughput: Throughput) -> float:
    """Return the read units a second that a table or a global index serves at once."""
    return throughput.read_units or throughput.warm_read_units or FRESH_READ_UNITS


def served_write_units(table: TableDescription) -> float:
    """Return the write units a second that a table on demand and all its global indexes serve at once."""
    indexes = (index.throughput for index in table.indexes if index.kind is SourceKind.GLOBAL_INDEX)
    return min(written.warm_write_units or FRESH_WRITE_UNITS for written in (table.throughput, *indexes))
