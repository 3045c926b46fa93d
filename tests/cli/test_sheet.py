"""Any document of figures reads well, and what is data in it stays as it is."""

from skipscan.cli.board import plain
from skipscan.cli.plan_table import sheet


def lines(**document: object) -> list[str]:
    return [" ".join(line.split()) for line in plain(sheet(document)).splitlines()]


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


def test_what_is_not_there_is_said() -> None:
    assert lines(max_write_units=None, recovery=None, advice=[], verify=False, set={}) == [
        "max write units none",
        "recovery not known",
        "advice none",
        "verify no",
        "set none",
    ]


def test_documents_within_documents_are_lines() -> None:
    assert lines(prices={"read_units": {"as_of": "2024-11"}, "write_units": {"as_of": "2024-11"}}) == [
        "prices read_units: as_of 2024-11",
        "write_units: as_of 2024-11",
    ]
    assert lines(advice=[{"needless": "a", "index": {"b": [1]}}]) == [
        'advice {"needless": "a", "index": {"b": [1]}}',
    ]
