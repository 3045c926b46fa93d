"""Makes a profile from the segments that were read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

from skipscan.inputs.quantities import counted, money, units
from skipscan.profile.attributes import attributes_section
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.costs import costs_section
from skipscan.profile.entity_types import entity_types_section
from skipscan.profile.expiry import expiry_section
from skipscan.profile.figures import ITEMS, Figures
from skipscan.profile.indexes import indexes_section
from skipscan.profile.item_collections import item_collections_section
from skipscan.profile.items import items_section
from skipscan.profile.section import Section
from skipscan.profile.segments import ReadSegments
from skipscan.profile.skew import skew_section
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure

MOST_SENTENCES = 7
URGENCY = (
    "expiry_never",
    "expiry_off",
    "local_index_bound",
    "mixed_types",
    "uneven",
    "same_index",
    "empty_index",
    "large_items",
    "long_names",
    "other_class",
    "numbers_as_text",
    "rounding",
)
"""The rules of advice, the most urgent first: defects, coming problems, costs."""


@dataclass(frozen=True)
class TableProfile:
    """`sections`: by their names in JSON, those that are missing, too."""

    of: Circumstances
    figures: Figures
    sections: Mapping[str, Section]

    @property
    def is_empty(self) -> bool:
        """Whether the whole table was read and has no item, so that no figure means anything."""
        return self.figures.read.is_whole and not self.figures.counts[ITEMS]

    @property
    def advice(self) -> Sequence[tuple[str, str]]:
        """At most seven sentences, each with its rule, the most urgent first."""
        said = {rule: words for section in self.sections.values() for rule, words in section.advice.items()}
        return sorted(said.items(), key=lambda one: URGENCY.index(one[0]))[:MOST_SENTENCES]

    def to_json(self) -> dict[str, Any]:
        """Return the profile as JSON; a section that is missing, and the unknown end of an interval, is null."""
        of, described = self.of, self.of.description
        document: dict[str, Any] = _json(
            {
                "table": of.table,
                "region": of.region,
                "made": of.made,
                "partition_key": of.partition_key,
                "described_items": self.figures.described_items,
                "described_bytes": self.figures.described_bytes,
                **{name: section.figures for name, section in self.sections.items()},
                "vector_indexes": described.vector_indexes if described else (),
                "missing": of.missing,
                "advice": [{"rule": rule, "sentence": words} for rule, words in self.advice],
            }
        )
        return document


def _json(value: Any) -> Any:
    if isinstance(value, Interval):
        return value.to_json(6)
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {name: _json(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


def profiled(read: ReadSegments, of: Circumstances) -> TableProfile:
    """Return the profile of a table. Sections that were not read, or not described, are left out."""
    described = of.description
    figures = Figures(read, described.items, described.size_bytes) if described else Figures(read)
    return TableProfile(of, figures, {name: section(figures, of) for name, section in SECTIONS.items()})


def _reading(figures: Figures, of: Circumstances) -> Section:
    """Return what was read. Without the permission to read items, nothing.

    `is_exact`: everything, so that no figure is an estimate. `is_cut`: reading stopped in the largest segment, so that
    no total and no share has an upper bound.
    """
    read, dollars = figures.read, of.read(figures.read.read_units)
    return Section(
        {
            "segments": read.segments,
            "segments_read": read.ended,
            "items": figures.counts[ITEMS],
            "requests": read.requests,
            "read_units": read.read_units,
            "dollars": dollars,
            "is_exact": figures.read.is_whole,
            "is_cut": read.is_cut,
            "seed": of.seed,
        },
        top=[
            Figure.in_words(
                units(round(read.read_units, 1)),
                f"{money(dollars)} on demand, {counted(read.requests, 'request')}",
                label="read units for this page",
            )
        ],
    )


SECTIONS: Mapping[str, Callable[[Figures, Circumstances], Section]] = {
    "reading": _reading,
    "collections": item_collections_section,
    "items": items_section,
    "attributes": attributes_section,
    "entity_types": entity_types_section,
    "time_to_live": expiry_section,
    "indexes": indexes_section,
    "skew": skew_section,
    "money": costs_section,
}
"""In the order of the JSON."""
