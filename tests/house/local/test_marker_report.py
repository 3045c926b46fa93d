from __future__ import annotations

from local import marker_report

PLAN = {
    "keys": 2001,
    "item_bytes": 73.4,
    "first_items": [{"customer": "S", "order": "S"}],
    "write_units": 4002.0,
    "write_units_per_key": {"table": 1.0, "markers": 1.5},
    "dollars": {"total": 0.003},
}


def test_the_plan_says_what_would_be_put_and_what_it_takes() -> None:
    assert list(marker_report.plan({"table": "Sample"}, PLAN)) == [
        '    Input   {"table": "Sample"}',
        "    Items   2,001 of 73 bytes, with customer, order",
        "    Takes   4,002 write units, 1 in the table, 1.5 in the index markers for each; $0.0030",
    ]


def test_the_markers_of_the_blogs_table_pay_after_a_few_listings() -> None:
    *_, blog, pays = marker_report.at_scale()
    assert "1,000,000 read units ($0.125), the index 37,500 ($0.0047)" in blog
    assert "$2.50 once, which 21 listings save" in pays
