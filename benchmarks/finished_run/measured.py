"""Run a module as a program of its own: `python -m benchmarks.finished_run.measured FIGURES MODULE [ARGUMENT…]`."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from runpy import run_module
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.blog_table.memory import peak_memory_mb

PATHS = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "lambdas")]


class Taken(NamedTuple):
    """What a program took, from its start to its end. `peak_mb`: of memory."""

    cpu_seconds: float
    seconds: float
    peak_mb: float


def measured(module: str, arguments: Sequence[str]) -> Taken:
    """Run a module, and return what it took; raise `CalledProcessError` if it fails."""
    with TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        program = f"import sys; sys.path[:0] = {PATHS}; from benchmarks.finished_run.measured import main; main()"
        begun = perf_counter()
        subprocess.run(
            [sys.executable, "-c", program, str(figures), module, *arguments], check=True, capture_output=True
        )
        seconds = perf_counter() - begun
        return Taken(seconds=round(seconds, 3), **json.loads(figures.read_text()))


def main() -> None:
    _, figures, module, *arguments = sys.argv
    sys.argv = [module, *arguments]
    try:
        run_module(module, run_name="__main__")
    except SystemExit as ended:
        if ended.code:
            raise
    taken = {"cpu_seconds": round(process_time(), 3), "peak_mb": round(peak_memory_mb())}
    Path(figures).write_text(json.dumps(taken))
