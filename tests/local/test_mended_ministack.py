"""MiniStack with what it lacks."""

from __future__ import annotations

import subprocess

from local.checkout import MINISTACK_PYTHON, ROOT

ASKING = """
import runpy, sys
import botocore.session
from ministack import app
from ministack.core import router

read = []
app.main = lambda: None
runpy.run_path(sys.argv[1], run_name="__main__")
botocore.session.Session.get_service_model = lambda session, service: read.append(service)
print(router._is_aws_service_name("s3"), router._is_aws_service_name("elsewhere"), read)
"""


def test_a_service_is_known_by_its_name_and_no_model_is_read() -> None:
    program = [str(MINISTACK_PYTHON), "-P", "-c", ASKING, str(ROOT / "local" / "mended_ministack.py")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("True False []\n", 0), done.stderr
