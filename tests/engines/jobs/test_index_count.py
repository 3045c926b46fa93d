"""The entries of the index that a retrofit makes complete, held against the items that have its keys."""

import json
from typing import Any
from unittest.mock import patch

import pytest

from local.audit_table import INDEX
from skipscan.pace.bill import Amounts, amounts
from skipscan.retrofit.kind import RETROFIT
from tests.engines.jobs.conftest import Audited


def test_the_index_has_as_many_entries_as_items_have_its_keys(audited: Audited) -> None:
    audited.load(60, {"id": {"S": "lacking"}, "resourceId": {"S": "r"}})
    output = audited.run(count_indexes=True)
    counted = output["indexes"][INDEX]
    assert output["verified"] == 66
    assert (output["indexed"], counted["entries"], counted["stopped_by"]) == (65, 65, None)
    (manifest,) = audited.job.objects("manifest.json")
    assert f'"{INDEX}"' in audited.job.read(manifest).decode()


def test_what_the_workers_took_besides_units_counts_against_the_dollars(audited: Audited) -> None:
    """Of max_dollars the workers' units are a small part: without their services the count could go on."""
    audited.load(30)
    audited.run("once")
    asked: list[Amounts] = []

    def seen(_client: Any, _plan: Any, consumed: Amounts, *_more: Any, **_named: Any) -> dict[str, Any]:
        asked.append(consumed)
        return {}

    with patch("skipscan.retrofit.count_requests.count_indexes", seen):
        stated = audited.run("again", count_indexes=True, max_dollars=1.0)
    (consumed,), dollars = asked, stated["dollars"]
    (name,) = audited.job.objects("again/plan.json")
    units = amounts(RETROFIT.work(json.loads(audited.job.read(name))).plan.prices, stated["read_units"]).dollars
    services = dollars["lambda"] + dollars["step_functions"] + dollars["s3"]
    assert consumed.read_units == pytest.approx(stated["read_units"])
    # The bill states Lambda, Step Functions and S3 with six decimals: each is at most half a millionth off. The units
    # are not taken from the bill, so they add nothing.
    assert consumed.dollars == pytest.approx(units + services, rel=0, abs=3 * 0.5e-6)
    assert services > units
