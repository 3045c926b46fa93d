"""`import skipscan`: the keys while they are found, plans, folders and finished runs as Python values."""

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
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
import skipscan.profile as skipscan_profile
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.errors import BudgetError, InputError, NotFoundError, TableError
from skipscan.library import api
from skipscan.library.aws_errors import translated
from skipscan.library.finished import python_value
from skipscan.library.options import KeysOptions, StartOptions
from skipscan.lines.formats import STORED
from skipscan.listing.fields import FIELDS
from skipscan.scan.take import TAKEN
from tests.fakes.definition import KeySchema, TableDefinition
from tests.refusal import refused
from tests.unit.folder.local_listing import CUSTOMERS, Client, months

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


def test_a_key_comes_before_the_listing_ends(orders_client: Any) -> None:
    found = skipscan.keys("Orders", client=orders_client, segments=1, max_read_units_per_second=20)
    next(found)
    assert orders_client.scans < 10
    found.close()
    assert not [thread for thread in threads() if thread.name == "skipscan"]


def test_one_worker_lists_from_here_and_only_the_keys_of_a_list_if_there_is_one(orders_client: Any) -> None:
    options: Any = {"only": ["customer 7", ("customer 3",), "nobody"]}
    asked = api.input_of("Orders", options, KeysOptions)
    assert (asked.workers, asked.only) == (1, b'[{"S": "customer 7"}]\n[{"S": "customer 3"}]\n[{"S": "nobody"}]\n')
    assert {*skipscan.keys("Orders", client=orders_client, **options)} == {"customer 7", "customer 3"}
    assert api.input_of("Orders", {"workers": 3}, cast(Any, StartOptions)).workers == 3


def test_a_number_may_be_a_decimal_as_boto3_has_them() -> None:
    options: Any = {"segments": Decimal(8), "max_dollars": Decimal("0.5"), "first": None}
    made = api.input_of("Orders", options, KeysOptions)
    assert (made.segments, made.max_dollars) == (8, 0.5)


def test_a_mistake_is_refused_before_the_first_key(orders_client: Any) -> None:
    with refused(InputError, "segments", 0, rule="1 to 1000000"):
        skipscan.keys("Orders", client=orders_client, segments=0)
    for count, rule in ((True, "a whole number"), ("x", 'a whole number or "all"')):
        with refused(InputError, "count", count, rule=rule):
            skipscan.keys("Orders", client=orders_client, count=cast("Any", count))
    with refused(InputError, "table", None, rule="a table's name", way="correct it"):
        skipscan.keys(cast("Any", None), client=orders_client)
    with refused(InputError, "first", 5, rule="a list of"):
        skipscan.keys("Orders", client=orders_client, first=cast("Any", 5))
    with refused(InputError, "since", "datetime", rule="a time has many forms", way="isoformat"):
        skipscan.keys("Orders", client=orders_client, since=cast("Any", datetime.now(UTC)))
    with refused(TableError, "table", "Nope", rule="no such table", way="check the name"):
        skipscan.keys("Nope", client=orders_client)
    with refused(TableError, "table", "order", rule="no such table", way="did you mean Orders"):
        skipscan.keys("order", client=orders_client)
    assert orders_client.scans == 0


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("fist", "did you mean first"),
        ("counts", "did you mean count"),
        ("limit", "itertools.islice"),
        ("take", "first, last, items or count by themselves"),
        ("region", r"boto3.Session\(region_name="),
        ("profile_name", "profile_name="),
        ("endpoint_url", r'boto3.client\("dynamodb", endpoint_url='),
    ],
)
def test_a_mistyped_option_has_a_way_out(orders_client: Any, name: str, way: str) -> None:
    with refused(InputError, name, way=way):
        skipscan.keys("Orders", client=orders_client, **cast("Any", {name: "x"}))


def test_what_people_call_a_function_by_another_name_is_answered_in_words(orders_client: Any) -> None:
    for name, meant in (("open", "open_run"), ("get_keys", "keys"), ("lst_into", "list_into")):
        with pytest.raises(AttributeError, match=f"did you mean {meant}"):
            getattr(skipscan, name)
    with pytest.raises(TypeError, match=r"skipscan\.profile_table"):
        cast("Any", skipscan_profile)("Orders")
    with refused(InputError, "max_dollar", way="did you mean max_dollars"):
        skipscan.profile_table("Orders", client=orders_client, **cast("Any", {"max_dollar": 1}))
    with refused(InputError, "only", 5, rule="a list of keys"):
        skipscan.keys("Orders", client=orders_client, only=cast("Any", 5))
    assert orders_client.scans == 0


