"""The command line as a program of its own, and the variables it is started with."""

import os
import sys

from local.checkout import ROOT

SKIPSCAN = [sys.executable, "-m", "skipscan"]
LAMBDAS = str(ROOT / "lambdas")  # the code of this checkout, not an installed package
# Windows opens no socket for a program without SYSTEMROOT.
KEPT = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
NO_CREDENTIALS = {**KEPT, "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/nowhere", "PYTHONPATH": LAMBDAS}
VARIABLES = {**NO_CREDENTIALS, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
