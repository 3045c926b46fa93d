"""Every document of a profile is as its schema says: with these members and no others."""

import json
from pathlib import Path

from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.segments import ReadingPlan
from tests.house.docs.test_schemas import fits
from tests.unit.profile.tables import budget, index, read

SCHEMA = json.loads(Path("docs/schemas/profile.json").read_text())


def test_a_profile_is_as_the_schema_says() -> None:
    items = [
        {"pk": {"S": f"k{n % 90}"}, "sk": {"S": f"ORDER#{n}"}, "ik": {"S": "a"}, "t": {"N": str(n)}} for n in range(700)
    ]
    expiry, indexes = ExpirySetting("t", "ENABLED"), [index("one"), index("two", "KEYS_ONLY")]
    sample = ReadingPlan(30, 12, budget(), 100.0)
    for profile, _ in (
        read(items, expiry=expiry, GlobalSecondaryIndexes=indexes),
        read(items, plan=sample, LocalSecondaryIndexes=[index("one")]),
        read(items, stop_after=0, GlobalSecondaryIndexes=indexes),
        read([]),
    ):
        assert fits(json.loads(json.dumps(profile.to_json())), SCHEMA)
