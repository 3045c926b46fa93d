"""What the lean client adds to a function: bytes of its zip, and imports of a cold start, beside boto3, which stays."""

import subprocess
import sys
import zlib
from pathlib import Path

from local.checkout import ROOT
from skipscan.aws import lean

IMPORTED = """
import sys
import boto3
import mmap  # a file of Python itself, which the newest boto3 imports anyway
import aws_lambda_powertools.logging, aws_lambda_powertools.metrics
import skipscan.loop.dependencies  # a worker has it with either client
boto3.Session("a", "b", region_name="us-east-1").client("dynamodb")
before = set(sys.modules)
import skipscan.aws.lean
print(*sorted(name for name in set(sys.modules) - before if name.partition(".")[0] != "skipscan"))
"""


def test_it_takes_at_most_thirteen_kilobytes_of_the_zip() -> None:
    modules = Path(lean.__file__).parent.glob("*.py")
    assert 5_000 < sum(len(zlib.compress(path.read_bytes(), 9)) for path in modules) < 13 * 1024


def test_a_cold_start_imports_nothing_for_it_that_boto3_does_not_import() -> None:
    ended = subprocess.run([sys.executable, "-c", IMPORTED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []
