"""Attributes by the space that they take, and what their types and forms lead to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skipscan.inputs.quantities import about_percent, counted, enumerated, money, size
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import BYTES, ITEMS, Figures
from skipscan.profile.form import NUMBER, SECONDS
from skipscan.profile.section import LEAST_DOLLARS, NOTABLE, Section, attributes_named, percentage, shortened, told
from skipscan.report import svg
from skipscan.report.card import card, card_table, strips
from skipscan.sample.interval import Interval

MOST_ATTRIBUTES, SHOWN_ATTRIBUTES, STRIP_LETTERS = 60, 24, 20
"""The attributes that a profile names, those that its picture shows, and the letters of a name in it. Nobody reads a
longer page."""

EXPIRY_WORDS = ("ttl", "expir")
NAMES_PART, NUMBERS_PART = 0.15, 0.9
"""The share of the bytes that names take, and of an attribute's values that are numbers as text, to advise."""

COLUMNS = ("attribute", "in items", "of the bytes", "its name", "mean", "a month", "types and forms")


@dataclass(frozen=True)
class Attribute:
    """`bytes_share`: of all bytes, with its names. `name_share`: of all bytes, its names alone.

    `types`: the share of its values of each type. `forms`: the share with a form, such as numbers as text.
    `dollars_a_month`: of the table's storage.
    """

    name: str
    presence: Interval
    bytes_share: Interval
    name_share: float
    mean_bytes: float
    types: Mapping[str, float]
    forms: Mapping[str, float]
    dollars_a_month: float


def attributes_section(figures: Figures, of: Circumstances) -> Section:
    """Return the figures of each attribute."""
    found = [*_found(figures, of)]
    bars = (
        (
            shortened(one.name, STRIP_LETTERS),  # in full in the table
            svg.bar(one.bytes_share.estimate / found[0].bytes_share.estimate, "keys"),
            percentage(one.bytes_share.estimate),
            percentage(one.presence.estimate),
            " ".join(sorted(one.types, key=lambda kind: -one.types[kind])),
        )
        for one in found[:SHOWN_ATTRIBUTES]
    )
    rows = [
        (
            one.name,
            told(one.presence, percentage),
            told(one.bytes_share, percentage),
            percentage(one.name_share),
            size(one.mean_bytes),
            money(one.dollars_a_month),
            ", ".join(f"{kind} {percentage(share)}" for kind, share in {**one.types, **one.forms}.items()),
        )
        for one in found
    ]
    in_names = sum(one.name_share for one in found)
    storage = of.stored(figures.total(BYTES).estimate, figures.total(ITEMS).estimate)
    shown = card(
        "attributes",
        "Attributes",
        f"{counted(len(found), 'attribute')}; their names take {percentage(in_names)} of the bytes.",
        strips("Attributes by bytes", ("attribute", "bytes", "of bytes", "in items", "type"), bars),
        table=card_table("Attributes with 95 % intervals", COLUMNS, rows, (6,)),
    )
    return Section(found, shown if found else None, advice=dict(_advice(found, of, in_names * storage)))


def _found(figures: Figures, of: Circumstances) -> Iterator[Attribute]:
    """Yield the attributes, the largest first."""
    counts, total = figures.counts, figures.counts[BYTES] or 1
    monthly = of.stored(figures.total(BYTES).estimate, 0.0)
    for name in figures.names("attribute bytes")[:MOST_ATTRIBUTES]:
        held, size_bytes = counts["attribute items", name], counts["attribute bytes", name]
        types, forms = (
            {one: count / held for one, count in figures.under[kind, name].items()} for kind in ("type", "form")
        )
        yield Attribute(
            name,
            presence=figures.share(("attribute items", name)),
            bytes_share=figures.share(("attribute bytes", name), of=BYTES),
            name_share=counts["name bytes", name] / total,
            mean_bytes=size_bytes / held,
            types=types,
            forms=forms,
            dollars_a_month=monthly * size_bytes / total,
        )


def _advice(found: Sequence[Attribute], of: Circumstances, dollars_of_names: float) -> Iterator[tuple[str, str]]:
    """Yield a sentence for each rule that applies. `dollars_of_names`: a month, for the storage of all names."""
    expiring = [
        one.name
        for one in found
        if any(word in one.name.lower() for word in EXPIRY_WORDS) and one.forms.get(SECONDS, 0) > 1 - NOTABLE
    ]
    if expiring and of.expiry and of.expiry.attribute is None:
        look = "look" if len(expiring) > 1 else "looks"
        yield (
            "expiry_off",
            f"{attributes_named(*expiring)} {look} like an expiry time in seconds, but time to live is off: nothing "
            "expires.",
        )
    mixed = [one for one in found if sorted(one.types.values())[-2:-1] > [NOTABLE] and set(one.types) - {"NULL"}]
    if mixed:
        types = enumerated([f"{kind} ({about_percent(share)})" for kind, share in sorted(mixed[0].types.items())])
        more = f" The same is true of {counted(len(mixed) - 1, 'more attribute')}." if len(mixed) > 1 else ""
        yield (
            "mixed_types",
            f"{attributes_named(mixed[0].name)} has values of several types: {types}. Conditions and indexes see only "
            f"one of them.{more}",
        )
    part = sum(one.name_share for one in found)
    if part >= NAMES_PART and dollars_of_names >= LEAST_DOLLARS:
        longest = max(found, key=lambda one: one.name_share)
        yield (
            "long_names",
            f"{about_percent(part)} of the bytes are attribute names, {money(dollars_of_names)} of storage a month; "
            f"{longest.name} alone is {about_percent(longest.name_share)}. Shorter names would save these bytes: "
            "skipscan retrofit renames attributes that are no keys.",
        )
    # The order and the form of a partition key do not matter, and its values may be shards.
    partition_keys = {*of.partition_key, *(key.name for index in of.indexes for key in index.partition_key)}
    texts = [one for one in found if one.forms.get(NUMBER, 0) >= NUMBERS_PART]
    worth = [one.name for one in texts if one.bytes_share.estimate >= NOTABLE and one.name not in partition_keys][:3]
    if worth:
        hold = "hold" if len(worth) > 1 else "holds"
        yield (
            "numbers_as_text",
            f"{attributes_named(*worth)} {hold} numbers as text. Text sorts 10 before 9, and takes about twice the "
            "bytes of a number.",
        )
