"""A deployed environment: its stack, its executions, and the status of its work."""

from typing import Any

from skipscan.act.kind import ACT
from skipscan.copy.kind import COPY
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT

KINDS: dict[str, Kind[Any]] = {kind.label: kind for kind in (LISTING, ACT, RETROFIT, COPY)}
"""Every kind of work, by its label."""
