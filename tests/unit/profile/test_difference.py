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


def test_growth_new_and_gone_names_and_types_of_two_whole_profiles() -> None:
    found = profile_difference(OLD, NEW)
    assert {one.name: (one.old, one.new, one.is_certain) for one in found.growth}["items"] == (900, 2105, True)
    assert [one.name for one in found.new_attributes] == ["color", "ik"]
    assert [one.name for one in found.gone_attributes] == ["old"]
    assert [(one.name, one.is_certain) for one in found.new_types] == [("LINE", True)]
    indexes = [[(one.name, one.is_certain) for one in each] for each in (found.new_indexes, found.gone_indexes)]
    assert indexes == [[("new", True)], [("gone", True)]]
    assert found.types == {"status": (["S"], ["N", "S"])}
    assert not found.doubtful_types
    assert any("No item read is in index gone" in sentence for sentence in found.gone_advice)
    said = "\n".join(words(found))
    assert "items: 900 to 2,105 (+133.9%)" in said
    assert "+ attribute color, 57.0% of the items" in said
    assert "+ type of items LINE, 100.0% of the keys" in said
    assert "- index gone" in said
    assert "~ attribute status: S to N, S" in said


def test_the_same_profile_has_no_difference() -> None:
    found = profile_difference(OLD, OLD)
    assert not any(one.is_certain for one in (*found.growth, *found.skew))
    names = (found.new_attributes, found.gone_attributes, found.new_types, found.gone_types, found.new_indexes)
    assert not any(names)
    assert not found.types
    assert not found.new_advice
    assert not [line for line in words(found) if line[0] in "+-~"]


def test_what_a_sample_may_have_missed_is_doubtful() -> None:
    plan = ReadingPlan(30, 12, budget(), 100.0, 0.5)
    sampled = document(orders(900), plan=plan)
    rare = orders(900)
    rare[0]["rare"] = {"S": "x"}
    common = orders(900, color={"S": "red"})
    for items, name, is_certain in ((rare, "rare", False), (common, "color", True)):
        [found] = profile_difference(sampled, document(items)).new_attributes
        assert (found.name, found.is_certain) == (name, is_certain)
    [doubt] = [line for line in words(profile_difference(sampled, document(rare))) if line.startswith("+")]
    assert doubt.endswith("(a sample may have missed it)")
    again = profile_difference(sampled, document(orders(905), plan=plan))
    assert not any(one.is_certain for one in again.growth)


def test_a_type_of_few_values_is_doubtful_where_a_sample_may_have_missed_it() -> None:
    plan = ReadingPlan(30, 12, budget(), 100.0, 0.5)
    sampled = document(orders(900, status={"S": "open"}), plan=plan)
    rare = orders(900, status={"S": "open"})
    rare[0]["status"] = {"NULL": True}
    common = [*orders(900, status={"S": "open"}), *LINES]
    common[900:] = [{**line, "status": {"NULL": True}} for line in LINES]
    for items, doubts in ((rare, ["status"]), (common, [])):
        other = document(items)
        for old, new in ((sampled, other), (other, sampled)):
            found = profile_difference(old, new)
            assert (list(found.types), list(found.doubtful_types)) == (["status"], doubts)
            [said] = [line for line in words(found) if line.startswith("~")]
            assert said.endswith("(a sample may have missed it)") is bool(doubts)


@pytest.mark.parametrize("pages", [0, 1])
def test_what_a_profile_that_read_no_segment_lacks_is_doubtful(pages: int) -> None:
    huge: Items = [{"pk": {"S": "huge"}, "sk": {"S": f"{n:05}"}} for n in range(100)]
    stopped = document(huge, plan=ReadingPlan(1, 1, budget(), 100.0, 0.5), stop_after=pages)
    found = profile_difference(stopped, document(orders(900, color={"S": "red"})))
    assert {one.name: one.is_certain for one in found.new_attributes}["color"] is False


def test_a_name_breaks_no_line() -> None:
    found = profile_difference(OLD, document(orders(900, **{"x\n- index by-day\x1b[2J": {"S": "red"}})))
    [said] = [line for line in words(found) if line.startswith("+ attribute")]
    assert said.startswith("+ attribute x\\n- index by-day\\u001b[2J,")


def test_worse_skew_is_said() -> None:
    plan = ReadingPlan(40, 40, budget(), 100.0, 0.5)
    huge: Items = [{"pk": {"S": "huge"}, "sk": {"S": f"ORDER#{n:05}"}} for n in range(3000)]
    found = profile_difference(document(orders(900), plan=plan), document([*orders(900), *huge], plan=plan))
    worse = [line for line in words(found) if line.endswith("(worse)")]
    assert len(worse) == 1
    assert "the fullest tenth of the hash space" in worse[0]


def test_profiles_without_a_section_are_compared_by_the_others() -> None:
    lacking = {**NEW, "collections": None, "items": None, "attributes": [], "entity_types": []}
    found = profile_difference(OLD, lacking)
    assert [one.name for one in found.growth] == ["storage a month"]


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


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_profiles_that_powershell_wrote_are_read(told: Told, tmp_path: Path, encoding: str) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OLD))
    new.write_text(json.dumps(NEW), encoding=encoding)
    assert "items: 900 to 2,105" in told("diff", str(old), str(new)).stdout


def test_a_file_of_another_form_is_no_profile(told: Told, tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(OLD))
    for content in (b"", b"\xff", b"null", b"[" * 100_000):
        new.write_bytes(content)
        told("diff", str(old), str(new)).check_refused(
            InputError, str(new), rule="is not a profile", way="profile TABLE"
        )
