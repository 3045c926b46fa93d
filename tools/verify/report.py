"""The report, as JSON."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from skipscan import __version__
from verify.check import Outcome
from verify.run import Finding

ORDER = (Outcome.NOT_HELD, Outcome.NOT_TRIED, Outcome.HELD)
"""What a person has to look at comes first."""


@dataclass(frozen=True)
class Report:
    """`left`: what could not be removed, a line each. `interrupted`: whether checks are missing."""

    environment: str
    region: str
    account: str
    start: datetime
    seconds: float
    findings: Sequence[Finding]
    left: Sequence[str] = ()
    interrupted: bool = False

    @property
    def counts(self) -> Counter[Outcome]:
        return Counter(finding.outcome for finding in self.findings)

    @property
    def summary(self) -> str:
        said = ", ".join(f"{self.counts[outcome]} {outcome}" for outcome in reversed(ORDER))
        return f"{len(self.findings)} assumptions: {said}"

    def to_json(self) -> dict[str, Any]:
        return {
            "environment": self.environment,
            "region": self.region,
            "account": self.account,
            "skipscan_version": __version__,
            "began": self.start.isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "counts": {str(outcome): self.counts[outcome] for outcome in Outcome},
            "findings": [
                {
                    "check": finding.check.name,
                    "outcome": str(finding.outcome),
                    "seen": finding.seen,
                    "seconds": round(finding.seconds, 1),
                    "assumption": finding.check.assumption,
                    "source": finding.check.source,
                    "breaks": finding.check.breaks,
                }
                for finding in sorted(self.findings, key=lambda each: ORDER.index(each.outcome))
            ],
            "left": list(self.left),
        }

    def write(self, folder: Path) -> Path:
        """Write the report; return its path."""
        folder.mkdir(parents=True, exist_ok=True)
        document = folder / f"{self.environment}-{self.region}-{self.start:%Y%m%d-%H%M%S}.json"
        document.write_text(json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return document
