"""What changed between two profiles: certain where the samples say so, and said to be doubtful elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from skipscan.errors import InputError, NotFoundError
from skipscan.profile.difference import profile_difference, words
from skipscan.profile.segments import ReadingPlan
from tests.refusal import refused
from tests.unit.cli.conftest import Told, told
from tests.unit.profile.tables import Items, budget, index, read

__all__ = ["told"]


def orders(count: int, **more: Any) -> Items:
    return [{"pk": {"S": f"k{n % 90:03}"}, "sk": {"S": f"ORDER#{n:05}"}, **more} for n in range(count)]


def document(items: Items, **more: Any) -> Any:
    return json.loads(json.dumps(read(items, **more)[0].to_json()))


OLD = document(orders(900, status={"S": "open"}, old={"N": "1"}), GlobalSecondaryIndexes=[index("gone")])
LINES: Items = [{"pk": {"S": f"k{n % 90:03}"}, "sk": {"S": f"LINE#{n:05}"}} for n in range(900)]
NEW = document(
    [*orders(1200, status={"N": "1"}, color={"S": "red"}, ik={"S": "a"}), *LINES, *orders(5, status={"S": "open"})],
    GlobalSecondaryIndexes=[index("new")],
)


def test_worse_skew_is_said() -> None:
    plan = ReadingPlan(40, 40, budget(), 100.0, 0.5)
    huge: Items = [{"pk": {"S": "huge"}, "sk": {"S": f"ORDER#{n:05}"}} for n in range(3000)]
    found = profile_difference(document(orders(900), plan=plan), document([*orders(900), *huge], plan=plan))
    worse = [line for line in words(found) if line.endswith("(worse)")]
    assert len(worse) == 1
    assert "the fullest tenth of the hash space" in worse[0]


def test_profiles_of_two_tables_cannot_be_compared() -> None:
    with refused(NotFoundError, "the first profile", rule="Made in us-east-1.* Other in us-east-1"):
        profile_difference(OLD, {**NEW, "table": "Other"})


def test_the_command_prints_text_or_json(told: Told, tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OLD))
    new.write_text(json.dumps(NEW))
    done = told("diff", str(old), str(new))
    assert done.status == 0
    assert "+ attribute color" in done.stdout
    done = told("diff", str(old), str(new), "--json")
    assert json.loads(done.stdout)["new_types"][0]["name"] == "LINE"
    new.write_text("{}")
    done = told("diff", str(old), str(new))
    done.check_refused(InputError, str(new), way="skipscan profile TABLE --json")
    new.unlink()
    done = told("diff", str(old), str(new))
    done.check_refused(InputError, str(new), rule="does not exist", way="skipscan profile TABLE --json")


@pytest.mark.parametrize(
    "changes",
    [
        {"attributes": "x"},
        {"attributes": [{}]},
        {"reading": {}},
        {"money": 5},
        {"items": "x"},
        {"advice": [5]},
    ],
)
def test_a_profile_that_somebody_changed_is_refused(told: Told, tmp_path: Path, changes: dict[str, Any]) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OLD))
    new.write_text(json.dumps({**NEW, **changes}))
    for files in ((old, new), (new, old)):
        done = told("diff", *map(str, files))
        done.check_refused(
            InputError, " or ".join(map(str, files)), rule="whole profile", way="skipscan profile TABLE --json"
        )
