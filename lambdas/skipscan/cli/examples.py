"""Examples below a command's help."""


def examples(*lines: str) -> str:
    r"""Return an epilog in which every example stands on a line of its own, as `\b` makes click leave it."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])
