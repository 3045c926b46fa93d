"""`python -m benchmarks.client` prints the quick form; with `--full` the full one, which renews results.json."""

import json
import sys
from pathlib import Path

from benchmarks.client.report import report

full = "--full" in sys.argv[1:]
figures = report(full=full)
if full:
    Path(__file__).with_name("results.json").write_text(json.dumps(figures, indent=2) + "\n")
