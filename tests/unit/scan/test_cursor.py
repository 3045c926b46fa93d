"""A cursor goes through JSON unchanged, and stays small."""

import json
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import FORM
from skipscan.pace.progress import Progress
from skipscan.scan.cursor import CURSORS_BYTES, FIELDS_BYTES, PACKED, Cursor, cursors_that_fit
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.progress import ScanCounts, ScanPosition
from tests.fakes.small_table import reading

SOURCE = Source(
    "T", "i", SourceKind.GLOBAL_INDEX, (KeyAttribute("a", "S"),), (KeyAttribute("b", "N"),), (KeyAttribute("c", "B"),)
)
PLAN = replace(reading(), source=SOURCE)
START_KEYS = st.fixed_dictionaries(
    {
        "a": st.builds(lambda content: {"S": content}, st.text(st.characters(exclude_categories=[]))),
        "b": st.builds(lambda content: {"N": content}, st.integers().map(str)),
        "c": st.builds(lambda content: {"B": content}, st.binary()),
    }
)


@given(st.builds(Cursor, st.integers(0, 10**6), START_KEYS, st.booleans(), st.booleans(), st.none()))
def test_comes_back_as_it_was(cursor: Cursor) -> None:
    assert Cursor.from_json(json.loads(json.dumps(cursor.to_json(PLAN))), PLAN) == cursor


@given(st.integers(), st.sampled_from(["\x01", "é", "鍵", "🔑", "mixed"]))
def test_takes_little_more_than_its_keys(seed: int, characters: str) -> None:
    """Six times, if JSON had to escape the keys' characters."""
    random = Random(seed)
    alphabet = '\x00\x01\x1f"\\é鍵🔑' if characters == "mixed" else characters
    text = "".join(random.choice(alphabet) for _ in range(2048))
    while len(text.encode()) > 2048:
        text = text[:-1]
    content = bytes(random.getrandbits(8) for _ in range(2048))
    cursor = Cursor(999_999, {"a": {"S": text}, "b": {"N": "9" * 38}, "c": {"B": content}}, True, True)
    assert len(json.dumps(cursor.to_json(PLAN))) < 1.5 * (2048 + 38 + 2048) + 100


def test_cursors_have_room_by_the_longest_key_that_is_open() -> None:
    source = Source("T", None, SourceKind.TABLE, (KeyAttribute("pk", "S"),), (KeyAttribute("sk", "B"),), ())

    def cursor(pk: str, sk: bytes) -> Cursor:
        return Cursor(0, {"pk": {"S": pk}, "sk": {"B": sk}})

    def room(key_bytes: int) -> int:
        return int(CURSORS_BYTES // (FIELDS_BYTES + PACKED * key_bytes))

    assert cursors_that_fit(source, []) == cursors_that_fit(source, [Cursor(0)]) == room(0)
    assert cursors_that_fit(source, [cursor("ü" * 100, bytes(50)), cursor("a", b"b"), Cursor(1)]) == room(250)


# A worker's place goes through state unchanged, and says what is left.


PLAN_OF_PROGRESS = reading(segments=7, workers=3)
COUNTS = ScanCounts(keys=5, items=9, requests=4, read_units=2.5, skips_ignored=1, throttles=2)
POLICY = LimitPolicy.of(PLAN_OF_PROGRESS)
POLICY.observe(9, [0, 3], 1.5)
START_KEY = {attribute.name: {attribute.type: "7"} for attribute in PLAN_OF_PROGRESS.source.key}
PROGRESS = Progress(1, ScanPosition(2, (Cursor(4, START_KEY, reported=True),), POLICY), COUNTS, batch=3)


def test_comes_back_as_it_went() -> None:
    document = json.loads(json.dumps(progress_to_json(PROGRESS, PLAN_OF_PROGRESS)))
    assert LISTING.progress(document, PLAN_OF_PROGRESS) == PROGRESS
    assert list(document) == ["form", "worker", "batch", "opened", "cursors", "limit", "counts", "spending", "done"]
    assert document["form"] == FORM


def test_reports_when_it_is_done_and_not_before() -> None:
    assert "report" not in progress_to_json(PROGRESS, PLAN_OF_PROGRESS)
    document = progress_to_json(replace(PROGRESS, position=ScanPosition(2)), PLAN_OF_PROGRESS)
    assert (document["done"], document["cursors"]) == (True, [])
    assert document["report"] == {"worker": 1, "parts": 3, **vars(COUNTS)}
