"""How many items a page may evaluate: the decision that determines the cost."""
