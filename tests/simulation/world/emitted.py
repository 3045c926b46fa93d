"""The metrics that the handlers emitted for a run, added up."""

from collections import Counter
from collections.abc import Mapping

from skipscan.loop.metric import Metric


class Emitted(Counter[Metric]):
    def emit(self, figures: Mapping[Metric, float], **_: object) -> None:
        for metric, value in figures.items():
            self[metric] += value  # type: ignore[assignment]  # read units come in halves
