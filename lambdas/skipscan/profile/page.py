"""The profile as HTML, drawn by the report's means: one page that needs nothing else and runs no script."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from skipscan import __version__
from skipscan.dynamodb.page import STEP_UNITS
from skipscan.inputs.quantities import counted, enumerated, headline, money, rounded, size, stamp, units
from skipscan.profile.table_map import table_map
from skipscan.profile.table_profile import Collections, Items, MarkerIndex, TableProfile
from skipscan.report import svg
from skipscan.report.card import CardTable, Markup, Strip, card, chart, joined, strips, tag
from skipscan.report.page import headline_row, html_document, page_footer
from skipscan.report.svg import linear
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure

Form = Callable[[float], str]

HEIGHT = 130
UNKNOWN = "too few to say"
DESCRIBED = "by DescribeTable, hours old"
SHOWN_ATTRIBUTES, STRIP_LETTERS = 24, 20
MOST_SIZES = 7
"""The sizes below a histogram that a card has room for; a phone shows every second of them."""


def profile_page(profile: TableProfile) -> str:
    """Return the page. All names of the table are escaped."""
    reading = profile.reading
    is_whole = reading.is_exact
    state = (
        "read whole, all figures but percentiles are exact"
        if is_whole
        else f"{_part(reading.segments_read, reading.segments)} read"
    )
    if not reading.requests:
        state = "described, not read"
    return html_document(
        f"{profile.table}: Skipscan profile",
        tag("a", "Skip to the pictures", class_="skip", href="#pictures"),
        tag(
            "header",
            tag("p", "Skipscan profile", class_="eyebrow"),
            tag("h1", profile.table),
            tag("p", f"{profile.region}, ", tag("b", stamp(profile.made)), class_="run"),
            tag("p", state, class_="state complete" if is_whole else "state"),
        ),
        tag("main", _sections(profile)),
        page_footer(
            f"Made {stamp(profile.made)} by Skipscan {__version__}. This page has names of attributes and common "
            "prefixes of sort keys, no values and no scripts, and makes no network requests."
        ),
    )


def _part(read: int, of: int) -> str:
    return f"{rounded(read)} of {counted(of, 'segment')}"


def _sections(profile: TableProfile) -> Iterator[Markup]:
    yield tag(
        "section",
        tag("h2", _answer(profile), id="answer", class_="answer"),
        headline_row(_headlines(profile)),
        (tag("p", notice, class_="notice") for notice in _notices(profile)),
        aria_labelledby="answer",
    )
    yield tag("div", _cards(profile), id="pictures", class_="pictures", tabindex="-1")


def _answer(profile: TableProfile) -> str:
    if profile.is_empty:
        capacity = profile.money.capacity
        costs = "" if capacity is None else f" Its provisioned capacity costs {money(capacity)} a month."
        return f"{profile.table} is empty.{costs}"
    if profile.advice:
        return profile.advice[0].sentence
    if profile.items is None:
        return f"{profile.table} has {rounded(profile.described_items)} items, by DescribeTable."
    items = f"{profile.table} has {rounded(profile.items.count.estimate)} items"
    if profile.collections is None:
        return f"{items}."
    return f"{items} in {rounded(profile.collections.count.estimate)} item collections."


def _headlines(profile: TableProfile) -> Iterator[Figure]:
    items, reading = profile.items, profile.reading
    if profile.is_empty:
        return
    if items is None:
        yield _top(headline(profile.described_items), "items", DESCRIBED)
        yield _top(size(profile.described_bytes), "size of all items", DESCRIBED)
    else:
        yield _top(headline(round(items.count.estimate)), "items", _within(items.count, rounded))
    if profile.collections is not None:
        yield _top(
            headline(round(profile.collections.count.estimate)),
            "item collections",
            _within(profile.collections.count, rounded),
        )
    if items is not None:
        yield _top(size(items.bytes.estimate), "size of all items", _within(items.bytes, size))
    yield _top(
        money(profile.money.storage.estimate),
        "storage a month",
        f"{profile.money.table_class or 'class unknown'}, without indexes",
    )
    yield _top(
        units(round(reading.read_units, 1)),
        "read units for this page",
        f"{money(reading.dollars)} on demand, {counted(reading.requests, 'request')}",
    )


def _top(words: str, heading: str, note: str) -> Figure:
    return Figure.in_words(words, note, label=heading)


def _notices(profile: TableProfile) -> Iterator[str]:
    reading = profile.reading
    if reading.is_cut:
        yield (
            "Reading stopped within a segment that is larger than all others: no total has an upper bound, and shares "
            "of items and bytes are not known. Read more with --max-dollars."
        )
    if reading.requests and not reading.is_exact and not profile.described_items:
        yield (
            "DescribeTable has not counted this table yet. Without its counts a sample cannot know whether it missed "
            "large item collections, so shares of items and bytes have no interval."
        )
    yield from (f"Left out: {reason}." for reason in profile.missing)


def _cards(profile: TableProfile) -> Iterator[Markup]:
    if len(profile.advice) > 1:
        rest = tag("ol", (tag("li", one.sentence) for one in profile.advice), class_="advice")
        yield card("advice", "Advice", "The most urgent first.", rest, is_broad=True)
    if profile.is_empty:
        return
    if profile.attributes:
        yield card(
            "map",
            "What takes the space",
            "Heights: types of items. Widths: their attributes. Drawn to scale by bytes.",
            table_map(profile),
            is_broad=True,
        )
    if profile.collections is not None:
        yield _collections(profile.collections, is_exact=profile.reading.is_exact)
    if profile.items is not None:
        yield _items(profile.items)
    if profile.attributes:
        yield _attributes(profile)
    yield _money(profile)
    if profile.time_to_live:
        yield _time_to_live(profile)
    yield _skew(profile)
    if profile.entity_types:
        yield _entity_types(profile)
    if profile.indexes or profile.vector_indexes:
        yield _indexes(profile)


def _histogram(title: str, classes: Sequence[tuple[float, float]], says: str) -> Markup:
    """Return the share of each size, or nothing if there is none. `says`: what the picture shows, for who hears it."""
    shown = [place for place, (_, share) in enumerate(classes) if share]
    if not shown:
        return joined()
    kept = classes[: shown[-1] + 1]
    top = linear(100 * max(share for _, share in kept))
    levels = [top.at(100 * share) for _, share in kept]
    step = ceil(len(kept) / MOST_SIZES)
    ends = [
        tag(
            "text",
            size(edge),
            class_="tick middle roomy" if place // step % 2 else "tick middle",
            x=svg.percent((place + 0.5) / len(kept)),
            y=HEIGHT + 17,
        )
        for place, (edge, _) in enumerate(kept)
        if place % step == 0
    ]
    picture = svg.plot(HEIGHT, None, top, says, svg.bars(levels, HEIGHT, "keys"), *ends)
    return chart(title, "keys", tag("div", picture, class_="below"))


def _collections(of: Collections, *, is_exact: bool) -> Markup:
    rows = [
        ("median", _figure(of.items["50"], rounded), _figure(of.bytes["50"], size)),
        ("90th percentile", _figure(of.items["90"], rounded), _figure(of.bytes["90"], size)),
        ("99th percentile", _figure(of.items["99"], rounded), _figure(of.bytes["99"], size)),
        ("largest" if is_exact else "largest seen", rounded(of.largest_items), size(of.largest_bytes)),
    ]
    notes = [
        f"The largest {part.replace('%', ' %')} of the collections: "
        f"{f'{_figure(share, _percent)} of the bytes' if share else UNKNOWN}."
        for part, share in of.top.items()
    ]
    notes.append("Percentiles are within 4.4 %: the brackets have their range.")
    if of.unseen_larger is not None:
        notes.append(
            f"Up to {rounded(of.unseen_larger)} unseen collections may be larger than the largest seen (95 %)."
        )
    if of.local_index_part is not None:
        notes.append(f"The largest has {_percent(of.local_index_part)} of the 10 GB that a local index allows.")
    return card(
        "collections",
        "Item collections",
        f"{_figure(of.count, rounded)} partition keys.",
        _histogram("Share of collections by bytes, %", of.histogram, "Item collections by size"),
        _table("Items and bytes of a collection", ("", "items", "bytes"), rows),
        notes=notes,
    )


def _items(of: Items) -> Markup:
    rows = [
        ("bytes", _figure(of.mean_bytes, size)),
        ("read units, read alone", _figure(of.read_units, _units)),
        ("write units, to the table", _figure(of.write_units, _units)),
        *((f"larger than {name} KB", _figure(share, _percent)) for name, share in of.above.items()),
        ("maps and lists nested", f"up to {of.deepest} deep"),
    ]
    return card(
        "items",
        "Items",
        f"Rounding up is {_percent(of.read_rounding)} of what reads cost one by one, "
        f"and {_percent(of.write_rounding)} of what writes cost.",
        _histogram("Share of items by bytes, %", of.histogram, "Items by size"),
        _table("An average item", ("", "figure"), rows),
    )


def _attributes(profile: TableProfile) -> Markup:
    shown = profile.attributes[:SHOWN_ATTRIBUTES]
    most = max((one.bytes_share.estimate for one in shown), default=1.0) or 1.0

    def strip(place: int) -> Strip:
        one = shown[place]
        kinds = " ".join(sorted(one.types, key=lambda kind: -one.types[kind]))
        return (
            one.name if len(one.name) <= STRIP_LETTERS else f"{one.name[: STRIP_LETTERS - 1]}…",  # in full in the table
            svg.bar(one.bytes_share.estimate / most, "keys"),
            (_percent(one.bytes_share.estimate), _percent(one.presence.estimate), kinds),
        )

    rows = [
        (
            one.name,
            _figure(one.presence, _percent),
            _figure(one.bytes_share, _percent),
            _percent(one.name_share),
            size(one.mean_bytes),
            money(one.dollars_a_month),
            ", ".join(f"{kind} {_percent(share)}" for kind, share in {**one.types, **one.forms}.items()),
        )
        for one in profile.attributes
    ]
    columns = ("attribute", "in items", "of the bytes", "its name", "mean", "a month", "types and forms")
    return card(
        "attributes",
        "Attributes",
        f"{counted(len(profile.attributes), 'attribute')}; their names take "
        f"{_percent(sum(one.name_share for one in profile.attributes))} of the bytes.",
        strips(
            "Attributes by bytes", ("attribute", "bytes", "of bytes", "in items", "type"), map(strip, range(len(shown)))
        ),
        table=CardTable("Attributes with 95 % intervals", columns, rows, (6,)),
    )


def _entity_types(profile: TableProfile) -> Markup:
    rows = [
        (one.prefix, *(_figure(part, _percent) for part in (one.keys, one.items, one.bytes)), ", ".join(one.attributes))
        for one in profile.entity_types
    ]
    return card(
        "types",
        "Types of items",
        "By the prefixes of sort keys that many item collections share.",
        _table("Shares", ("prefix", "of collections", "of items", "of bytes", "attributes"), rows, (4,)),
        is_broad=True,
    )


def _time_to_live(profile: TableProfile) -> Markup:
    live = profile.time_to_live
    if live is None or live.attribute is None:
        return card("ttl", "Time to live", "Off: no item expires.", is_broad=True)
    if live.presence is None:
        return card("ttl", "Time to live", f"Attribute {live.attribute}. No item was read.", is_broad=True)
    rows = [(name, _figure(share, _percent)) for name, share in live.states.items()]
    says = f"Attribute {live.attribute}, in {_figure(live.presence, _percent)} of the items."
    return card("ttl", "Time to live", says, _table("Share of all items", ("expiry", "items"), rows), is_broad=True)


def _indexes(profile: TableProfile) -> Markup:
    rows = [
        (
            one.name,
            one.projection,
            _figure(one.items, _percent),
            size(one.mean_bytes),
            money(one.dollars_a_month),
            "" if one.write_units is None else f"{one.write_units:.2f}",
        )
        for one in profile.indexes
    ]
    columns = ("index", "projection", "items in it", "bytes each", "storage a month", "write units an item")
    notes = [f"Vector indexes, not measured: {', '.join(profile.vector_indexes)}."] if profile.vector_indexes else []
    notes += [
        f"{enumerated([one.name, *one.same_content])} have equal content: the same items with the same attributes."
        for number, one in enumerate(profile.indexes)
        if one.same_content and not any(one.name in earlier.same_content for earlier in profile.indexes[:number])
    ]
    table = _table("Secondary indexes", columns, rows, (1,))
    return card("indexes", "Indexes", counted(len(rows), "secondary index"), table, notes=notes, is_broad=True)


def _skew(profile: TableProfile) -> Markup:
    of = profile.skew
    rows = [
        (
            "bytes in the fullest tenth of the hash space",
            _figure(of.fullest_tenth, _percent) if of.fullest_tenth else UNKNOWN,
        )
    ]
    if of.partitions_by_size is not None:
        rows.append(("partitions, by size", f"{rounded(of.partitions_by_size)} or more"))
    if of.partitions_by_throughput is not None:
        served = (
            f"{rounded(of.read_units_per_second or 0)} read and {rounded(of.write_units_per_second or 0)} write units"
        )
        rows += [
            ("served a second", served),
            ("partitions, by throughput", f"{rounded(of.partitions_by_throughput)} or more"),
        ]
    notes = [
        "Evenly spread, each tenth has 10 %: ten equal parts of the hash space. A partition holds 10 GB and serves "
        "3,000 read and 1,000 write units a second. DynamoDB does not show partitions; an item collection without a "
        "local index may lie in several."
    ]
    table = _table("Hash space and partitions", ("", "figure"), rows)
    says = "How evenly the items lie over the hash space."
    return card("skew", "Skew", says, table, notes=notes, is_broad=True)


def _money(profile: TableProfile) -> Markup:
    of = profile.money
    own = of.table_class or "Standard"
    other = "Standard" if own == "Standard-IA" else "Standard-IA"
    rows = [
        (f"storage a month, {own}", _figure(of.storage, money)),
        (f"storage a month, {other}", _figure(of.storage_other_class, money)),
        *([] if of.capacity is None else [("provisioned capacity a month", money(of.capacity))]),
        *((name, _figure(price, money)) for name, price in of.ways.items()),
        *(_marker_index(of.marker_index) if of.marker_index else ()),
    ]
    below = money(of.infrequent_access_pays_below)
    notes = [
        f"Standard-IA is cheaper while reads and writes cost less than {below} a month in Standard.",
        f"A scan reads 4 KB for {STEP_UNITS} read units. Capacity: {of.billing or 'unknown'}. "
        f"Prices: {profile.region}, {'; '.join(of.prices)}. Storage and capacity: prices of {of.storage_region}.",
    ]
    if of.marker_index:
        notes.append(
            "Markers: one small item for each collection, in an index of its own. A keeper of new ones costs a read "
            "unit for each item that is added."
        )
    return card(
        "money", "Money", "What it costs once, or in a month.", _table("Dollars", ("", "dollars"), rows), notes=notes
    )


def _marker_index(of: MarkerIndex) -> Iterator[tuple[str, str]]:
    yield "list the keys through markers", money(of.listing)
    yield "put the markers", money(of.set_up)
    yield "store the markers, a month", money(of.storage)
    after = "never" if of.pays_after is None else counted(max(1, round(of.pays_after)), "listing")
    yield "markers pay after", after


def _table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int] = ()) -> Markup:
    return CardTable(caption, columns, rows, words).markup()


def _figure(interval: Interval, form: Form) -> str:
    """Return an estimate with its interval, "or more" without a high end, or that it is not known."""
    if interval.low == interval.high:
        return form(interval.estimate)
    if not interval.is_bounded:
        return f"{form(interval.low)} or more"
    if form is _percent and (interval.low, interval.high) == (0.0, 1.0):
        return f"{form(interval.estimate)} of what was read"
    return f"{form(interval.estimate)} ({form(interval.low)} to {form(interval.high)})"


def _within(interval: Interval, form: Form) -> str:
    if interval.low == interval.high:
        return "exact"
    return (
        f"{form(interval.low)} or more" if not interval.is_bounded else f"{form(interval.low)} to {form(interval.high)}"
    )


def _percent(part: float) -> str:
    # Less would have an exponent.
    return "<0.001 %" if 0 < part < 1e-5 else f"{100 * part:.3g} %"


def _units(count: float) -> str:
    return f"{count:.2f}"
