"""The metrics in what the functions wrote: lines that CloudWatch reads by its embedded metric format."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """`values` and `units` by the metric's name. `dimensions`: by name. `properties`: what else the line says."""

    namespace: str
    values: Mapping[str, list[float]]
    units: Mapping[str, str]
    dimensions: Mapping[str, str]
    properties: Mapping[str, Any]


def lines(output: str) -> list[Line]:
    """Return the lines with metrics among all that was written."""
    documents = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [_line(document) for document in documents if "_aws" in document]


def total(emitted: Iterable[Line]) -> dict[str, float]:
    """Return the sum of every metric of all tables."""
    sums: defaultdict[str, float] = defaultdict(float)
    for line in emitted:
        if "table" in line.dimensions:
            for name, values in line.values.items():
                sums[name] += sum(values)
    return dict(sums)


def _line(document: dict[str, Any]) -> Line:
    [directive] = document.pop("_aws")["CloudWatchMetrics"]
    units = {metric["Name"]: metric["Unit"] for metric in directive["Metrics"]}
    [names] = directive["Dimensions"]
    values, dimensions = ({name: document.pop(name) for name in among} for among in (units, names))
    return Line(directive["Namespace"], values, units, dimensions, document)
