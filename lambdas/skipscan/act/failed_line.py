"""A key that a job could not act on, as one line: the key as its run wrote it, and why."""

import json


def failed_line(failed: tuple[bytes, str]) -> bytes:
    """Return the line of a key's own line and the code of the reason, line end included."""
    line, reason = failed
    return b'{"key": ' + line.rstrip(b"\n") + b', "reason": ' + json.dumps(reason).encode() + b"}\n"
