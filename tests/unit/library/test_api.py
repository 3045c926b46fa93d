"""`import skipscan`: the keys while they are found, plans, folders and finished runs as Python values."""

import json
import subprocess
import sys
from decimal import Decimal
from functools import partial
from html import unescape
from itertools import islice
from pathlib import Path
from threading import enumerate as threads
from typing import Any, cast, get_args, get_type_hints

import boto3
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import (
    ClientError,
    EndpointConnectionError,
    MissingDependencyException,
    NoRegionError,
)

import skipscan
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.errors import BudgetError, IncompleteRunError, InputError, NotFoundError, TableError
from skipscan.library import api
from skipscan.library.aws_errors import translated
from skipscan.library.finished import python_value
from skipscan.library.options import FolderOptions, KeysOptions, PlanOptions, StartOptions
from skipscan.lines.formats import STORED
from skipscan.listing.compare.comparison import notice_of
from skipscan.listing.execution_input import FIELDS
from skipscan.scan.take import TAKEN
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.house.suite.examples import ALL
from tests.refusal import failed, refused
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import CUSTOMERS, Client
from tests.unit.report.elements import parsed

SENSORS = TableDefinition("Sensors", KeySchema.of(("id", "N"), ("at", "B")))


@pytest.fixture
def orders_client() -> Any:
    return Client()


@pytest.fixture
def sensors() -> Any:
    """DynamoDB with a table whose keys are numbers and bytes."""
    made: Any = Client()
    made.engine.add(
        SENSORS,
        [
            {
                "id": {"N": number},
                "at": {"B": bytes([at])},
                "tags": {"SS": ["a", "b"]},
                "deep": {"M": {"n": {"N": "1.50"}}},
            }
            for number in ("1", "2.50", "12345678901234567890123")
            for at in range(2)
        ],
    )
    return made


def test_keys_are_python_values(orders_client: Any) -> None:
    assert sorted(skipscan.keys("Orders", client=orders_client)) == sorted(CUSTOMERS)


@pytest.mark.parametrize(
    ("value", "python"),
    [
        ({"S": "12"}, "12"),
        ({"N": "12.50"}, Decimal("12.50")),
        ({"B": b"12"}, b"12"),
        ({"BOOL": True}, True),
        ({"BOOL": False}, False),
        ({"NULL": True}, None),
        ({"L": [{"N": "1"}, {"L": [{"S": "a"}]}]}, [Decimal(1), ["a"]]),
        ({"M": {"a": {"N": "1"}, "b": {"M": {}}}}, {"a": Decimal(1), "b": {}}),
        ({"SS": ["a", "b"]}, {"a", "b"}),
        ({"NS": ["1", "2.0"]}, {Decimal(1), Decimal(2)}),
        ({"BS": [b"a", b"b"]}, {b"a", b"b"}),
    ],
)
def test_a_value_of_every_type_is_one_of_python(value: AttributeValue, python: object) -> None:
    found = python_value(value)
    assert (found, type(found)) == (python, type(python))


def test_numbers_keep_every_digit(sensors: Any) -> None:
    found = set(skipscan.keys("Sensors", client=sensors))
    assert found == {Decimal(1), Decimal("2.50"), Decimal("12345678901234567890123")}


def test_items_come_with_their_keys(sensors: Any) -> None:
    groups = list(skipscan.keys("Sensors", client=sensors, first=["tags"], last="all"))
    one = next(group for group in groups if group.key == 1)
    assert one.first == {"at": bytes([0]), "tags": {"a", "b"}}
    assert one.last == {"at": bytes([1]), "tags": {"a", "b"}, "deep": {"n": Decimal("1.50")}}
    assert one.read.startswith("20")


@pytest.mark.parametrize(("count", "counted"), [("all", (2, False)), (1, (1, True))])
def test_counts_come_with_their_keys(sensors: Any, count: Any, counted: tuple[int, bool]) -> None:
    groups = list(skipscan.keys("Sensors", client=sensors, count=count))
    assert {(group.counted, group.more) for group in groups} == {counted}
    assert all(group.first is None and 0 < group.read_units <= 0.5 for group in groups)


