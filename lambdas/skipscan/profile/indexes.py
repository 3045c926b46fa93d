"""Secondary indexes: what each holds, costs and adds to a write, and which of them are alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skipscan.inputs.quantities import counted, enumerated, money, size
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import ITEMS, Figures
from skipscan.profile.section import Section, percentage, told
from skipscan.report.card import card, card_table
from skipscan.sample.interval import Interval

COLUMNS = ("index", "projection", "items in it", "bytes each", "storage a month", "write units an item")


@dataclass(frozen=True)
class IndexProfile:
    """A secondary index. `items`: the share of the table's items in it. `mean_bytes`: of an entry.

    `write_units`: that a write of an average item adds, if it changes what is projected; `None` if no item was read.
    `same_keys`: indexes with the same keys. `same_content`: indexes with the same items and attributes in what was
    read; an index without items has none.
    """

    name: str
    kind: str
    partition_key: Sequence[str]
    projection: str
    items: Interval
    mean_bytes: float
    dollars_a_month: float
    write_units: float | None
    same_keys: Sequence[str]
    same_content: Sequence[str]


def indexes_section(figures: Figures, of: Circumstances) -> Section:
    """Return the figures of each index; of a table whose items nobody may read, as DescribeTable describes them."""
    found = [*_found(figures, of)]
    vectors = of.description.vector_indexes if of.description else ()
    rows = [
        (
            one.name,
            one.projection,
            told(one.items, percentage),
            size(one.mean_bytes),
            money(one.dollars_a_month),
            "" if one.write_units is None else f"{one.write_units:.2f}",
        )
        for one in found
    ]
    notes = [f"Vector indexes, not measured: {', '.join(vectors)}."] if vectors else []
    notes += [
        f"{enumerated([one.name, *one.same_content])} have equal content: the same items with the same attributes."
        for number, one in enumerate(found)
        if one.same_content and not any(one.name in earlier.same_content for earlier in found[:number])
    ]
    shown = card(
        "indexes",
        "Indexes",
        counted(len(found), "secondary index"),
        card_table("Secondary indexes", COLUMNS, rows, (1,)),
        notes=notes,
        is_broad=True,
    )
    return Section(
        found,
        shown if found or vectors else None,
        advice=dict(_advice(found, figures)),
    )


def _found(figures: Figures, of: Circumstances) -> Iterator[IndexProfile]:
    counts, read, items = figures.counts, figures.counts[ITEMS] or 1, figures.total(ITEMS).estimate
    for index in of.indexes:
        same_content, write_units = list[str](), None
        if figures.has_items:
            held = counts["index items", index.name]
            share, entries = figures.share(("index items", index.name)), items * held / read
            mean = counts["index bytes", index.name] / held if held else 0.0
            write_units = counts["index write units", index.name] / read
            same_content = [
                other.name
                for other in of.indexes
                if held and counts["alike in indexes", *sorted((index.name, other.name))] == read
            ]
        else:
            share = Interval.exactly(index.items / figures.described_items if figures.described_items else 0.0)
            entries, mean = index.items, index.size_bytes / index.items if index.items else 0.0
        yield IndexProfile(
            name=index.name,
            kind=str(index.kind),
            partition_key=[key.name for key in index.partition_key],
            projection=index.projection,
            items=share,
            mean_bytes=mean,
            dollars_a_month=of.stored(mean * entries, entries),
            write_units=write_units,
            same_keys=[one.name for one in of.indexes if one.key == index.key and one is not index],
            same_content=same_content,
        )


def _advice(found: Sequence[IndexProfile], figures: Figures) -> Iterator[tuple[str, str]]:
    index = next((one for one in found if one.same_keys), None)
    if index is not None:
        names = enumerated(sorted([index.name, *index.same_keys]))
        is_equal = bool(set(index.same_keys) & set(index.same_content))
        said = "keys and the same content: one of them is enough" if is_equal else "keys: one of them may be enough"
        cost = f"{index.name} costs {money(index.dollars_a_month)} a month"
        if index.write_units is not None:
            cost += f", and {index.write_units:.1f} write units for a write of an average item"
        yield "same_index", f"Indexes {names} have the same {said}. {cost}."
    empty = [one.name for one in found if one.items.estimate == 0]
    if empty and figures.counts[ITEMS]:
        indexes = "index" if len(empty) == 1 else "indexes"
        yield (
            "empty_index",
            f"No item read is in {indexes} {enumerated(empty)}: an index without items serves no query.",
        )
