"""How the suite runs: which tests need what, in which order, from which seed, and that none is skipped in silence."""

NAMES = ("calls", "heap", "kinds", "models", "network", "seeds", "skips", "worst")
PLUGINS = tuple(f"{__name__}.{name}" for name in NAMES)
