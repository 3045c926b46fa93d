"""The keys of a run as a pandas DataFrame: numbers with every digit, binary as bytes."""

import base64
import json
from decimal import Decimal
from pathlib import Path

import pandas as pd


def read_keys(run: Path) -> pd.DataFrame:
    """Return the keys below a folder that holds a run's manifest.json and keys/, in the format `jsonl`.

    pandas' own read_json would take text such as "007" for a number, and numbers for floats.
    """
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    read = {"S": str, "N": Decimal, "B": base64.b64decode}
    types = {attribute["name"]: read[attribute["type"]] for attribute in manifest["partition_key"]}
    rows = [
        [types[name](value) for name, value in json.loads(line, parse_int=str, parse_float=str).items()]
        for part in sorted(run.glob("keys/*/*.jsonl"))
        for line in part.read_bytes().splitlines()
    ]
    return pd.DataFrame(rows, columns=list(types), dtype=object)


if __name__ == "__main__":
    print(read_keys(Path("run")))  # noqa: T201
