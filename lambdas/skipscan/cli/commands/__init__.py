"""The commands as `--help` shows them. What a command does is in a module of its own, loaded when the command runs."""
