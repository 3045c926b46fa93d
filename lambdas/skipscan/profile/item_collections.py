"""Item collections: how many, how large, and how uneven."""

from itertools import pairwise

from skipscan.dynamodb.table_description import SourceKind
from skipscan.inputs.quantities import about_percent, headline, rounded, size
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import KEYS, Figures
from skipscan.profile.form import bin_of
from skipscan.profile.section import UNKNOWN, Section, histogram, percentage, told, within
from skipscan.report.card import card, card_table
from skipscan.stored.figures import Figure

LOCAL_INDEX_BYTES = 10e9
"""Of an item collection of a table with a local index (developer guide, "Item collections in LSIs")."""

BYTE_EDGES = tuple(256 * 4.0**power for power in range(13))
PERCENTILES = {"50": "median", "90": "90th percentile", "99": "99th percentile"}
LARGEST = {"10%": 0.1, "1%": 0.01, "0.1%": 0.001}
"""The largest parts of the collections whose share of the bytes is shown."""

LOCAL_PART, TOP_PART = 0.5, 0.5
"""What the largest has of the bound of a local index, and what the largest hundredth has of the bytes, to advise."""


def item_collections_section(figures: Figures, of: Circumstances) -> Section:
    """Return the figures of collections. Which items are one, only a table's description tells."""
    if not figures.has_items or of.description is None:
        return Section()
    largest_items, largest_bytes = figures.largest("items"), figures.largest("bytes")
    items, sizes = (
        {name: figures.quantile(int(name) / 100, measure) for name in PERCENTILES} for measure in ("items", "bytes")
    )
    shares = {name: figures.top(part) for name, part in LARGEST.items()}
    has_local = any(index.kind is SourceKind.LOCAL_INDEX for index in of.indexes)
    local_part = largest_bytes / LOCAL_INDEX_BYTES if has_local else None
    unseen, classes = figures.unseen_larger(), _by_bytes(figures)
    rows = [
        *((words, told(items[name], rounded), told(sizes[name], size)) for name, words in PERCENTILES.items()),
        ("largest" if figures.read.is_whole else "largest seen", rounded(largest_items), size(largest_bytes)),
    ]
    notes = [
        *(
            f"The largest {name.replace('%', ' %')} of the collections: "
            f"{f'{told(share, percentage)} of the bytes' if share else UNKNOWN}."
            for name, share in shares.items()
        ),
        "Percentiles are within 4.4 %: the brackets have their range.",
    ]
    if unseen is not None:
        notes.append(f"Up to {rounded(unseen)} unseen collections may be larger than the largest seen (95 %).")
    if local_part is not None:
        notes.append(f"The largest has {percentage(local_part)} of the 10 GB that a local index allows.")
    advice = dict[str, str]()
    if local_part is not None and local_part >= LOCAL_PART:
        advice["local_index_bound"] = (
            f"The largest item collection{'' if figures.read.is_whole else ' seen'} has {size(largest_bytes)}, "
            f"{about_percent(local_part)} of the 10 GB that a local index allows: DynamoDB refuses writes that exceed "
            "it."
        )
    if (hundredth := shares["1%"]) is not None and hundredth.low >= TOP_PART:
        advice["uneven"] = (
            f"The largest hundredth of the item collections holds {about_percent(hundredth.estimate)} of the bytes: "
            "reads and writes of these share few partitions, of 3,000 read and 1,000 write units a second each."
        )
    return Section(
        {
            "count": figures.keys,
            "items": items,
            "bytes": sizes,
            "top": shares,
            "largest_items": largest_items,
            "largest_bytes": largest_bytes,
            "unseen_larger": unseen,
            "local_index_part": local_part,
            "histogram": classes,
        },
        card(
            "collections",
            "Item collections",
            f"{told(figures.keys, rounded)} partition keys.",
            histogram("Share of collections by bytes, %", classes, "Item collections by size"),
            card_table("Items and bytes of a collection", ("", "items", "bytes"), rows),
            notes=notes,
        ),
        [Figure.in_words(headline(round(figures.keys.estimate)), within(figures.keys), label="item collections")],
        advice,
    )


def _by_bytes(figures: Figures) -> list[tuple[float, float]]:
    """Return the share of the collections in each class of sizes, each with the end of its class."""
    total, bounds = figures.counts[KEYS] or 1, [bin_of(int(edge)) for edge in BYTE_EDGES]
    found = figures.under["keys by bytes",].items()
    return [
        (edge, sum(count for place, count in found if low < place <= high) / total)
        for edge, (low, high) in zip(BYTE_EDGES, pairwise([-1, *bounds]), strict=True)
    ]
