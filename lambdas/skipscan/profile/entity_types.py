"""Types of items in a single-table design, by the prefixes of sort keys that many item collections share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import BYTES, KEYS, Figures
from skipscan.profile.section import Section, percentage, told
from skipscan.report.card import card, card_table
from skipscan.sample.interval import Interval

MOST_TYPES, MOST_CELLS = 20, 8
"""The types, and the attributes of each, that a profile names. Nobody reads a longer page."""

COMMON_KEYS, COMMON_PART = 10, 0.01
"""The least number of collections, and the least part of them, with a prefix that the profile names. A rarer prefix may
be a value of the data."""


@dataclass(frozen=True)
class EntityType:
    """Items whose sort keys share a prefix. `attributes`: the share of the type's bytes, by name, the largest first."""

    prefix: str
    keys: Interval
    items: Interval
    bytes: Interval
    attributes: Mapping[str, float]


def _found(figures: Figures) -> Iterator[EntityType]:
    """Yield the types, the largest first."""
    counts = figures.counts
    least = max(COMMON_KEYS, COMMON_PART * counts[KEYS])
    common = [name for name in figures.names("prefix bytes") if counts["prefix keys", name] >= least]
    for name in common[:MOST_TYPES]:
        cells = ((count, one) for one, count in figures.under["prefix attribute", name].items())
        size = counts["prefix bytes", name]
        yield EntityType(
            name,
            keys=figures.share(("prefix keys", name), of=KEYS),
            items=figures.share(("prefix items", name)),
            bytes=figures.share(("prefix bytes", name), of=BYTES),
            attributes={one: count / size for count, one in sorted(cells, reverse=True)[:MOST_CELLS]},
        )


def entity_types_section(figures: Figures, _of: Circumstances) -> Section:
    """Return the shares of each type."""
    found = [*_found(figures)]
    rows = [
        (one.prefix, *(told(part, percentage) for part in (one.keys, one.items, one.bytes)), ", ".join(one.attributes))
        for one in found
    ]
    columns = ("prefix", "of collections", "of items", "of bytes", "attributes")
    shown = card(
        "types",
        "Types of items",
        "By the prefixes of sort keys that many item collections share.",
        card_table("Shares", columns, rows, (4,)),
        is_broad=True,
    )
    return Section(found, shown if found else None)
