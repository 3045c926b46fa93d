"""The peak memory of an invocation in which all walks receive full pages, as many as there can be.

How wide a worker becomes depends on how far the table is and how busy the machine. Here every doubling pays, as from
far away. As a program, `python -m benchmarks.client.memory KIND`, it is that invocation: the handler with its own
limits, to a batch's end, with the endpoint in AWS_ENDPOINT_URL. It prints the megabytes.
"""

import resource
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

from benchmarks.client.canned import AUDIT, DESCRIPTION, canned
from local.checkout import ROOT, environ
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.work import ExecutionId
from skipscan.scan.width import Width

CONTEXT = SimpleNamespace(
    function_name="scan",
    memory_limit_in_mb=1769,
    invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:scan",
    aws_request_id="request",
    get_remaining_time_in_millis=lambda: 900_000,
)


KEYS, WHOLE = "keys", "whole items"
ASKED = {KEYS: (DESCRIPTION, {}), WHOLE: (AUDIT, {"take": {"first": "all"}})}
"""What a run lists, by its name here: keys, or the items of the audit table."""


def peak_mb(items: int, kind: str = KEYS) -> float:
    """Return the peak resident memory of an invocation that reads pages of so many items."""
    with canned(items) as url:
        variables = environ(
            AWS_ENDPOINT_URL=url,
            PYTHONPATH=str(ROOT / "lambdas"),
            POWERTOOLS_SERVICE_NAME="skipscan",
            SKIPSCAN_BUCKET="results",
            SKIPSCAN_PLACE="us-east-1:000000000000",
            SKIPSCAN_PREFIX="skipscan",
        )
        command = [sys.executable, "-m", "benchmarks.client.memory", kind]
        done = subprocess.run(command, env=variables, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.splitlines()[-1])


def main(kind: str) -> None:
    description, beside = ASKED[kind]
    asked = parse({"table": description.name, "segments": 1024, "workers": 1, **beside})
    run = LISTING.begun(ExecutionId("run", "arn", "2026-01-01T00:00:00Z"), plan_listing(asked, description))
    Width._judge = lambda width, _: setattr(width, "walks", width.ceiling)  # type: ignore[assignment]
    progress = import_module("handlers.listing").scan({"work": run.to_json(), "worker": 0}, CONTEXT)
    if progress["batch"] != 1:
        raise RuntimeError("the batch was not committed")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))


if __name__ == "__main__":
    main(*sys.argv[1:])
