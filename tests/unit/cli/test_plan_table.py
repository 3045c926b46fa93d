"""Any document of figures is readable, and its data stays unchanged."""

from skipscan.cli.board import plain
from skipscan.cli.plan_table import document_table
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import LEFT_OUT


def lines(**document: object) -> list[str]:
    return [" ".join(line.split()) for line in plain(document_table(document)).splitlines()]


def test_names_are_words_and_figures_are_grouped() -> None:
    assert lines(write_units=1234567.5, keys=2001, minutes=0.000012) == [
        "write units 1,234,567.5",
        "keys 2,001",
        "minutes 0.000012",
    ]


def test_names_of_attributes_and_indexes_stay_as_they_are() -> None:
    items = [{"pk": "S", "skipscan_job": "S"}, {"pk": "S", "skipscan_job": "S"}, {"pk": "N"}]
    assert lines(first_items=items) == ["first items pk S, skipscan_job S", "pk N"]
    assert lines(write_units_per_key={"table": 1.0, "by_status": 0.5}) == ["write units per key table 1, by_status 0.5"]


def test_missing_values_are_shown_and_absent_bounds_are_not() -> None:
    assert lines(max_write_units=None, overrun=None, recovery=None, advice=[], verify=False, set={}) == [
        "recovery not known",
        "advice none",
        "verify no",
        "set none",
    ]
    assert lines(max_write_units=5.0) == ["max write units 5"]


def test_prices_have_their_dates_and_dollars_their_sum() -> None:
    bill = {"total": 0.00164, "units": 0.00125, "lambda": 0.00039}
    told = lines(dollars=bill, prices=US_EAST_1.to_json())
    assert told[0] == f"dollars $0.0016, of which $0.0013 for units; without {LEFT_OUT}"
    assert told[1].startswith("prices us-east-1, 2024-11, ")
    assert " ".join(told).count("2024-11") == len(US_EAST_1.origins)


def test_small_dollars_are_not_shown_as_none() -> None:
    bill = {"total": 0.00049, "units": 0.00003}
    assert lines(dollars=bill) == [f"dollars $0.000490, of which $0.000030 for units; without {LEFT_OUT}"]
    bill["units"] = 0.000008
    assert lines(dollars=bill) == [f"dollars $0.0004900, of which $0.0000080 for units; without {LEFT_OUT}"]


def test_documents_within_documents_are_said_without_braces() -> None:
    sample = {"items": 250, "read_units": 1.0, "unset": 0, "unset_because": {}}
    assert lines(sample=sample) == ["sample items 250, read units 1, unset 0"]
    counted = {"indexes": ["a", "b"], "read_units_at_most": 0.0}
    assert lines(count_indexes=counted) == ["count indexes indexes a, b, read units at most 0"]
    advice = {"needless": "a", "because": "an index does it", "index": {"b": [1]}}
    assert lines(advice=[advice]) == ["advice an index does it. --json has the rest"]
