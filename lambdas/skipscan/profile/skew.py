"""How evenly the items lie over the hash space, and what is known of the partitions, which DynamoDB does not show."""

from math import ceil

from skipscan.dynamodb.capacity import PARTITION_BYTES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS
from skipscan.inputs.quantities import rounded
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import Figures
from skipscan.profile.section import UNKNOWN, Section, percentage, told
from skipscan.report.card import card, card_table

NOTE = (
    "Evenly spread, each tenth has 10 %: ten equal parts of the hash space. A partition holds 10 GB and serves "
    "3,000 read and 1,000 write units a second. DynamoDB does not show partitions; an item collection without a "
    "local index may lie in several."
)


def skew_section(figures: Figures, of: Circumstances) -> Section:
    """Return the skew, and the least numbers of partitions for the table's size and for its throughput.

    The throughput is provisioned, or by the warm throughput: what the table serves at once.
    """
    fullest = figures.fullest_tenth()
    reads = writes = by_size = by_throughput = None
    rows = [("bytes in the fullest tenth of the hash space", told(fullest, percentage) if fullest else UNKNOWN)]
    if (described := of.description) is not None:
        throughput = described.throughput
        reads = throughput.read_units or throughput.warm_read_units
        writes = throughput.write_units or throughput.warm_write_units
        by_size = max(1, ceil(described.size_bytes / PARTITION_BYTES))
        rows.append(("partitions, by size", f"{rounded(by_size)} or more"))
    if reads or writes:
        served = max((reads or 0) / PARTITION_READ_UNITS, (writes or 0) / PARTITION_WRITE_UNITS)
        by_throughput = max(1, ceil(served))
        rows += [
            ("served a second", f"{rounded(reads or 0)} read and {rounded(writes or 0)} write units"),
            ("partitions, by throughput", f"{rounded(by_throughput)} or more"),
        ]
    return Section(
        {
            "fullest_tenth": fullest,
            "read_units_per_second": reads,
            "write_units_per_second": writes,
            "partitions_by_size": by_size,
            "partitions_by_throughput": by_throughput,
        },
        card(
            "skew",
            "Skew",
            "How evenly the items lie over the hash space.",
            card_table("Hash space and partitions", ("", "figure"), rows),
            notes=[NOTE],
            is_broad=True,
        ),
    )
