"""The policies in docs/policies, with their placeholders filled in."""

import json
from pathlib import Path

from tests.fakes.iam.policy import Grant, grants_in

FOLDER = Path(__file__).parents[3] / "docs" / "policies"


def documented(name: str, **values: str) -> set[Grant]:
    """Return the grants of `<name>.json`. `values`: replacements for ACCOUNT, REGION and others."""
    text = (FOLDER / f"{name}.json").read_text()
    for placeholder, value in values.items():
        text = text.replace(placeholder.upper(), value)
    return set(grants_in(json.loads(text)))
