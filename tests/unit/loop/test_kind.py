"""Each kind of work has a folder of its own on S3, where the versions before look for it, too."""

from typing import Any

import pytest

from skipscan.act.kind import ACT
from skipscan.copy.kind import COPY
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT


@pytest.mark.parametrize(
    ("kind", "folder"), [(LISTING, "runs"), (ACT, "acts"), (RETROFIT, "retrofits"), (COPY, "copies")]
)
def test_results_stay_where_they_were(kind: Kind[Any, Any], folder: str) -> None:
    layout = kind.layout("skipscan", "Orders", "monday")
    assert layout.manifest == f"skipscan/Orders/{folder}/monday/manifest.json"
