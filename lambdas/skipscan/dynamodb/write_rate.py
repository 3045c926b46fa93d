"""How fast a table may be written to by a job that nobody told a rate."""

from skipscan.dynamodb.table_description import Kind, TableDescription


def gentle_write_rate(description: TableDescription) -> float | None:
    """Return a quarter of the write units a second that are provisioned; `None` where the table is on demand.

    A table's global indexes have capacity of their own, and the scarcest of all bounds a job.
    """
    if description.is_on_demand:
        return None
    indexes = [index.throughput for index in description.indexes if index.kind is Kind.GLOBAL_INDEX]
    provisioned = [throughput.write_units for throughput in (description.throughput, *indexes)]
    return min(filter(None, provisioned), default=0) / 4 or None
