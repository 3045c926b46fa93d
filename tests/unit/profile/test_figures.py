"""The intervals of a profile hold the truth in 95 of 100 samples, or say that nothing is known."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import ceil, inf
from random import Random

import pytest

from skipscan.profile.figures import BYTES, ITEMS, KEYS, Figures
from skipscan.profile.segments import ReadSegments
from skipscan.profile.shares import fullest, largest_share, share
from skipscan.profile.tally import CountName, SegmentTally, TallyRules
from skipscan.sample.interval import Interval

RULES = TallyRules(None)
SEGMENTS, READ, COLLECTIONS = 400, 60, 4000

SEEDS, TABLES = 300, 10
MARKED = ("marked",)

Collection = tuple[int, int, int]
"""Items, bytes of each, and how many of the items have a property."""


def flat(items: int, size: int, marked: float) -> Callable[[Random], Collection]:
    return lambda random: (items, size, sum(random.random() < marked for _ in range(items)))


def pareto(shape: float, most: int, size: int = 100, *, of_whole: float = 0.3) -> Callable[[Random], Collection]:
    """Collections with a heavy tail, which have a property in all of their items or in none."""

    def drawn(random: Random) -> Collection:
        items = min(most, int(random.paretovariate(shape)))
        return items, size, items if random.random() < of_whole else 0

    return drawn


def lognormal(spread: float, *, of_large: bool = False) -> Callable[[Random], Collection]:
    def drawn(random: Random) -> Collection:
        items = max(1, min(5000, int(random.lognormvariate(2, spread))))
        return items, int(random.lognormvariate(5, 1)) + 1, items if of_large and items > 20 else items // 3

    return drawn


def mixed(rare: float, large: Collection, small: Collection) -> Callable[[Random], Collection]:
    return lambda random: large if random.random() < rare else small


SHAPES: dict[str, Callable[[Random], Collection]] = {
    "one item each": flat(1, 200, 0.5),
    "one item, a rare property": flat(1, 200, 0.01),
    "one item, a very rare property": flat(1, 200, 0.0005),
    "ten items": flat(10, 300, 0.2),
    "ten items, nearly all have it": flat(10, 300, 0.995),
    "a property of whole collections": pareto(3.0, 50),
    "a tail of shape 2": pareto(2.0, 10_000),
    "a tail of shape 1.5": pareto(1.5, 10_000),
    "a tail of shape 1.2": pareto(1.2, 10_000),
    "a tail of shape 1": pareto(1.0, 10_000),
    "a tail, a rare property": pareto(1.5, 10_000, of_whole=0.02),
    "lognormal": lognormal(1.0),
    "a wide lognormal": lognormal(1.8),
    "a wide lognormal, large ones have it": lognormal(1.5, of_large=True),
    "one in a hundred is large": mixed(0.01, (1000, 100, 1000), (2, 100, 0)),
    "one in a thousand is large": mixed(0.001, (10_000, 100, 0), (5, 100, 1)),
    "one in a thousand is large and has it": mixed(0.001, (10_000, 100, 10_000), (5, 100, 0)),
    "one in four thousand is huge": mixed(0.00025, (100_000, 100, 100_000), (5, 100, 1)),
    "large items in few": mixed(0.02, (3, 100_000, 3), (3, 100, 0)),
    "halves": mixed(0.5, (1, 50, 1), (20, 400, 3)),
}


def tallies(shape: Callable[[Random], Collection], random: Random) -> Iterator[SegmentTally]:
    """Return the segments of a made-up table, counted."""
    dealt = sorted((random.randrange(SEGMENTS), *shape(random)) for _ in range(COLLECTIONS))
    by_segment = {segment: [one[1:] for one in those] for segment, those in groupby(dealt, key=lambda one: one[0])}
    for segment in range(SEGMENTS):
        tally = SegmentTally(RULES, segment=segment)
        for items, size, marked in by_segment.get(segment, ()):
            tally.ended([(items, items * size, set())])
            tally.counts.update(
                {ITEMS: items, BYTES: items * size, MARKED: marked, ("read steps",): items * ceil(size / 4096)}
            )
        yield tally


def said(figures: Figures) -> dict[str, Interval | None]:
    return {
        "keys": figures.keys,
        "items": figures.total(ITEMS),
        "bytes": figures.total(BYTES),
        "items with it": figures.share(MARKED),
        "bytes of an item": figures.item_bytes(),
        "read steps of an item": figures.steps(("read steps",), 4096),
        "median items": figures.quantile(0.5, "items"),
        "ninth tenth of items": figures.quantile(0.9, "items"),
        "99th hundredth of bytes": figures.quantile(0.99, "bytes"),
        "the largest tenth": figures.top(0.1),
        "the largest hundredth": figures.top(0.01),
        "the largest thousandth": figures.top(0.001),
        "the fullest tenth of the hash space": figures.fullest_tenth(),
    }


def overlaps(interval: Interval | None, truth: Interval | None) -> bool:
    """Return whether an interval holds the truth, of which bins show an interval, too."""
    slack = 1e-9
    return (
        interval is None
        or truth is None
        or (interval.low <= truth.high * (1 + slack) and truth.low <= interval.high * (1 + slack))
    )


def of_segments(*counts: Mapping[CountName, int], segments: int = 40, **described: int) -> Figures:
    """Return the figures of segments that have these counts, out of so many."""
    read = ReadSegments(segments, [])
    for place, each in enumerate(counts):
        tally = SegmentTally(RULES, segment=place * segments // len(counts))
        tally.counts.update(each)
        read.tallies.append(tally)
    return Figures(read, **described)


def of_bytes(sizes: Iterable[int], segments: int) -> Figures:
    counts: list[Mapping[CountName, int]] = [{BYTES: size} for size in sizes]
    return of_segments(*counts, segments=segments)


def marked(*of_ten: int) -> list[Mapping[CountName, int]]:
    """Return segments of ten items each, of which so many are marked."""
    return [{KEYS: 10, ITEMS: 10, BYTES: 1000, MARKED: number} for number in of_ten]


def ends(interval: Interval | None) -> list[float]:
    assert interval is not None
    return [interval.low, interval.estimate, interval.high]


def test_a_rare_property_has_the_limits_of_poisson() -> None:
    """A. Hald, Statistical Tables: from one observation 0.0253 to 5.572, from ten 4.795 to 18.39."""
    for have, low, high in ((1, 0.0253, 5.572), (10, 4.795, 18.39)):
        share = of_segments(*marked(*[1] * have, *[0] * (20 - have))).share(MARKED, of=KEYS)
        assert share.estimate == have / 200
        assert share.low <= share.estimate * low / have * 1.001
        assert share.high >= share.estimate * high / have * 0.999
        lacking = of_segments(*marked(*[9] * have, *[10] * (20 - have))).share(MARKED, of=KEYS)
        assert [1 - each for each in reversed(ends(lacking))] == pytest.approx(ends(share))


def test_the_fullest_tenth_needs_segments_of_each_tenth() -> None:
    def found(read: int, segments: int) -> Interval | None:
        counts: list[Mapping[CountName, int]] = [
            {KEYS: 1, ITEMS: 1, BYTES: 90 + number % 4 * 10} for number in range(read)
        ]
        return of_segments(
            *counts, segments=segments, described_items=segments, described_bytes=segments * 105
        ).fullest_tenth()

    assert found(39, 400) is None, "three of one tenth"
    sample = found(40, 400)
    assert sample is not None
    assert sample.low == 0.1 <= sample.estimate <= sample.high < 0.2
    assert found(1, 1) is found(4, 4) is found(25, 25) is None, "the ends of tenths lie within segments"
    assert ends(found(20, 20))[0] == ends(found(20, 20))[2]
    assert of_bytes([0] * 20, 20).fullest_tenth() is None


def test_a_quantile_is_a_bin_of_a_whole_table_and_wider_for_a_sample() -> None:
    def quantiles(segments: int, read: int) -> list[list[float]]:
        found = ReadSegments(segments, [SegmentTally(RULES) for _ in range(read)])
        for tally in found.tallies:
            for items in (1, 2, 3, 4, 5):
                tally.ended([(items, 100, set())])
        return [ends(Figures(found).quantile(part, "items")) for part in (0.2, 0.5, 0.9)]

    whole = [[1.0] * 3, [3.0] * 3, [5.0] * 3]
    assert quantiles(20, 20) == quantiles(200, 100) == whole, "many segments that are alike say as much as all"
    # Poisson's limits of 20 segments: one fifth may be 12 to 31 hundredths. The largest 2.5 of a sample are not known.
    assert quantiles(40, 20) == [[1.0, 1.0, 2.0], [1.0, 3.0, 5.0], [4.0, 5.0, inf]]
    nothing = Figures(ReadSegments(4, []))
    assert ends(nothing.quantile(0.5, "items")) == [0.0] * 3
    assert ends(nothing.share(BYTES)) == [0.0, 0.0, 1.0]


def test_figures_of_a_sample_reach_as_far_as_the_counts_of_describe_table() -> None:
    """30 of 60 segments, which are alike: 300 items, so 600 of the whole table."""

    def of(items: int) -> Figures:
        return of_segments(*marked(*[1] * 30), segments=60, described_items=items, described_bytes=100 * items)

    assert [ends(of(items).total(ITEMS)) for items in (1000, 500, 200)] == [
        [600.0, 600.0, 1000.0],
        [500.0, 600.0, 600.0],
        [300.0, 600.0, 600.0],
    ]
    assert ends(of(0).total(ITEMS)) == [600.0, 600.0, inf]
    assert ends(of(0).item_bytes()) == [0.0, 100.0, inf]
    assert of(0).unseen_larger() == pytest.approx(4.32, abs=0.01), "half of them missed: 0.5 ** 4.32 is 5 %"
    error = of(0).keys.relative_error
    assert 0.05 < error < 0.2
    for items, times in ((1200, 0.5 - error), (590, 600 / 590), (300, 2 + error)):
        low, high = 0.1 * times + min(0, 1 - times), 0.1 * times + max(0, 1 - times)
        assert ends(of(items).share(MARKED)) == pytest.approx([max(0, low), 0.1, min(1, high)])


@pytest.mark.slow
@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", SHAPES)
def test_intervals_hold_in_95_of_100_samples(name: str) -> None:
    held: Counter[str] = Counter()
    for number in range(TABLES):
        made = [*tallies(SHAPES[name], Random(number))]
        table = Figures(ReadSegments(SEGMENTS, made))
        truth = said(table)
        for seed in range(SEEDS // TABLES):
            read = ReadSegments(SEGMENTS, Random(seed).sample(made, READ))
            figures = Figures(read, table.counts[ITEMS], table.counts[BYTES])
            for figure, interval in said(figures).items():
                held[figure] += overlaps(interval, truth[figure])
    assert {figure: held[figure] / SEEDS for figure in truth if held[figure] < 0.93 * SEEDS} == {}


def test_the_largest_collections_are_known_from_ten_on() -> None:
    def top(collections: int, part: float, segments: int) -> Interval | None:
        read = ReadSegments(segments, [])
        for place in range(20):
            tally = SegmentTally(RULES)
            for number in range(collections // 20 + (place < collections % 20)):
                tally.ended([(1, 100 + number % 7, set())])
            read.tallies.append(tally)
        return Figures(read).top(part)

    assert largest_share(0.1, [[1.0, 4.0, 15.0]], [[50.0, 40.0, 10.0]], 1.0).estimate == 0.5 + 0.4 / 4
    assert top(99, 0.1, 40) is None
    assert top(100, 0.1, 40) is not None
    assert top(100, 0.01, 20) is not None, "every segment was read"
    assert top(99, 0.01, 20) is None


def test_a_share_that_one_segment_decides_is_not_known() -> None:
    found = share([10.0, *[0.0] * 8], [10.0] * 9, 0.1)
    assert [found.low, found.estimate, found.high] == pytest.approx([0.0, 1 / 9, 1.0])
    assert share([10.0, 9.0, 8.0, *[0.0] * 6], [10.0] * 9, 0.1).high < 1.0


def test_the_fullest_of_parts_with_few_segments_is_between_an_equal_share_and_all() -> None:
    assert fullest([[3.0], [1.0]], 0.5) == Interval(0.75, 0.5, 1.0)