def test_every_item_comes_with_its_key(sensors: Any) -> None:
    groups = list(skipscan.keys("Sensors", client=sensors, items=["tags"], most=1, order="descending"))
    assert sorted((group.key, group.item["at"]) for group in groups) == [
        (Decimal(number), bytes([1])) for number in ("1", "2.50", "12345678901234567890123")
    ]


@pytest.mark.parametrize("bounds", [{"since": b"\1"}, {"between": (b"\1", b"\xff")}, {"prefix": b"\1"}])
def test_a_bound_is_a_sort_key_as_items_have_it(sensors: Any, bounds: Any) -> None:
    groups = list(skipscan.keys("Sensors", client=sensors, items=["tags"], **bounds))
    assert [group.item["at"] for group in groups] == [b"\1"] * 3


@pytest.mark.parametrize("field", ["prefix", "since", "until", "between"])
@pytest.mark.parametrize(
    ("bound", "given", "rule"),
    [
        (b"2026", {"B": "MjAyNg=="}, "it is binary"),
        (bytearray(b"2026"), {"B": "MjAyNg=="}, "it is binary"),
        (Decimal(2026), {"N": "2026"}, "it is a number"),
    ],
)
def test_a_bound_of_another_type_is_refused(tmp_path: Path, field: str, bound: Any, given: Any, rule: str) -> None:
    """Bytes became their base64, which is another text, and a Decimal its digits."""
    client, _ = months(1)
    asked: Any = {field: (bound, bound) if field == "between" else bound}
    for call in (skipscan.plan, partial(skipscan.list_into, tmp_path / "run"), skipscan.keys):
        with refused(InputError, field, given, rule=rule):
            list(call("Months", client=client, **asked))
    assert client.scans == 0


def test_a_bound_has_every_digit() -> None:
    made: Any = Client()
    numbers = [Decimal("12345678901234567890.1"), Decimal("12345678901234567890.2")]
    items: list[Item] = [{"id": {"S": "a"}, "at": {"N": str(number)}} for number in numbers]
    made.engine.add(TableDefinition("Clocks", KeySchema.of(("id", "S"), ("at", "N"))), items)
    groups = list(skipscan.keys("Clocks", client=made, items="all", since=numbers[1]))
    assert [group.item["at"] for group in groups] == numbers[1:]


def test_a_key_comes_before_the_listing_ends(orders_client: Any) -> None:
    found = skipscan.keys("Orders", client=orders_client, segments=1, max_read_units_per_second=20)
    next(found)
    assert orders_client.scans < 10
    found.close()
    assert not [thread for thread in threads() if thread.name == "skipscan"]


def test_a_mistake_is_refused_before_the_first_key(orders_client: Any) -> None:
    with refused(InputError, "segments", 0, rule="1 to 1000000"):
        skipscan.keys("Orders", client=orders_client, segments=0)
    with refused(TableError, "table", "Nope", rule="no such table", way="check the name"):
        skipscan.keys("Nope", client=orders_client)
    with refused(TableError, "table", "order", rule="no such table", way="did you mean Orders"):
        skipscan.keys("order", client=orders_client)
    assert orders_client.scans == 0


DEPLOYED = {"workers", "dry_run", "profile", "compare", "resume", "overlap"}
FUNCTIONS: dict[type, Any] = {
    KeysOptions: skipscan.keys,
    FolderOptions: partial(skipscan.list_into, "nowhere"),
    PlanOptions: skipscan.plan,
    StartOptions: partial(skipscan.start, env="dev"),
}


