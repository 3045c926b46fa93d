"""The peak memory of an invocation of Scan at its widest, in a process of its own: see `invocation`."""

import json
import subprocess
import sys

from benchmarks.client.canned import AUDIT, DESCRIPTION, canned
from infra.environment import ONE_HEAP
from local.checkout import ROOT, environ
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.work import ExecutionId

KEYS, WHOLE = "keys", "whole items"
ASKED = {KEYS: (DESCRIPTION, {}), WHOLE: (AUDIT, {"take": {"first": "all"}})}
"""What a run lists, by its name here: keys, or the items of the audit table."""


def peak_mb(items: int, kind: str = KEYS) -> float:
    """Return the peak resident memory of an invocation that reads pages of so many items, to the end of a batch."""
    description, beside = ASKED[kind]
    asked = parse({"table": description.name, "segments": 1024, "workers": 1, **beside})
    run = LISTING.begun(ExecutionId("run", "arn", "2026-01-01T00:00:00Z"), plan_listing(asked, description))
    with canned(items) as url:
        variables = environ(
            **ONE_HEAP,
            AWS_ENDPOINT_URL=url,
            PYTHONPATH=str(ROOT / "lambdas"),
            POWERTOOLS_SERVICE_NAME="skipscan",
            SKIPSCAN_BUCKET="results",
            SKIPSCAN_PLACE="us-east-1:000000000000",
            SKIPSCAN_PREFIX="skipscan",
        )
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.client.invocation"],
            env=variables,
            cwd=ROOT,
            input=json.dumps({"work": run.to_json(), "worker": 0}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return float(done.stdout.splitlines()[-1])
