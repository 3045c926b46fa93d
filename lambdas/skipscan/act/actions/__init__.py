"""The actions that a job can do for each key of a run, one file an action."""
