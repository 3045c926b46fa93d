"""Run the quick form of every benchmark: `python -m benchmarks`, or `make bench`."""

import json
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from time import perf_counter
from typing import Any

import benchmarks

BENCH = Path("build/bench.json")


def main() -> None:
    figures: dict[str, Any] = {}
    for folder in (module.name for module in iter_modules(benchmarks.__path__) if module.ispkg):
        print(f"\n== {folder}\n", flush=True)
        begun = perf_counter()
        figures |= import_module(f"benchmarks.{folder}").quick()
        print(f"\n{folder} took {perf_counter() - begun:.0f} s", flush=True)
        BENCH.parent.mkdir(exist_ok=True)
        BENCH.write_text(json.dumps(figures, indent=2) + "\n")
    print(f"\nFigures: {BENCH}")


if __name__ == "__main__":
    main()
