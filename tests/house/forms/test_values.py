"""Words that inputs, results, states, logs and pages hold: whoever reads them compares them with these."""

from enum import Enum

import pytest

from skipscan.copy.item import CopyOutcome, Ending
from skipscan.copy.replica import Side
from skipscan.dynamodb.table_description import SourceKind
from skipscan.environment.status import State
from skipscan.items.concatenation import Problem, Separator
from skipscan.listing.compare.comparison import ComparisonStatus
from skipscan.listing.compare.difference import KeyChange
from skipscan.listing.fields import Overlap
from skipscan.markers.keeper import MarkerOutcome
from skipscan.profile.form import Expiry
from skipscan.retrofit.item import RetrofitOutcome
from skipscan.scan.plan import Optimize, Strategy

WORDS: dict[type[Enum], tuple[str, ...]] = {
    CopyOutcome: (
        *("copied", "present", "differing", "refused", "counted", "same", "missing", "surplus", "different"),
    ),
    Ending: ("right", "written", "refused", "contended"),
    Side: ("source", "target"),
    SourceKind: ("table", "local index", "global index"),
    State: (
        *("starting", "running", "finished", "unfinished", "planned", "profiled", "skipped", "refused"),
        "unreadable",
    ),
    Problem: ("lacking", "refused"),
    Separator: ("refuse", "escape", "keep"),
    ComparisonStatus: ("compared", "first", "not compared"),
    KeyChange: ("new", "vanished"),
    Overlap: ("allow", "skip"),
    MarkerOutcome: ("agrees", "occupied", "unmarked", "extended", "refused", "unsettled"),
    Expiry: (
        *("in the future", "in the past, not deleted yet", "more than five years in the past, never deleted"),
        *("more than ten years in the future", "in milliseconds, never deleted", "not a number, never deleted"),
    ),
    RetrofitOutcome: ("written", "right", "gone", "lacking", "refused", "contended", "wrong"),
    Optimize: ("cost", "balanced", "speed"),
    Strategy: ("auto", "skip", "page"),
}


@pytest.mark.parametrize("kind", WORDS, ids=lambda kind: kind.__name__)
def test_a_word_that_others_compare_with_is_stated(kind: type[Enum]) -> None:
    assert tuple(one.value for one in kind) == WORDS[kind]
