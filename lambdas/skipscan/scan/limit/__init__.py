"""Choose how many items a page may evaluate. This choice decides the cost."""
