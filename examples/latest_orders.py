"""The latest order of every customer as a pandas DataFrame, of the Parquet file that latest_orders.sql names."""

from decimal import Decimal

import pandas as pd

lines = pd.read_parquet("latest.parquet").dropna(subset="last").reset_index(drop=True)
orders = lines.join(pd.DataFrame(lines.pop("last").tolist()))  # columns customer, read, sk, placed, total
orders["total"] = orders["total"].map(Decimal)  # a number is text with every digit
