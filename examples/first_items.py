"""The first item of every customer as a pandas DataFrame, of a run with "take": {"first": [...]}."""

import json
from pathlib import Path

import pandas as pd

lines = [json.loads(line) for part in Path("run/keys").glob("*/*.jsonl") for line in part.read_text().splitlines()]
items = pd.json_normalize(lines)  # columns customer, first.name, first.since, read
