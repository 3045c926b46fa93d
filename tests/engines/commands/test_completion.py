"""Shells complete the commands and options."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.program import NO_CREDENTIALS

pytestmark = pytest.mark.engine


def test_bash_completes_by_the_script(tmp_path: Path) -> None:
    program = tmp_path / "skipscan"  # a file, for the script calls it by way of `env`
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m skipscan "$@"\n')
    program.chmod(0o755)
    asks = 'COMP_WORDS=(skipscan do); COMP_CWORD=1; _skipscan_completion skipscan; echo "${COMPREPLY[@]}"'
    script = f'eval "$(skipscan completion bash)"; {asks}'
    variables = {**NO_CREDENTIALS, "PATH": f"{tmp_path}:{NO_CREDENTIALS.get('PATH', os.defpath)}"}
    done = subprocess.run(["bash", "-c", script], env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["download"], "")