@pytest.mark.parametrize("of", FUNCTIONS)
def test_a_function_has_the_fields_of_its_inputs_as_options(orders_client: Any, of: Any) -> None:
    """One that only a deployed run has is refused here: with four workers the one that lists would find a quarter."""
    fields = {row.name for row in FIELDS} - {"table", "take"} | {*TAKEN}
    without = {KeysOptions: {*DEPLOYED, "format"}, FolderOptions: DEPLOYED, PlanOptions: DEPLOYED - {"workers"}}
    assert {*of.__annotations__} == fields - without.get(of, set())
    given = {} if of is StartOptions else {"client": orders_client}
    for name in ("colour", "table_name", *without.get(of, ())):
        with refused(InputError, name, remedy=name, rule="is no option of this function, which has index, segments"):
            FUNCTIONS[of]("Orders", **given, **{name: 1})
    assert orders_client.scans == 0


def test_the_words_of_an_option_are_those_of_its_field() -> None:
    words = {name: [*map(get_args, get_args(hint))] for name, hint in get_type_hints(StartOptions).items()}
    for row in FIELDS:
        if enum := row.form.schema.get("enum"):
            assert {*words[row.name][0]} == {*enum} - {None}, f"library/options.py: {row.name}"


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("fist", "did you mean first"),
        ("counts", "did you mean count"),
        ("region", r"boto3.Session\(region_name="),
        ("profile_name", "profile_name="),
        ("endpoint_url", r'boto3.client\("dynamodb", endpoint_url='),
    ],
)
def test_a_mistyped_option_has_a_way_out(orders_client: Any, name: str, way: str) -> None:
    with refused(InputError, name, way=way):
        skipscan.keys("Orders", client=orders_client, **cast(Any, {name: "x"}))


def test_another_service_s_client_is_refused() -> None:
    made: Any = boto3.client("s3", region_name="us-east-1", config=Config(signature_version=UNSIGNED))
    with refused(InputError, "client", rule="a client of DynamoDB, not S3", way="boto3.client"):
        skipscan.keys("Orders", client=made)


def test_the_errors_of_aws_are_ours_and_their_cause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for call in (skipscan.keys, skipscan.plan, partial(skipscan.list_into, tmp_path / "orders")):
        with pytest.raises(skipscan.BatchError, match=r"the AWS region is missing.*AWS_REGION") as caught:
            call("Orders")
        assert isinstance(caught.value.__cause__, NoRegionError)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "localhost:8000")
    with pytest.raises(skipscan.InputError, match=r"AWS settings.*localhost:8000"):
        skipscan.open_run("s3://bucket/runs/a")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ClientError({"Error": {"Code": "UnrecognizedClientException"}}, "Scan"), "aws sts get-caller-identity"),
        (ClientError({"Error": {"Code": "InvalidSignatureException"}}, "Scan"), "this machine's clock"),
        (EndpointConnectionError(endpoint_url="http://127.0.0.1:1/"), "AWS_ENDPOINT_URL"),
        (MissingDependencyException(msg="botocore[crt]"), "skipscan[login]"),
    ],
)
def test_an_error_of_credentials_or_the_connection_has_a_way_out(error: Exception, said: str) -> None:
    assert said in translated(error).remedy  # type: ignore[union-attr]


def test_a_budget_ends_the_iterator_with_an_error(orders_client: Any) -> None:
    found = skipscan.keys("Orders", client=orders_client, segments=1, max_read_units=6)
    got: list[str] = []
    with refused(
        BudgetError,
        "the budget",
        remedy="max_read_units",
        max_read_units=6.0,
        rule=r"max_read_units 6; .* read units are consumed, and 1 of 1 segments are left",
    ):
        got.extend(found)  # a list keeps what came before the error
    again = skipscan.keys("Orders", client=orders_client, segments=1, max_read_units=6)
    first = list(islice(again, 3))
    assert len(first) == 3
    assert set(first) < set(CUSTOMERS)


def test_an_error_of_the_table_reaches_the_caller(orders_client: Any) -> None:
    def gone() -> None:
        raise TableError('table "Orders" was deleted', rule="", remedy="")

    orders_client.on_scan = gone
    with failed(TableError, 'table "Orders"'):
        list(skipscan.keys("Orders", client=orders_client))


