"""How many items a page may evaluate: the one decision that money hangs on."""
