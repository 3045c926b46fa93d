"""How the suite runs: which tests need what, in which order, from which seed, and that none is skipped in silence."""
