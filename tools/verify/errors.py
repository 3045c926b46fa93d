"""What a trial raises when its assumption does not hold, or cannot be tried."""


class NotHeldError(Exception):
    """The assumption does not hold. The text is what was seen."""


class NotTriedError(Exception):
    """The assumption could not be tried. The text says why."""
