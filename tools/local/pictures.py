"""The pictures of the terminal in docs/images: `python -m local.sandbox python -m local.pictures`.

They show what `skipscan` draws of a real plan and a real run over the sample table.
"""

import json
import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from time import sleep

import boto3
from rich.console import Console, RenderableType

from local.checkout import ROOT
from local.sandbox import ENVIRONMENT
from local.sandbox_tables import ORDERS as TABLE
from skipscan.cli.board import board
from skipscan.cli.follow import planned
from skipscan.cli.plan_table import plan_table
from skipscan.cli.preview import job_preview
from skipscan.environment.status import Status
from skipscan.environment.watch import Watch
from skipscan.library.deployed import Deployed

FOLDER = ROOT / "docs" / "images"
COLUMNS = 92
RATE, SEGMENTS = 8, 96
"""Read units a second, so that the run takes half a minute, and enough segments to show progress."""

FONT_FACES = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def picture(drawing: RenderableType, command: str, file: Path) -> None:
    """Write a drawing as SVG that loads no font from the network."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, highlight=False)
    console.print(f"[dim]$[/dim] {command}\n")
    console.print(drawing)
    file.write_text(FONT_FACES.sub("", console.export_svg(title="skipscan", unique_id=file.stem)), encoding="utf-8")


def under_way(watch: Watch) -> Status:
    """Return the status of a run that is half done."""
    while (status := watch.look()).moment is None or status.moment.part_done < 0.5:
        sleep(0.2)
    return status


def main() -> None:
    deployed = Deployed(ENVIRONMENT, TABLE, boto3.Session())
    plan = planned(deployed, "run", "pictured-plan", {"table": TABLE, "dry_run": True})
    picture(plan_table(plan), f"skipscan plan {TABLE}", FOLDER / "plan.svg")
    requested = {"table": TABLE, "segments": SEGMENTS, "workers": 2, "max_read_units_per_second": RATE}
    run = deployed.machine("run").start("nightly-2026-11-22", requested)
    watch = deployed.watch(run.name)
    following = board(under_way(watch), None, datetime.now(UTC))
    picture(following, f"skipscan run {TABLE} --env dev --follow", FOLDER / "follow.svg")
    while watch.look().state.is_under_way:
        sleep(0.5)
    put = {"item": {"order": "#static", "marker": "{customer}"}}
    job = {"table": TABLE, "run": run.name, "put_item": put, "dry_run": True, "without_recovery": True}
    preview = planned(deployed, "act", "pictured-act", job)
    command = f"skipscan act {TABLE} --env dev --put-item '{json.dumps(put)}'"
    picture(job_preview("act", {**job, **preview}), command, FOLDER / "act.svg")


if __name__ == "__main__":
    main()
