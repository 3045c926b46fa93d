"""Run the quick form of every benchmark: `python -m benchmarks`, or `make bench`. Names: of these folders alone."""

import json
import os
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from time import perf_counter
from typing import Any

import benchmarks
from benchmarks.standing import PAGE, page, questions

BENCH = Path("build/bench.json")


def main() -> None:
    figures: dict[str, Any] = {}
    folders = sys.argv[1:] or quick_folders()
    begun_all = perf_counter()
    for folder in folders:
        print(f"\n== {folder}\n", flush=True)
        begun, before = perf_counter(), _cpu_seconds()
        figures |= import_module(f"benchmarks.{folder}").quick()
        print(f"\n{folder} took {perf_counter() - begun:.0f} s, {_cpu_seconds() - before:.0f} s of CPU", flush=True)
        BENCH.parent.mkdir(exist_ok=True)
        BENCH.write_text(json.dumps(figures, indent=2) + "\n")
    PAGE.write_text(page(questions(folders, figures), datetime.now(UTC).date()), encoding="utf-8")
    print(f"\nAll took {perf_counter() - begun_all:.0f} s. Figures: {BENCH}. Beside each peer: {PAGE}")


def quick_folders() -> list[str]:
    """Return the folders that have a quick form."""
    packages = [module.name for module in iter_modules(benchmarks.__path__) if module.ispkg]
    return [name for name in packages if hasattr(import_module(f"benchmarks.{name}"), "quick")]


def _cpu_seconds() -> float:
    """Return the processor time of this process and of those that it started and that have ended."""
    user, system, of_children, system_of_children, _ = os.times()
    return user + system + of_children + system_of_children


if __name__ == "__main__":
    main()