def test_keys_say_what_they_have_taken(orders_client: Any) -> None:
    found = skipscan.keys("Orders", client=orders_client, segments=1)
    assert (found.read_units, found.requests) == (0, 0)
    next(found)
    assert (found.read_units > 0, found.requests > 0) == (True, True)
    list(found)
    assert found.requests == orders_client.scans


def test_a_plan_is_the_estimate_of_every_way(orders_client: Any) -> None:
    document = skipscan.plan("Orders", client=orders_client, seed=3)
    assert document["keys"]["low"] <= len(CUSTOMERS) <= document["keys"]["high"]
    assert {row["strategy"] for row in document["strategies"]} >= {"full scan"}
    assert document == skipscan.plan("Orders", client=orders_client, seed=3)


class KilledError(BaseException):
    """The process ends."""


def test_a_folder_continues_after_a_kill(orders_client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)
    folder = tmp_path / "orders"

    def die() -> None:
        if orders_client.scans == 3:
            raise KilledError

    orders_client.on_scan = die
    with pytest.raises(KilledError):
        skipscan.list_into(folder, "Orders", client=orders_client, segments=4)
    orders_client.on_scan = lambda: None
    run = skipscan.list_into(folder, "Orders", client=orders_client, segments=4)
    assert (len(run), sorted(run)) == (len(CUSTOMERS), sorted(CUSTOMERS))
    with refused(InputError, "folder", str(folder), remedy="finished finished", rule="finished"):
        skipscan.list_into(folder, "Orders", client=orders_client, segments=4)
    assert skipscan.list_into(folder, "Orders", client=orders_client, segments=4, finished="keep").name == run.name
    assert sorted(skipscan.open_run(folder).keys()) == sorted(CUSTOMERS)
    assert sorted(skipscan.open_run(folder / "manifest.json")) == sorted(CUSTOMERS)


@pytest.fixture
def run(sensors: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("os.fsync", lambda file: None)
    return skipscan.list_into(tmp_path / "sensors", "Sensors", client=sensors, last="all", format="dynamodb-jsonl")


def test_a_finished_run_has_its_keys_and_items(run: Any) -> None:
    assert repr(run) == "Run('sensors', Sensors: 3 keys, $0)"
    assert "<tr><th>run</th><td>sensors</td></tr>" in run._repr_html_()
    assert {group.last["deep"]["n"] for group in run.groups()} == {Decimal("1.50")}
    assert sorted(run) == sorted(group.key for group in run.groups())
    assert run.manifest["complete"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("run", 5), ("table", None), ("keys", "12"), ("started", "monday"), ("parts", [{"name": "x"}])),
        *(
            ("partition_key", []),
            ("partition_key", [{"name": 5, "type": "S"}]),
            ("sort_key", [{"name": 5, "type": "N"}]),
        ),
    ],
)
def test_a_manifest_that_somebody_changed_is_refused_when_the_run_is_opened(
    run: Any, tmp_path: Path, field: str, value: object
) -> None:
    file = tmp_path / "sensors" / "manifest.json"
    manifest = json.loads(file.read_text())
    assert field in manifest
    file.write_text(json.dumps({**manifest, field: value}))
    with refused(NotFoundError, str(tmp_path / "sensors"), way=r"manifest\.json"):
        skipscan.open_run(tmp_path / "sensors")


@pytest.mark.parametrize("form", STORED)
@pytest.mark.parametrize(
    "take", [{"items": "all"}, {"last": ["deep"]}, {"count": 1}], ids=lambda take: next(iter(take))
)
def test_keys_have_their_types_whatever_the_items_have(sensors: Any, tmp_path: Path, take: Any, form: Any) -> None:
    """The items of a run in JSON lines have lost theirs."""
    run = skipscan.list_into(tmp_path / "sensors", "Sensors", client=sensors, format=form, **take)
    assert len(list(run)) == len(run)
    assert set(run) == {Decimal(1), Decimal("2.50"), Decimal("12345678901234567890123")}


