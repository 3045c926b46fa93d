"""The page and the JSON have names and figures, and no value of any attribute."""

import json
import re
from random import Random
from typing import Any

import pytest

from skipscan.dynamodb.write_units import item_bytes
from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.page import profile_page
from skipscan.profile.segments import ReadingPlan
from tests.unit.profile.tables import FOUR, budget, index, read
from tests.unit.report.elements import parsed, tables
from tests.unit.report.faults import faults

EXPIRY = ExpirySetting("n", "ENABLED")


def secret(random: Random) -> str:
    return f"canary{random.getrandbits(40):x}"


def secrets(random: Random) -> dict[str, Any]:
    """Return an item whose every value has the word canary, or begins with 777."""
    return {
        "pk": {"S": f"{secret(random)}#{secret(random)}"},
        "sk": {"S": random.choice(["ORDER#", "", "canary one:"]) + secret(random)},
        "ik": {"S": secret(random)},
        "n": {"N": f"777{random.randrange(10**9)}"},
        "bytes": {"B": secret(random).encode()},
        "map": {"M": {secret(random): {"L": [{"S": secret(random)}, {"SS": [secret(random)]}]}}},
        "constant": {"S": "canary-that-all-items-have"},
        "mixed": random.choice([{"S": secret(random)}, {"BOOL": True}, {"NULL": True}]),
    }


def test_nothing_on_the_page_lacks_its_place_its_style_or_its_words() -> None:
    page, _ = documents(plan=ReadingPlan(30, 12, budget(), None))
    assert faults(page) == faults(documents()[0]) == []
    assert re.search(r"Up to [\d.]+ unseen collections may be larger than the largest seen", page)


def documents(**more: Any) -> tuple[str, str]:
    random = Random(5)
    profile, _ = read(
        [secrets(random) for _ in range(600)], expiry=EXPIRY, GlobalSecondaryIndexes=[index("one")], **more
    )
    return profile_page(profile), json.dumps(profile.to_json())


def test_no_value_appears() -> None:
    for document in documents():
        assert "ORDER" in document  # a prefix that many collections share
        assert "constant" in document
        assert "canary" not in document
        assert not re.search(r"(?<![\d.])777\d{5}", document)


def test_names_are_escaped() -> None:
    page = profile_page(read([{"pk": {"S": "a"}, "sk": {"S": "b"}, "<b>&": {"S": "c"}}])[0])
    assert "&lt;b&gt;&amp;" in page
    assert "<b>&" not in page


def test_a_page_about_an_empty_table_is_one_sentence() -> None:
    page = profile_page(read([], GlobalSecondaryIndexes=[index("one")])[0])
    assert "Made is empty." in page
    assert tables(parsed(page)) == {}
    assert not any(word in page for word in ("item collections", "Skew", "Money", "$0", "<svg"))
    assert tables(parsed(profile_page(read(FOUR)[0])))


def test_an_empty_table_says_what_its_capacity_costs() -> None:
    provisioned = {"ReadCapacityUnits": 100, "WriteCapacityUnits": 100}
    profile, _ = read([], BillingModeSummary={"BillingMode": "PROVISIONED"}, ProvisionedThroughput=provisioned)
    hourly = 100 * 0.00013 + 100 * 0.00065
    assert f"Made is empty. Its provisioned capacity costs ${730 * hourly:.2f} a month." in profile_page(profile)


def test_each_colour_of_the_map_is_named_below_it() -> None:
    drawn, _, rest = documents()[0].partition('<svg class="map"')[2].partition('<p class="legend">')
    named = dict(re.findall(r'class="swatch (\w+)"[^>]*></span>([^<]*)', rest.partition("</p>")[0]))
    assert list(named) == ["shade0", "shade1", "shade2", "shade3", "rest"]
    fields = re.findall(r'<title>(?:ORDER: )?([^<]*)</title><rect class="field (\w+)"', drawn)
    assert {colour for _, colour in fields} == named.keys()
    assert all(named[colour] == name for name, colour in fields if colour != "rest")
    assert not {name for name, colour in fields if colour == "rest"} & set(named.values())


