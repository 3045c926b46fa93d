"""One execution of a retrofit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.loop.work import Work
from skipscan.retrofit.plan import RetrofitPlan


@dataclass(frozen=True)
class RetrofitJob(Work[RetrofitPlan]):
    """A plan of a retrofit, and the execution that carries it out."""

    noun = "retrofit"

    @classmethod
    def read_plan(cls, document: Mapping[str, Any]) -> RetrofitPlan:
        return RetrofitPlan.from_json(document)