# The oldest pyarrow that is allowed (15) beside the newest pandas: pyarrow's own call, right and only deprecated.
@pytest.mark.filterwarnings("ignore:make_block is deprecated:DeprecationWarning")
def test_a_finished_run_is_a_table_in_columns(run: Any) -> None:
    table = run.arrow()
    assert sorted(map(Decimal, table.column("id").to_pylist())) == sorted(run)
    assert {dict(row)["tags"] for row in table.column("last").to_pylist()} == {'{"SS": ["a", "b"]}'}
    assert len(run.pandas()) == len(run.polars()) == 3
    for read in (run.arrow, run.pandas, run.polars):
        with refused(InputError, "numbers", "double", rule='"id" has a number'):
            read(numbers="double")


def test_text_keys_are_read_by_arrow_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ["plain", 'quote " and \\', "line\nend\u2028", "\x00\x1f\x7f", "ünï 🦜", " "]
    client: Any = Client()
    client.engine.add(
        TableDefinition("Odd", KeySchema.of(("name", "S"), ("at", "N"))),
        [{"name": {"S": name}, "at": {"N": str(at)}} for name in odd for at in range(2)],
    )
    monkeypatch.setattr("os.fsync", lambda file: None)
    run = skipscan.list_into(tmp_path / "odd", "Odd", client=client, segments=2)
    read = run.arrow()
    monkeypatch.setattr("skipscan.library.arrow_parts.is_read_by_arrow", lambda manifest: False)
    assert sorted(read.column("name").to_pylist()) == sorted(odd)
    assert read.equals(run.arrow().cast(read.schema))
    assert read.schema.field("name").metadata == {b"dynamodb_type": b"S"}


def test_a_run_without_items_says_so(orders_client: Any, tmp_path: Path) -> None:
    run = skipscan.list_into(tmp_path / "orders", "Orders", client=orders_client)
    with refused(InputError, "run", "orders", rule="keys alone"):
        run.groups()


def test_a_changed_part_is_refused(run: Any, tmp_path: Path) -> None:
    (part,) = (tmp_path / "sensors").rglob("part-*.jsonl")
    part.write_bytes(part.read_bytes() + b"\n")
    with refused(IncompleteRunError, "keys/worker-0000/part-00000.jsonl", rule="does not have the checksum"):
        list(run)


@pytest.mark.parametrize("address", ["s3://bucket", "s3:///runs/one/"])
def test_an_address_without_a_run_is_refused(address: str) -> None:
    with refused(InputError, "address", address, rule="folder or .s3://bucket/"):
        skipscan.open_run(address)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with refused(NotFoundError, str(tmp_path), way=r"manifest\.json"):
        skipscan.open_run(tmp_path)


def test_importing_loads_no_client() -> None:
    code = "import skipscan, sys; dir(skipscan); assert 'boto3' not in sys.modules"
    subprocess.run([sys.executable, "-c", f"{code}; skipscan.keys; assert 'boto3' in sys.modules"], check=True)


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    assert skipscan.__all__ == api.__all__ == dir(skipscan)
    assert [name for name in skipscan.__all__ if not callable(getattr(skipscan, name))] == []
    with pytest.raises(AttributeError, match="module 'skipscan' has no attribute 'parse'"):
        skipscan.parse  # noqa: B018  # the module that is loaded imports it


def months(customers: int) -> tuple[Any, set[tuple[str, str]]]:
    """Return DynamoDB with a table of orders, of customers with one month or with twelve; and all months of each."""
    held = {
        (f"c-{number}", f"2026-{month:02}")
        for number in range(customers)
        for month in range(1, 13 if number % 4 == 0 else 2)
    }
    made = Client()
    made.engine.add(
        TableDefinition("Months", KeySchema.of(("customer", "S"), ("placed", "S"))),
        [
            {"customer": {"S": customer}, "placed": {"S": f"{month}-{day}"}, "pad": {"S": "x" * 300}}
            for customer, month in held
            for day in (10, 11)
        ],
    )
    return made, held


