"""First items on the engines that count read units exactly: they cost what the keys alone do, to the unit."""

from typing import Any

import pytest

from tests.engines.conformance.conftest import marks
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.turns import run

LOCAL = IndexDefinition("by-since", KeySchema.of(("pk", "S"), ("since", "N")), "local", "INCLUDE", ("name",))
GLOBAL = IndexDefinition("by-country", KeySchema.of(("country", "S"), ("since", "N")), "global", "ALL")
TABLE = TableDefinition("taken", KeySchema.of(("pk", "S"), ("sk", "S")), (LOCAL, GLOBAL))
PLAIN = TableDefinition("taken-plain", KeySchema.of(("pk", "S")))


def items() -> list[dict[str, Any]]:
    """Return collections of one to nine items, of some bytes up to some KB."""
    return [
        {
            "pk": {"S": f"c{number}"},
            "sk": {"S": f"{place}"},
            "since": {"N": f"{100 - place}"},
            "country": {"S": f"k{number % 5}"},
            "name": {"S": f"{number}-{place}"},
            "deep": {"M": {"B": {"L": [{"B": b"\xfe"}, {"NULL": True}]}}},
            "payload": {"B": bytes(40 + number * place * 37 % 2500)},
        }
        for number in range(60)
        for place in range(1 + number % 9)
    ]


@pytest.fixture(params=[pytest.param(name, marks=marks(name)) for name in ("dynalite", "dynamodb-local")])
def client(request: pytest.FixtureRequest) -> Any:
    engine = request.getfixturevalue(f"{str(request.param).replace('-', '_')}_engine")
    for definition, held in ((TABLE, items()), (PLAIN, [item for item in items() if item["sk"]["S"] == "0"])):
        engine.load(definition, held)
    return engine.client


@pytest.mark.parametrize("strategy", ["auto", "page"])
@pytest.mark.parametrize("index", [None, "by-since", "by-country"])
def test_first_items_cost_what_the_keys_do(client: Any, index: str | None, strategy: str) -> None:
    asked: dict[str, Any] = {"table": TABLE.name, "index": index, "segments": 3, "workers": 1, "strategy": strategy}
    alone = run(client, **asked)
    for take in ({"first": ["name"]}, {"first": "all"}):
        taking = run(client, **asked, take=take)
        assert taking.counts == alone.counts
        assert {line.key["S"] for line in taking.keys} == {key["S"] for key in alone.keys}
    if index == "by-country":
        return  # which of the items with one country and time comes first, the engines decide
    least = {(item["pk"]["S"], item["sk"]["S"]): item for item in items()}
    for line in taking.keys:
        whole = least[line.key["S"], "0" if index is None else line.items["first"]["sk"]["S"]]
        assert line.items["first"]["name"] == whole["name"]
        if index is None:
            assert line.items["first"] == {name: value for name, value in whole.items() if name != "pk"}
        else:
            lengths = 1 + int(line.key["S"][1:]) % 9
            assert line.items["first"]["since"]["N"] == f"{100 - lengths + 1}"


@pytest.mark.parametrize("strategy", ["auto", "page"])
@pytest.mark.parametrize(("index", "prefix"), [(None, None), (None, "1"), ("by-since", None), ("by-country", None)])
def test_last_items_come_by_a_query_for_the_last_collection_of_a_page(
    client: Any, index: str | None, prefix: str | None, strategy: str
) -> None:
    asked: dict[str, Any] = {"table": TABLE.name, "index": index, "segments": 3, "workers": 1, "strategy": strategy}
    taking = run(client, **asked, take={"last": ["since"]}, prefix=prefix)
    of = "country" if index == "by-country" else "pk"
    by = "sk" if index is None else "since"
    held: dict[str, list[str]] = {}
    for item in items():
        held.setdefault(item[of]["S"], []).append(next(iter(item[by].values())))
    lasts = {
        key: max(
            (each for each in found if each.startswith(prefix or "")), default=None, key=lambda each: (len(each), each)
        )
        for key, found in held.items()
    }
    found = {line.key["S"]: next(iter(line.items["last"][by].values())) for line in taking.keys}
    assert found == {key: last for key, last in lasts.items() if last is not None}
    pages = taking.counts.requests - taking.counts.lookups
    assert taking.counts.lookups <= pages - 3
    assert taking.counts.ended == 0
