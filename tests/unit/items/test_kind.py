"""What jobs over items write about an item, and what their manifests say of each worker."""

import json
from typing import Any

import pytest

from skipscan.copy.item import CopyOutcome
from skipscan.dynamodb.source import Item
from skipscan.items.kind import listed_line
from skipscan.items.progress import ItemResult
from skipscan.retrofit.item import RetrofitOutcome
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import retrofit_plan
from tests.unit.loop.test_proof import WHOLE


@pytest.mark.parametrize("outcome", [RetrofitOutcome.LACKING, CopyOutcome.MISSING])
def test_a_listed_item_is_a_line_with_its_key_its_problem_and_the_reason(
    outcome: RetrofitOutcome | CopyOutcome,
) -> None:
    key: Item = {"id": {"S": "Größe\n"}, "part": {"B": b"\x00\xff"}, "day": {"N": "1.50"}}
    line = listed_line(ItemResult(key, outcome, "action is lacking", seen={**key, "secret": {"S": "s"}}))
    assert (line.count(b"\n"), line.endswith(b"}\n")) == (1, True)
    assert json.loads(line) == {
        "key": {"id": {"S": "Größe\n"}, "part": {"B": "AP8="}, "day": {"N": "1.50"}},
        "problem": str(outcome),
        "reason": "action is lacking",
    }


@pytest.mark.parametrize(("name", "plan"), [("retrofit", retrofit_plan(5, 2)), ("copy", copy_plan(5, 2))])
def test_the_manifest_says_how_many_segments_each_worker_walked_and_what_it_counted(name: str, plan: Any) -> None:
    whole = WHOLE[name]
    first, second = (vars(progress.counts) for progress in whole.reached)
    assert whole.kind.stated(plan, whole.reached) == {
        "segments": 5,
        "by_worker": [{"worker": 0, "segments": 3, **first}, {"worker": 1, "segments": 2, **second}],
    }