def test_the_map_names_a_field_only_where_the_whole_name_has_room() -> None:
    """On a small phone, and from 560 pixels on what is `roomy`. A letter has at most seven pixels."""
    page, _ = documents()
    drawn = page.partition('<svg class="map"')[2]
    fields = re.findall(r"<svg ([^>]*)><title>([^<]*)</title><rect [^>]*>(?:</rect>)?(<text[^>]*>)?", drawn)
    shown = [text for *_, text in fields if text]
    assert 0 < len(shown) < len(fields)
    assert any("roomy" in text for text in shown)
    for place, words, text in fields:
        [part], [height] = (re.findall(rf' {name}="([\d.]+)', f" {place}") for name in ("width", "height"))
        needed = len(words) * 7 + 12
        assert bool(text) == (float(height) >= 14 and float(part) / 100 * 560 >= needed), words
        assert ("roomy" in text) == (bool(text) and float(part) / 100 * 300 < needed), words
    assert ".roomy { display: none; }" in page


def test_the_fields_of_the_map_fill_it_to_scale() -> None:
    orders = [{"pk": {"S": f"k{n:02}"}, "sk": {"S": "ORDER#1"}, "note": {"S": "n" * 480}} for n in range(20)]
    plain = [{"pk": {"S": f"k{n:02}"}, "sk": {"S": "x"}, "note": {"S": "n" * 230}} for n in range(20)]
    [drawn] = [each for each in parsed(profile_page(read([*orders, *plain])[0])).all("svg") if "map" in each.classes]
    fields = [each for each in drawn.children if each.name == "svg"]
    words = [next(field.all("title")).text for field in fields]
    assert words == ["ORDER: note", "sk", "pk", "without a common prefix"]
    first, last = sum(map(item_bytes, orders)), sum(map(item_bytes, plain))
    height, place = 300 * first / (first + last), [field.attributes for field in fields]
    assert [float(each["y"]) for each in place] == pytest.approx([0.0] * 3 + [height], abs=0.01)
    tall = [height - 2] * 3 + [300 - height - 2]
    assert [float(each["height"]) for each in place] == pytest.approx(tall, abs=0.01), "two pixels between the bands"
    parts = [(4 + 480) / 498, (2 + 7) / 498, (2 + 3) / 498, 1.0]
    assert [float(each["width"].rstrip("%")) for each in place] == pytest.approx(
        [100 * part for part in parts], abs=0.1
    )
    lefts = [0.0, parts[0], parts[0] + parts[1], 0.0]
    assert [float(each["x"].rstrip("%")) for each in place] == pytest.approx([100 * part for part in lefts], abs=0.1)
    shades = [next(field.all("rect")).classes - {"field"} for field in fields]
    assert shades == [{"shade0"}, {"shade1"}, {"shade2"}, {"rest"}]
    assert [bool(list(field.all("text"))) for field in fields] == [True, False, False, True]
    assert drawn.attributes["aria-label"] == "ORDER 67 % of the bytes; without a common prefix 33 % of the bytes"


def test_the_bars_of_the_attributes_are_to_scale_and_units_have_decimals() -> None:
    page = profile_page(read(FOUR)[0])
    bars = re.findall(r'<rect class="solid keys" x="0%" y="2" width="([\d.]+)%"', page)
    assert bars[:2] == ["100", f"{100 * (2 * 8 + 2 * 8) / (4 + 5000):.2f}"], "the largest attribute, and the next"
    ticks = re.findall(r'<text class="tick middle[^"]*" x="([\d.]+)%" y="147">[^<]* KB', page)
    assert ticks[3:] == ["10", "30", "50", "70", "90"], "each below the middle of its bar"
    assert re.search(r"read units, read alone(<[^>]+>)+\d+\.\d\d", page)
