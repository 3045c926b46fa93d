"""`python -m benchmarks.client [SECTION…]` prints the quick form; `--full` the full one, which renews results.json."""

import json
import sys
from pathlib import Path

from benchmarks.client.report import report

RESULTS = Path(__file__).with_name("results.json")

full = "--full" in sys.argv[1:]
figures = report(full=full, sections=[name for name in sys.argv[1:] if name != "--full"])
if full:
    RESULTS.write_text(json.dumps({**json.loads(RESULTS.read_text()), **figures}, indent=2) + "\n")
