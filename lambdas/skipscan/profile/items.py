"""Items: how many, how large, and what reading and writing an average one costs."""

from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.write_units import UNIT_BYTES
from skipscan.inputs.quantities import about_percent, headline, size
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import BYTES, ITEMS, Figures
from skipscan.profile.section import (
    DESCRIBED,
    Section,
    histogram,
    percentage,
    told,
    within,
)
from skipscan.profile.tally import ITEM_EDGES
from skipscan.report.card import card, card_table
from skipscan.stored.figures import Figure

LARGE_KILOBYTES = (4, 64, 256)
LARGE_PART, ROUNDING_PART = 0.05, 0.6
"""The shares of items above 64 KB, and of what writes cost that pays for rounding up, to advise."""

SEVERAL = 2
"""Items of a collection from which on they can be combined."""


def items_section(figures: Figures, of: Circumstances) -> Section:
    """Return the figures of items; of items that nobody may read, DescribeTable's count."""
    if not figures.has_items:
        return Section(top=[Figure.in_words(headline(figures.described_items), DESCRIBED, label="items")])
    counts = figures.counts
    total = figures.counts[ITEMS] or 1
    count = figures.total(ITEMS)
    mean = figures.item_bytes()
    # Of an average item, read alone with eventual consistency, and written to the table alone.
    reads = figures.steps(("read steps",), STEP_BYTES).times(STEP_UNITS)
    writes = figures.steps(("write units",), UNIT_BYTES)
    read_rounding, write_rounding = (
        1 - counts[BYTES] / step / counts[steps,] if counts[steps,] else 0.0
        for steps, step in (("read steps", STEP_BYTES), ("write units", UNIT_BYTES))
    )
    above = {
        str(kilobytes): figures.share(*(("items of size", edge) for edge in ITEM_EDGES if edge > 1024 * kilobytes))
        for kilobytes in LARGE_KILOBYTES
    }
    classes = [(edge, counts["items of size", edge] / total) for edge in ITEM_EDGES]
    deepest = figures.largest("levels")
    rows = [
        ("bytes", told(mean, size)),
        ("read units, read alone", told(reads, _units)),
        ("write units, to the table", told(writes, _units)),
        *((f"larger than {name} KB", told(share, percentage)) for name, share in above.items()),
        ("maps and lists nested", f"up to {deepest} deep"),
    ]
    advice = dict[str, str]()
    if above["64"].estimate >= LARGE_PART:
        advice["large_items"] = (
            f"{about_percent(above['64'].estimate)} of the items are larger than 64 KB. Each write is billed by the "
            "size of the whole item: keep large values in S3, or in items of their own."
        )
    can_combine = of.description is not None and figures.quantile(0.5, "items").estimate >= SEVERAL
    if write_rounding >= ROUNDING_PART and can_combine:
        advice["rounding"] = (
            f"{about_percent(write_rounding)} of what writes cost pays for rounding up to 1 KB: an average item has "
            f"{size(mean.estimate)}: combine items that are written together."
        )
    return Section(
        {
            "count": count,
            "bytes": figures.total(BYTES),
            "mean_bytes": mean,
            "histogram": classes,
            "above": above,
            "read_units": reads,
            "write_units": writes,
            "read_rounding": read_rounding,
            "write_rounding": write_rounding,
            "deepest": deepest,
        },
        card(
            "items",
            "Items",
            f"Rounding up is {percentage(read_rounding)} of what reads cost one by one, "
            f"and {percentage(write_rounding)} of what writes cost.",
            histogram("Share of items by bytes, %", classes, "Items by size"),
            card_table("An average item", ("", "figure"), rows),
        ),
        [Figure.in_words(headline(round(count.estimate)), within(count), label="items")],
        advice,
    )


def _units(count: float) -> str:
    return f"{count:.2f}"
