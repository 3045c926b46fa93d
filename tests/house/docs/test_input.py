"""The pages about inputs have the fields of each kind, and the defaults and rules of the table of fields."""

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from skipscan.environment import KINDS
from skipscan.errors import InputError
from skipscan.inputs.fields import Field
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.fields import FIELDS
from skipscan.scan.take import TAKEN
from tests.fakes.iam.policy import Grant, Need, grants_in, is_allowed
from tests.house.docs.document import listed, rows

PAGES = {"run": "reference-input.md", "act": "act.md", "retrofit": "retrofit.md", "copy": "copy.md"}
PAGE = Path("docs/reference-input.md")
ROWS = {cells[0].strip("`"): cells[1:] for cells in rows(PAGE, "## The input")}


def field_id(field: Field) -> str:
    return field.name


OF_JOBS = listed(PAGE, "### Fields of jobs")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_lists_every_field(kind: str) -> None:
    """A job's page lists its own fields, and leads to those that it shares."""
    page, fields_of_kind = Path("docs", PAGES[kind]), [field.name for field in KINDS[kind].fields]
    shared = [name for name in OF_JOBS if name in fields_of_kind] if kind != "run" else []
    assert sorted(listed(page, "## The input") + shared) == sorted(fields_of_kind), f"{page} has a row for each field"
    assert kind == "run" or "(reference-input.md#fields-of-jobs)" in page.read_text()


def test_a_field_of_jobs_is_shared() -> None:
    jobs = [{field.name for field in KINDS[kind].fields} for kind in KINDS if kind != "run"]
    assert [name for name in OF_JOBS if sum(name in fields_of_job for fields_of_job in jobs) < 2] == []


def test_the_page_of_a_run_keeps_their_order() -> None:
    order = [field.name for field in FIELDS]
    assert list(ROWS) == order == [field.name for field in fields(ExecutionInput)], f"{PAGE} has the order of FIELDS"


TAKEN_ROWS = rows(Path("docs/reference-input.md"), "### What to take")


@pytest.mark.parametrize("row", TAKEN_ROWS, ids=lambda row: row[0].strip("`"))
def test_an_example_of_what_to_take_is_an_input_with_that_member(row: list[str]) -> None:
    example = json.loads(row[-1].strip("`"))
    assert row[0].strip("`") in example
    assert parse({"table": "Orders", "take": example}).take is not None


def test_the_page_has_every_member_of_what_to_take() -> None:
    assert sorted(row[0].strip("`") for row in TAKEN_ROWS) == sorted(TAKEN)


@pytest.mark.parametrize("field", FIELDS, ids=field_id)
def test_a_default_is_that_of_the_table(field: Field) -> None:
    assert field.name in ROWS, f"{PAGE} has no row of {field.name}: add it"
    shown = ROWS[field.name][0]
    if field.need is not None:
        assert shown == "required"
    elif "default" in field.schema:
        assert shown == f"`{str(field.default).lower()}`"
    else:
        assert "`" not in shown


def rule_of(field: Field) -> str:
    """Return the rule of a field as the page says it; empty where it says more."""
    match field.form.schema:
        case {"minimum": least, "maximum": most}:
            return f"{least} to {most:,}"
        case {"minimum": least}:
            return f"at least {least}"
        case {"enum": [*words, None]}:
            return ", ".join(f"`{word}`" for word in words)
        case {"type": "boolean"}:
            return "`true` or `false`"
    return ""


@pytest.mark.parametrize("field", FIELDS, ids=field_id)
def test_a_rule_is_that_of_the_table(field: Field) -> None:
    if field.name != "consistent_read":  # the page says what it does not go with
        rule = rule_of(field)
        assert ROWS[field.name][1].startswith(rule), f"{PAGE}, the row of {field.name}: write {rule}"


def test_a_number_that_jobs_share_has_its_rule_or_is_as_in_a_run() -> None:
    of_runs = {field.name: rule_of(field) for field in FIELDS}
    said = {name: cells[-1] for cells in rows(PAGE, "### Fields of jobs") for name in re.findall(r"`(\w+)`", cells[0])}
    of_jobs = (field for kind in KINDS if kind != "run" for field in KINDS[kind].fields if field.name in said)
    rules = {field.name: rule for field in of_jobs if re.search(r"\d", rule := rule_of(field))}
    own = {name: rule for name, rule in rules.items() if rule != of_runs.get(name)}
    assert {name: rule for name, rule in own.items() if rule not in said[name]} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_default_of_the_table_is_that_of_the_input(kind: str) -> None:
    """An input that another part of the product makes has the same defaults."""
    asked = KINDS[kind].parse(dict(KINDS[kind].example))
    own = {one.name: one.default for one in fields(asked) if one.default is not MISSING}
    table = {field.name: field.default for field in KINDS[kind].fields if field.name in own}
    assert table == {name: own[name] for name in table}
    assert len(table) >= 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_fixed_field_must_not_be_given_with_resume(kind: str) -> None:
    required = {field.name: "Orders" for field in KINDS[kind].fields if field.need is not None}
    for field in KINDS[kind].fields:
        if field.is_fixed:
            with pytest.raises(InputError) as refused:
                KINDS[kind].parse({**required, "resume": "before", field.name: 1})
            assert (refused.value.field, refused.value.others) == (field.name, {"resume": "before"})
            assert refused.value.remedy == f"leave {field.name} out"


# The policy that docs/copy.md gives to stop the writers of a table.


ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"


@pytest.mark.parametrize(
    ("operation", "may"),
    [
        *[(name, False) for name in ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")],
        *[(f"PartiQL{name}", False) for name in ("Insert", "Update", "Delete")],
        *[(name, True) for name in ("GetItem", "Scan", "Query", "DeleteResourcePolicy", "PutResourcePolicy")],
    ],
)
def test_the_policy_denies_every_write_and_neither_reads_nor_its_own_removal(operation: str, *, may: bool) -> None:
    (policy,) = re.findall(r"^```json\n(\{\n  \"Version.*?)^```", Path("docs/copy.md").read_text(), re.M | re.DOTALL)
    everything = Grant("Allow", "dynamodb:*", ARN)
    assert is_allowed(Need(f"dynamodb:{operation}", ARN), [everything, *grants_in(json.loads(policy))]) is may
