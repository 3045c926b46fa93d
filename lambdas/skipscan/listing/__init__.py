"""The listing of distinct partition keys: its input, its plan, its manifest."""
