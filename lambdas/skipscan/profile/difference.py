"""What changed between two profiles of a table, read from their documents.

A figure of a sample has an interval. A change is certain only if the intervals do not overlap, and an attribute or a
type of items is certainly new only if the earlier sample would have shown it, or read the table whole.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from skipscan.errors import NotFoundError
from skipscan.inputs.quantities import money, rounded, size
from skipscan.lines.line_format import escaped
from skipscan.profile.profiling import MOST_ATTRIBUTES, MOST_TYPES
from skipscan.sample.clusters import unseen

Document = Mapping[str, Any]


@dataclass(frozen=True)
class ComparedFigure:
    """A figure before and after, as estimates. `is_certain`: whether their 95 % intervals do not overlap."""

    name: str
    old: float
    new: float
    is_certain: bool

    @property
    def times(self) -> float | None:
        return self.new / self.old if self.old else None


@dataclass(frozen=True)
class Appeared:
    """A name that only one of two profiles has. `is_certain`: whether the other would have shown it.

    `share`: of the items, or of the collections for a type of items; `None` for an index.
    """

    name: str
    share: float | None
    is_certain: bool


@dataclass(frozen=True)
class ProfileDifference:
    """What changed from one profile to another.

    `growth`: of totals. `skew`: shares of the bytes that the largest parts hold. `types`: attributes with other types
    of values, each with the types before and after; `doubtful_types`: those of which a sample may have missed a type.
    `new_advice`, `gone_advice`: of rules that speak in one of both.
    """

    table: str
    old: str
    new: str
    growth: Sequence[ComparedFigure]
    skew: Sequence[ComparedFigure]
    new_attributes: Sequence[Appeared]
    gone_attributes: Sequence[Appeared]
    new_types: Sequence[Appeared]
    gone_types: Sequence[Appeared]
    new_indexes: Sequence[Appeared]
    gone_indexes: Sequence[Appeared]
    types: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    doubtful_types: Sequence[str]
    new_advice: Sequence[str]
    gone_advice: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def is_profile(document: object) -> bool:
    """Return whether a document is one of `TableProfile.to_json`."""
    return isinstance(document, Mapping) and {"reading", "attributes", "advice", "money"} <= document.keys()


def profile_difference(old: Document, new: Document) -> ProfileDifference:
    """Return what changed; raise `NotFoundError` for profiles of different tables."""
    if (old["table"], old["region"]) != (new["table"], new["region"]):
        raise NotFoundError(
            "the first profile",
            rule=f"is of {old['table']} in {old['region']}, and the second of {new['table']} in {new['region']}",
            remedy="compare profiles of the same table",
        )
    attributes = (_shares(old, "attributes", "name", "presence"), _shares(new, "attributes", "name", "presence"))
    kinds = (_shares(old, "entity_types", "prefix", "keys"), _shares(new, "entity_types", "prefix", "keys"))
    indexes = ({one["name"]: None for one in of["indexes"]} for of in (old, new))
    old_indexes, new_indexes = indexes
    types = {name: (found, is_certain) for name, found, is_certain in _types(old, new)}
    rules = tuple({one["rule"]: one["sentence"] for one in of["advice"]} for of in (old, new))
    return ProfileDifference(
        table=new["table"],
        old=old["made"],
        new=new["made"],
        growth=list(_grown(old, new, TOTALS)),
        skew=list(_grown(old, new, SKEWS)),
        new_attributes=list(_appeared(attributes[1], attributes[0], old, MOST_ATTRIBUTES)),
        gone_attributes=list(_appeared(attributes[0], attributes[1], new, MOST_ATTRIBUTES)),
        new_types=list(_appeared(kinds[1], kinds[0], old, MOST_TYPES)),
        gone_types=list(_appeared(kinds[0], kinds[1], new, MOST_TYPES)),
        new_indexes=[Appeared(name, None, is_certain=True) for name in new_indexes if name not in old_indexes],
        gone_indexes=[Appeared(name, None, is_certain=True) for name in old_indexes if name not in new_indexes],
        types={name: found for name, (found, _) in types.items()},
        doubtful_types=[name for name, (_, is_certain) in types.items() if not is_certain],
        new_advice=[sentence for rule, sentence in rules[1].items() if rule not in rules[0]],
        gone_advice=[sentence for rule, sentence in rules[0].items() if rule not in rules[1]],
    )


TOTALS: Mapping[str, tuple[str, ...]] = {
    "items": ("items", "count"),
    "bytes": ("items", "bytes"),
    "item collections": ("collections", "count"),
    "bytes of an item": ("items", "mean_bytes"),
    "storage a month": ("money", "storage"),
}
SKEWS: Mapping[str, tuple[str, ...]] = {
    "bytes in the largest hundredth of the collections": ("collections", "top", "1%"),
    "bytes in the fullest tenth of the hash space": ("skew", "fullest_tenth"),
}


def _grown(old: Document, new: Document, figures: Mapping[str, Sequence[str]]) -> Iterator[ComparedFigure]:
    """Return the figures that both profiles have."""
    for name, path in figures.items():
        before, after = _at(old, path), _at(new, path)
        if before and after:
            apart = _above(after["low"], before["high"]) or _above(before["low"], after["high"])
            yield ComparedFigure(name, before["estimate"], after["estimate"], apart)


def _above(low: float | None, high: float | None) -> bool:
    """Return whether one interval begins above the end of another; an unknown end is as far as can be."""
    return low is not None and high is not None and low > high


def _at(document: Document, path: Sequence[str]) -> Mapping[str, Any] | None:
    found: Any = document
    for name in path:
        found = found and found.get(name)
    return found or None


def _shares(document: Document, section: str, name: str, share: str) -> dict[str, Mapping[str, float]]:
    return {one[name]: one[share] for one in document[section]}


def _appeared(
    here: Mapping[str, Mapping[str, float]], there: Mapping[str, object], other: Document, shown: int
) -> Iterator[Appeared]:
    """Return the names of one profile that the other one lacks. `shown`: how many names a profile has."""
    unseen = _unseen(other)
    for name, share in here.items():
        if name not in there:
            yield Appeared(name, share["estimate"], is_certain=share["low"] > unseen and len(there) < shown)


def _unseen(of: Document) -> float:
    """Return the largest share of the table that a profile may have missed (95 %): of a sample of nothing, all."""
    reading = of["reading"]
    return 0.0 if reading["is_exact"] else unseen(reading["segments_read"])


def _types(old: Document, new: Document) -> Iterator[tuple[str, tuple[list[str], list[str]], bool]]:
    """Yield the attributes with other types, and whether the other profile would have shown one of these."""
    known = {one["name"]: one for one in old["attributes"]}
    for after in new["attributes"]:
        before = known.get(after["name"], after)
        lacks = (
            share * one["presence"]["low"] > _unseen(of)
            for one, other, of in ((before, after, new), (after, before, old))
            for kind, share in one["types"].items()
            if kind not in other["types"]
        )
        if found := list(lacks):
            yield after["name"], (sorted(before["types"]), sorted(after["types"])), any(found)


DOUBT = " (a sample may have missed it)"


def words(of: ProfileDifference) -> Iterator[str]:
    """Return the difference as lines for people; a name with control characters has them escaped."""
    return map(escaped, _lines(of))


def _lines(of: ProfileDifference) -> Iterator[str]:
    yield f"{of.table}, {of.old} to {of.new}"
    for one in of.growth:
        form = FORMS.get(one.name, rounded)
        yield f"  {one.name}: {form(one.old)} to {form(one.new)}{_change(one)}"
    for one in of.skew:
        worse = " (worse)" if one.is_certain and one.new > one.old else ""
        yield f"  {one.name}: {one.old:.1%} to {one.new:.1%}{worse}"
    for sign, noun, found in (
        ("+", "attribute", of.new_attributes),
        ("-", "attribute", of.gone_attributes),
        ("+", "type of items", of.new_types),
        ("-", "type of items", of.gone_types),
        ("+", "index", of.new_indexes),
        ("-", "index", of.gone_indexes),
    ):
        for name in found:
            share = "" if name.share is None else f", {name.share:.1%} of the {'items' if noun[0] == 'a' else 'keys'}"
            doubt = "" if name.is_certain else DOUBT
            yield f"{sign} {noun} {name.name}{share}{doubt}"
    for attribute, (before, after) in of.types.items():
        doubt = DOUBT if attribute in of.doubtful_types else ""
        yield f"~ attribute {attribute}: {', '.join(before)} to {', '.join(after)}{doubt}"
    yield from (f"+ advice: {sentence}" for sentence in of.new_advice)
    yield from (f"- advice: {sentence}" for sentence in of.gone_advice)


FORMS: Mapping[str, Callable[[float], str]] = {"bytes": size, "bytes of an item": size, "storage a month": money}


def _change(one: ComparedFigure) -> str:
    if one.times is None or one.new == one.old:
        return ""
    change = f"{one.times - 1:+.1%}"
    return f" ({change})" if one.is_certain else f" ({change}, within the error of the samples)"
