"""One execution of the listing of keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.loop.work import Work
from skipscan.scan.plan import Plan


@dataclass(frozen=True)
class Run(Work[Plan]):
    """A plan of a listing, and the execution that carries it out."""

    noun = "run"

    @classmethod
    def read_plan(cls, document: Mapping[str, Any]) -> Plan:
        return Plan.from_json(document)
