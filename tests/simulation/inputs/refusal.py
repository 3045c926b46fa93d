"""The grammar of a refusal: whose field, which value, which rule, which way out."""

import json
import re

WAY_OUT = (
    "add allow check correct did-you-mean-it give leave lower name raise remove rename say start wait write fit use try"
)

GRAMMAR = re.compile(
    r"(?P<place>(?:environment \S+|cdk\.json): )?"
    r"(?P<subject>\"(?:[^\"\\]|\\.)*\"|\"[^\"]*\.\.\.|\S.*?) "
    r"(?:is|are|has|have) (?P<held>.+?)"
    r"(?P<rule>; .+|\(.+\))?: "
    r"(?P<way_out>(?:" + WAY_OUT.replace(" ", "|") + r")\b.+|did you mean [a-z_]+\?)"
    r"(?: \(see docs/[a-z-]+\.md\))?"
)
MOST_CHARACTERS = 600


def subject(message: str) -> str:
    """Return what a message complains of, as written there; AssertionError if the message is not clear."""
    assert len(message) <= MOST_CHARACTERS, f"{len(message)} characters: {message[:200]}"
    assert "Traceback" not in message
    assert message.isascii(), ascii(message)
    assert message.isprintable(), ascii(message)
    match = GRAMMAR.fullmatch(message)
    assert match, message
    assert match["rule"] or "missing" in match["held"], message
    return match["subject"]


def names(message: str, field: str) -> bool:
    """Return whether a clear message complains of the field, whose name may be quoted, escaped and cut."""
    said, quoted = subject(message), json.dumps(field)
    return (
        said in {field, quoted}
        or said.startswith(f"{field}.")
        or (said.endswith("...") and quoted.startswith(said[:-3]))
    )
