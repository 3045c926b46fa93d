"""The commands as `--help` shows them. What a command does is in a module of its own, loaded when the command runs."""

JOBS = {
    "act": "Put or delete an item, call a function or send a message for every key of a run.",
    "retrofit": "Set an attribute made of other attributes on every item.",
    "copy": "Copy a table while applications write to it, and move to the copy.",
}
"""The kinds of work that write, each with its command's line of help. The options are in the module of its name here,
and the input in `skipscan.<kind>.input`. Not taken from the kinds: to load them takes longer than `--help` may."""

NOUNS = ("run", *JOBS)
"""All kinds of work."""
