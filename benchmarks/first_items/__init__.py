"""What do first and last items cost, compared with other ways to get them? See benchmarks/README.md."""

from typing import Any


def quick() -> dict[str, Any]:
    from benchmarks.first_items.blog import blog  # noqa: PLC0415 - boto3 is slow to import
    from benchmarks.first_items.demo import demo  # noqa: PLC0415
    from benchmarks.first_items.document import table  # noqa: PLC0415

    tables = {"demo": demo(rounds=1), "blog": blog(share=1 / 256)}
    for ways in tables.values():
        print(f"{table(ways)}\n")
    return {
        "first_items": {
            f"{name}_{number}_{figure}": getattr(way, figure)
            for name, ways in tables.items()
            for number, way in enumerate(ways)
            for figure in ("read_units", "requests", "seconds", "dollars")
        }
    }
