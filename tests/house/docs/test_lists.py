"""What the documents list is what the code has."""

import json
import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

import pytest

import skipscan
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import STORED, encoder
from skipscan.listing.kind import LISTING
from skipscan.loop.metric import Metric
from skipscan.markers.keeper import MarkerOutcome
from skipscan.retrofit.item import RetrofitOutcome
from tests.engines.conformance import dynamodb_local
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import run
from tests.house.docs.document import DOCUMENTS, rows

METRICS = Path("docs/operate.md").read_text()
DEPENDENCIES = Path("requirements/README.md").read_text()


@pytest.mark.parametrize(
    ("page", "outcomes"), [("markers", MarkerOutcome), ("retrofit", set(RetrofitOutcome) - {"wrong"})]
)
def test_the_outcomes_in_a_keeper_s_log_are_explained(page: str, outcomes: Iterable[Enum]) -> None:
    """A retrofit's verification alone finds one wrong; its counts are in the table of the manifest."""
    said = Path(f"docs/{page}.md").read_text()
    assert [outcome.value for outcome in outcomes if f"`{outcome.value}`" not in said] == []


def test_the_page_of_metrics_lists_every_one_with_its_unit_its_states_and_its_meaning() -> None:
    lines = [f"| `{metric.title}` | {metric.unit} | {metric.state} | {metric.meaning} |" for metric in Metric]
    missing = [line for line in lines if line not in METRICS]
    assert not missing, f"docs/operate.md lacks {missing}"
    assert "\n".join(["|---|---|---|---|", *lines, ""]) in METRICS


def test_every_direct_dependency_has_its_reason_and_no_other_package_has() -> None:
    """The packages named in the lists of requirements, for Python and for Node."""
    folders = ("", "requirements", "lambdas", "tools/local")
    lists = [path for folder in folders for path in Path(folder).glob("*.in")]
    asked = {
        name
        for each in lists
        for name in re.findall(r"^([a-z0-9][\w-]*)", each.read_text(), re.MULTILINE | re.IGNORECASE)
    }
    package = json.loads(Path("tools/package.json").read_text())
    asked |= {*package["dependencies"], *package["devDependencies"], dynamodb_local.PACKAGE.partition("@")[0]}
    cells = re.findall(r"^\| ([a-z@][^|]*?) \|", DEPENDENCIES, re.MULTILINE)
    reasons = [name for cell in cells for name in re.split(r",\s*", cell.replace(" (npm)", "")) if cell != "package"]
    assert sorted(reasons) == sorted(asked)


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", Path("Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        # In code, or at the beginning of a line of it: elsewhere "make" is a word like others.
        named = set(re.findall(r"(?:^|`|\$ )make ([a-z-]+)", document.read_text(), re.MULTILINE))
        assert named <= targets, document


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_named_file_and_module_exists(document: Path) -> None:
    text = document.read_text()
    named = re.findall(r"`((?:tests|examples|tools|infra|lambdas|docs)/[\w/.-]+)`", text)
    named += [name.replace(".", "/") for name in re.findall(r"python -m (tests[\w.]*)", text)]
    named += ["tools/" + name.replace(".", "/") for name in re.findall(r"python -m ((?:benchmarks|local)[\w.]*)", text)]
    assert [name for name in named if not (Path(name).exists() or Path(f"{name}.py").exists())] == []


def test_the_newest_release_of_the_changelog_is_the_version_below_unreleased() -> None:
    sections = re.findall(r"^## (.+)$", Path("CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(skipscan.__version__)} - \d{{4}}-\d\d-\d\d", sections[1])


def test_the_citation_names_the_version() -> None:
    assert f"version: {skipscan.__version__}\n" in Path("CITATION.cff").read_text()


# The code that pages show of examples is theirs, to the letter.


SHOWN = re.compile(r"<!-- (examples/\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
BLOCKS = [
    pytest.param(page, name, block, id=f"{page.name}: {name}")
    for page in sorted(Path("docs").glob("*.md"))
    for name, block in SHOWN.findall(page.read_text())
]


def test_some_pages_show_examples() -> None:
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize(("page", "name", "block"), BLOCKS)
def test_a_page_shows_an_example_as_it_is(page: Path, name: str, block: str) -> None:
    assert block == Path(name).read_text()
    assert f"](../{name})" in page.read_text()


def test_every_example_is_led_to() -> None:
    pages = "".join(page.read_text() for page in Path("docs").glob("*.md"))
    assert [path for path in Path("examples").glob("*") if path.as_posix() not in pages] == []


# docs/reference-results.md and docs/questions.md show lines as parts have them.


PAGE, QUESTIONS = Path("docs/reference-results.md"), Path("docs/questions.md")
ROWS = {cells[0].strip("`"): cells[1:] for cells in rows(PAGE, "## The parts")}
KEYS: tuple[AttributeValue, ...] = ({"N": "12.5"}, {"B": b"hi"})


def test_every_format_has_its_row() -> None:
    assert list(ROWS) == list(STORED), f"{PAGE} has a row for each format, in the order of lines/formats.py"


@pytest.mark.parametrize("form", list(STORED))
@pytest.mark.parametrize(("column", "key"), list(enumerate(KEYS)))
def test_a_line_is_written_as_it_is_shown(form: str, column: int, key: AttributeValue) -> None:
    source = Source("Orders", None, SourceKind.TABLE, (KeyAttribute("id", next(iter(key))),), (), ())
    assert form in ROWS, f"{PAGE} has no row of {form}: add it"
    line = encoder(source, form)(key).decode()
    assert line.rstrip("\r\n") == ROWS[form][column].strip("`")
    assert line.endswith("\r\n" if form == "csv" else "\n")


def test_the_lines_of_a_level_are_those_of_a_run_over_the_items_above_them() -> None:
    items = [tuple(cell.strip("`") for cell in cells) for cells in rows(QUESTIONS, "## Levels")]
    client = FakeDynamoDB(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("sk", "S"))),
        [{"customer": {"S": customer}, "sk": {"S": sk}} for customer, sk in items],
    )
    outcome = run(client, table="Orders", segments=1, workers=1, delimiter="#")
    shown = QUESTIONS.read_text().split("<!-- levels:begin -->")[1].split("<!-- levels:end -->")[0]
    part = LISTING.part(outcome.plan)
    part.write(outcome.keys)
    lines = part.body().decode()
    assert sorted(shown.strip().splitlines()[1:-1]) == sorted(lines.splitlines())
    assert len(items) == 5
