"""The report: JSON for programs, Markdown for people."""

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
    began: datetime
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
            "began": self.began.isoformat(timespec="seconds"),
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
                for finding in self.findings
            ],
            "left": list(self.left),
        }

    def to_markdown(self) -> str:
        lines = [
            f"# What holds in {self.region}, {self.began:%Y-%m-%d}",
            "",
            f"{self.summary}. Environment {self.environment}, account {self.account}, "
            f"{self.began:%Y-%m-%d %H:%M:%S} UTC, {self.seconds:.0f} s, Skipscan {__version__}.",
        ]
        if self.interrupted:
            lines += ["", "**Interrupted: the missing checks were not tried.**"]
        if self.left:
            lines += ["", "**Could not be removed:**", "", *(f"- {line}" for line in self.left)]
        for outcome in ORDER:
            found = [finding for finding in self.findings if finding.outcome is outcome]
            if found:
                lines += ["", f"## {str(outcome).capitalize()}", ""]
                lines += ["| check | assumption | seen | if it does not hold |", "|---|---|---|---|"]
                lines += [_row(finding) for finding in found]
        return "\n".join(lines) + "\n"

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write both files; return their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{self.environment}-{self.region}-{self.began:%Y%m%d-%H%M%S}"
        document, page = folder / f"{name}.json", folder / f"{name}.md"
        document.write_text(json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        page.write_text(self.to_markdown(), encoding="utf-8")
        return document, page


def _row(finding: Finding) -> str:
    check = finding.check
    cells = (f"`{check.name}`", f"{check.assumption} ([source]({check.source}))", finding.seen, check.breaks)
    return f"| {' | '.join(cell.replace('|', '&#124;').replace(chr(10), ' ') for cell in cells)} |"
