"""The command line as a program of its own, and the variables it is started with."""

import os
import sys
from pathlib import Path

import skipscan

SKIPSCAN = [sys.executable, "-m", "skipscan"]
assert skipscan.__file__
LAMBDAS = str(Path(skipscan.__file__).parents[1])  # the code that the tests import, which need not be the checkout's
# Windows opens no socket for a program without SYSTEMROOT.
KEPT = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
NO_CREDENTIALS = {**KEPT, "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/nowhere", "PYTHONPATH": LAMBDAS}
VARIABLES = {**NO_CREDENTIALS, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
