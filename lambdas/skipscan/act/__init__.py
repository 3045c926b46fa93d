"""Jobs over a finished run: an action for every key."""