@pytest.mark.parametrize("form", ["jsonl", "dynamodb-jsonl", "dynamodb-import", "csv"])
def test_groups_come_with_their_prefix(tmp_path: Path, form: Any) -> None:
    client, held = months(200)
    assert sorted(skipscan.keys("Months", client=client, prefix_length=7)) == sorted(held)
    run = skipscan.list_into(tmp_path / "run", "Months", client=client, prefix_length=7, format=form)
    assert sorted(run) == sorted(held)
    assert len(run) == len(held)
    assert run.manifest["level"] == {"depth": 1, "prefix_length": 7, "type": "S"}
    table = run.arrow()
    assert table.column_names == ["customer", "prefix"]
    assert {tuple(row.values()) for row in table.to_pylist()} == held
    folder = tmp_path / "run"
    with refused(InputError, "folder", str(folder), rule="prefix_length 7"):
        skipscan.list_into(folder, "Months", client=client, format=form)


@pytest.mark.long
def test_an_estimate_of_groups_allows_for_collections_with_many_of_them() -> None:
    """All groups of a collection are in one segment, so they vary more than a hash lets keys vary."""
    samples = 8 if ALL else 4
    client, held = months(3000)
    estimates = [skipscan.plan("Months", client=client, seed=seed, prefix_length=7) for seed in range(samples)]
    assert not any(plan["sample"]["is_exact"] for plan in estimates)
    within = [plan["keys"]["low"] <= len(held) <= (plan["keys"]["high"] or len(held)) for plan in estimates]
    assert sum(within) >= samples - 1


