"""The first item of every customer as a pandas DataFrame, of a run with "take": {"first": [...]}."""

import json
from decimal import Decimal
from pathlib import Path

import pandas as pd

parts = Path("run/keys").glob("*/*.jsonl")
lines = [json.loads(line, parse_float=Decimal) for part in parts for line in part.read_bytes().splitlines()]
items = pd.json_normalize(lines)  # columns customer, first.name, first.since, read