def test_what_is_no_folder_session_or_seed_is_refused_before_anything_is_read(
    orders_client: Any, tmp_path: Path
) -> None:
    taken = tmp_path / "file"
    taken.touch()
    for folder, rule in (
        ("s3://bucket/x", "on this machine"),
        ("", "path"),
        (None, "path"),
        (taken, "is a file"),
        (taken / "x", "is a file"),
    ):
        shown = str(folder) if folder is not None else None
        with refused(InputError, "folder", shown, rule=rule):
            skipscan.list_into(cast("Any", folder), "Orders", client=orders_client)
    of_a_profile: Any = {"session": "x"}
    for call in (
        *(partial(function, "Orders") for function in (skipscan.keys, skipscan.plan, skipscan.profile_table)),
        partial(skipscan.list_into, tmp_path / "run", "Orders"),
        partial(skipscan.start, "Orders", env="dev"),
        partial(skipscan.open_run, "s3://bucket/run/"),
    ):
        with refused(InputError, "session", rule="boto3.Session, not str"):
            call(**of_a_profile)
    for seed in cast("Any", ("x", 1.5, True)):
        with refused(InputError, "seed", seed, rule="whole number"):
            skipscan.plan("Orders", client=orders_client, seed=seed)
    assert orders_client.scans == 0


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


def test_a_folder_is_listed_into_kept_and_opened(orders_client: Any, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    run = skipscan.list_into(folder, "Orders", client=orders_client, segments=4)
    assert (len(run), sorted(run)) == (len(CUSTOMERS), sorted(CUSTOMERS))
    with refused(InputError, "folder", str(folder), remedy="finished finished", rule="finished"):
        skipscan.list_into(folder, "Orders", client=orders_client, segments=4)
    assert skipscan.list_into(folder, "Orders", client=orders_client, segments=4, finished="keep").name == run.name
    assert sorted(skipscan.open_run(folder).keys()) == sorted(CUSTOMERS)
    assert sorted(skipscan.open_run(folder / "manifest.json")) == sorted(CUSTOMERS)


def test_what_holds_no_run_is_refused(tmp_path: Path) -> None:
    for address in ("s3://bucket", "s3:///runs/one/"):
        with refused(InputError, "address", address, rule="folder or .s3://bucket/"):
            skipscan.open_run(address)
    with refused(NotFoundError, str(tmp_path), way=r"manifest\.json"):
        skipscan.open_run(tmp_path)


def test_importing_loads_no_client() -> None:
    code = "import skipscan, sys; dir(skipscan); assert 'boto3' not in sys.modules"
    subprocess.run([sys.executable, "-c", f"{code}; skipscan.keys; assert 'boto3' in sys.modules"], check=True)


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    assert skipscan.__all__ == dir(skipscan)
    assert [name for name in skipscan.__all__ if not callable(getattr(skipscan, name))] == []
    with pytest.raises(AttributeError, match="module 'skipscan' has no attribute 'parse'"):
        skipscan.parse  # noqa: B018  # the module that is loaded imports it


@pytest.mark.parametrize(("count", "counted"), [("all", (2, False)), (1, (1, True))])
def test_counts_come_with_their_keys(sensors: Any, count: Any, counted: tuple[int, bool]) -> None:
    groups = list(skipscan.keys("Sensors", client=sensors, count=count))
    assert {(group.counted, group.more) for group in groups} == {counted}
    assert all(group.first is None and 0 < group.read_units <= 0.5 for group in groups)


def test_every_field_and_format_is_a_typed_option() -> None:
    """So that no editor and no type checker lacks one."""
    fields = {field.name for field in FIELDS} - {"table", "take"}
    assert {*StartOptions.__annotations__} == fields | {*TAKEN}, "library/options.py"
    formats, _ = get_args(get_type_hints(StartOptions)["format"])
    assert get_args(formats) == STORED, "library/options.py"
