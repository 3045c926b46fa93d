"""An environment of this checkout's `cdk.json`, alone, synthesised into CDK_OUTDIR: `python -m local.synthesis local`.

It needs no AWS and no CDK command line, so it can run while these start.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path

from local import jsii_cache
from local.checkout import ROOT


def main(environment: str) -> None:
    """Unpack the CDK's library, then run the app."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    context["environments"] = {environment: context["environments"][environment]}
    os.environ["CDK_CONTEXT_JSON"] = json.dumps(context)
    jsii_cache.fill(Path(os.environ["JSII_RUNTIME_PACKAGE_CACHE_ROOT"]))
    runpy.run_path(str(ROOT / "app.py"), run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])