def report_of(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the text of the page about a run, and its facts."""
    page = folder.with_suffix(".html")
    assert invoke("report", str(folder), "--output", str(page)).status == 0
    read = parsed(page.read_text())
    facts = next(one for one in read.all("section") if one.attributes.get("aria-labelledby") == "facts")
    terms, said = ([" ".join(one.text.split()) for one in facts.all(name)] for name in ("dt", "dd"))
    return unescape(page.read_text()), dict(zip(terms, said, strict=True))


@pytest.mark.parametrize(
    ("asked", "facts", "sentences"),
    [
        (
            {"delimiter": "-", "depth": 2, "count": 1},
            {"Groups": 'delimiter "-", depth 2', "Taken of each": "the number of items, up to 1"},
            [
                "The median group has 1 or more items.",
                "Counted: 30 groups",
                "How many items a group has",
                "30 groups for",
            ],
        ),
        (
            {"since": "2026-05-11", "count": "all"},
            {"Range": '"placed" from a value on', "Taken of each": "the number of items"},
            [
                'The median item collection has 8 to 15 items in a range of "placed".',
                'How many items a key has in a range of "placed"',
                '2 distinct partition keys in a range of "placed" for',
            ],
        ),
        (
            {"prefix_length": 7, "between": ["2026-05-11", "2026-08-10"], "last": ["pad"], "first": "all"},
            {
                "Groups": "prefix length 7",
                "Range": '"placed" between two values',
                "Taken of each": "the first item with all attributes; the last item with pad",
            },
            ['8 groups in a range of "placed" for'],
        ),
        (
            {"prefix": "2026-0", "items": ["pad"], "most": 3, "order": "descending"},
            {
                "Range": '"placed" with a prefix',
                "Taken of each": "at most 3 items with pad, in descending order",
            },
            ['18 items in a range of "placed" for'],
        ),
        ({"until": "2026-05-11"}, {"Range": '"placed" up to a value'}, ["8 distinct partition keys in a range"]),
    ],
)
def test_a_report_says_what_was_asked_for_without_the_bounds(
    tmp_path: Path, asked: dict[str, Any], facts: dict[str, str], sentences: list[str]
) -> None:
    client, _ = months(8)
    run = skipscan.list_into(tmp_path / "run", "Months", client=client, **asked)
    text, found = report_of(tmp_path / "run")
    assert {name: found.get(name) for name in ("Groups", "Range", "Taken of each")} == {
        **dict.fromkeys(("Groups", "Range", "Taken of each")),
        **facts,
    }
    assert [one for one in sentences if one not in text] == [], text
    notice = notice_of(run.manifest)
    assert ("range" in notice, "item collection" in text) == (
        "Range" in facts,
        sentences[0].startswith("The median item"),
    )
    assert not [bound for bound in ("2026-05-11", "2026-08-10", "2026-0") if bound in found.get("Range", "") + notice]


def test_the_commands_read_folders_of_groups(tmp_path: Path) -> None:
    client, held = months(8)
    for number in (1, 2):
        skipscan.list_into(tmp_path / str(number), "Months", client=client, delimiter="-", depth=2)
        client.engine.table("Months").put({"customer": {"S": "c-1"}, "placed": {"S": "2026-02-10"}})
    old, new = str(tmp_path / "1"), str(tmp_path / "2")
    lines = sorted(f"{customer}\t{month}-" for customer, month in held)
    assert sorted(invoke("download", old).stdout.splitlines()) == lines
    assert invoke("download", old, "--format", "csv").stdout.splitlines()[0] == "customer,prefix"
    assert invoke("diff", old, new).stdout == "+ c-1\t2026-02-\n"


@pytest.mark.parametrize("form", ["dynamodb-jsonl", "csv"])
def test_groups_in_a_range_come_with_what_was_taken(tmp_path: Path, form: Any) -> None:
    """As values, as columns and as csv; and another run of the same groups shows which came."""
    client, held = months(20)
    asked: dict[str, Any] = {"prefix_length": 7, "between": ["2026-02", "2026-11-30"], "last": "all"}
    newest = {(customer, month): f"{month}-11" for customer, month in held if "2026-02" <= month <= "2026-11"}
    assert {group.key: group.last["placed"] for group in skipscan.keys("Months", client=client, **asked)} == newest
    run = skipscan.list_into(tmp_path / "old", "Months", client=client, format=form, **asked)
    assert len(run) == len(newest) == skipscan.plan("Months", client=client, **asked)["keys"]["estimate"]
    rows = run.arrow().to_pylist()
    assert {(row["customer"], row["prefix"]): dict(row["last"])["placed"] for row in rows} == newest
    opened: Any = skipscan.open_run(tmp_path / "old")
    assert {group.key: group.last["placed"] for group in opened.groups()} == newest
    header = "customer,prefix,last,read,types"
    assert invoke("download", str(tmp_path / "old"), "--format", "csv").stdout.splitlines()[0] == header
    client.engine.table("Months").put({"customer": {"S": "c-1"}, "placed": {"S": "2026-05-10"}})
    skipscan.list_into(tmp_path / "new", "Months", client=client, format=form, **asked)
    assert invoke("diff", str(tmp_path / "old"), str(tmp_path / "new")).stdout == "+ c-1\t2026-05\n"


def test_the_last_items_of_each_group_are_lines_of_their_own(tmp_path: Path) -> None:
    client, held = months(8)
    asked: dict[str, Any] = {"delimiter": "-", "depth": 2, "items": ["pad"], "most": 1, "order": "descending"}
    asked["format"] = "dynamodb-jsonl"
    run: Any = skipscan.list_into(tmp_path / "run", "Months", client=client, **asked)
    found = sorted((*group.key, group.item["placed"]) for group in run.groups())
    assert found == sorted((customer, f"{month}-", f"{month}-11") for customer, month in held)
    expected = skipscan.plan("Months", client=client, **asked)["choice"]["expected"]
    assert expected["keys"]["low"] <= len(held) <= expected["keys"]["high"]
