"""How a value is quoted in a message for a person."""

import json

MOST_CHARACTERS = 100


def quoted(value: object) -> str:
    """Return a value as JSON writes it, in ASCII, cut where it would drown the message.

    ASCII, because a look-alike letter, a line end or a lone surrogate shows itself only when escaped.
    """
    try:
        text = json.dumps(value, default=repr)
    except (RecursionError, ValueError):  # deeper, or a number longer, than Python turns into text
        return f"a value too {'long' if isinstance(value, int) else 'deep'} to show"
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."


def printable(text: str) -> str:
    """Return a message that holds names and texts as they were given with all of them in printable ASCII."""
    return "".join(c if " " <= c <= "~" else c.encode("unicode_escape").decode() for c in text)
