"""An invocation of Scan in which all walks receive full pages, as many as there can be.

As a program, `python -m benchmarks.client.invocation`, it takes the state's input from standard input and prints the
peak memory of the process in megabytes. It imports what the function does, and hardly anything else.

How wide a worker becomes depends on how far the table is and how busy the machine. Here every doubling pays, as from
far away, however little of the width is busy: beside a table of long pages a worker else has one walk.
"""

import json
import sys
from types import SimpleNamespace

from benchmarks.blog_table.memory import peak_memory_mb
from handlers import listing
from skipscan.scan import width

CONTEXT = SimpleNamespace(
    function_name="scan",
    memory_limit_in_mb=1769,
    invoked_function_arn="arn:aws:lambda:us-east-1:000000000000:function:scan",
    aws_request_id="request",
    get_remaining_time_in_millis=lambda: 900_000,
)


def main() -> None:
    width.FULL = 0.0
    width.Width._judge = lambda of, _: setattr(of, "walks", of.ceiling)  # type: ignore[assignment]
    progress = listing.scan(json.load(sys.stdin), CONTEXT)
    if progress["batch"] != 1:
        raise RuntimeError("the batch was not committed")
    print(peak_memory_mb())


if __name__ == "__main__":
    main()
