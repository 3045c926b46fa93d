"""The commands as `--help` shows them. Each is a module of its own: options, help and what it does."""

from importlib import import_module

import click

JOBS = {
    "act": "Put or delete an item, call a function or send a message for every key of a run.",
    "retrofit": "Set an attribute made of other attributes on every item.",
    "copy": "Copy a table while applications write to it, and move to the copy.",
}
"""The kinds of work that write, each with its command's line of help. The input is in
`skipscan.<kind>.input`. Not taken from the kinds: loading them takes longer than `--help` may."""

KIND_LABELS = ("run", *JOBS)
"""All kinds of work."""

COMMANDS = {
    "plan": "Estimate what listing the keys takes, before you start.",
    "profile": "Show what is in a table, from a sample for a cent.",
    "keys": "List the keys from here, with nothing deployed.",
    "run": "Start a run in a deployed environment.",
    "status": "Show the status of a run or job.",
    "runs": "List the runs and jobs over a table, or over all tables.",
    "download": "Download the keys of a run.",
    "diff": "Compare the keys of two runs.",
    "report": "Write the report of a run, as an HTML page.",
    "stop": "Stop a run or job.",
    "resume": "Resume a run or job.",
    **JOBS,
    "trim": "Keep the newest items of each item collection, and delete the others.",
    "deploy": "Deploy an environment without the CDK.",
    "destroy": "Remove an environment that deploy made.",
    "policy": "Print an IAM policy for users of an environment.",
    "schema": "Print the JSON Schema of a state machine's input.",
    "completion": "Print the script that completes commands in a shell.",
}
"""Every command with its line of help, in the order of use."""


def command(name: str) -> click.Command:
    """Return a command, loaded from the module of its name.

    No such module imports boto3 or rich but in the functions that need them: `--help` and completion take a fifth of a
    second.
    """
    module = import_module(f"skipscan.cli.commands.{name}")
    return next(found for found in vars(module).values() if isinstance(found, click.Command) and found.name == name)


def performed(*names: str) -> dict[str, click.Command]:
    """Return these commands by their words on a command line, and the steps of groups: `keys`, `copy start`."""
    found: dict[str, click.Command] = {}
    for name in names:
        one = command(name)
        steps = {f"{name} {step}": each for step, each in one.commands.items()} if isinstance(one, click.Group) else {}
        found |= steps or {name: one}
    return found


def option_names(*names: str) -> set[str]:
    """Return the options of all these commands; ignore unknown names."""
    commands = performed(*(name for name in names if name in COMMANDS)).values()
    return {option for one in commands for option in options_of(one)}


def options_of(command: click.Command) -> set[str]:
    """Return the options and arguments of a command, as they are typed."""
    return {option for parameter in command.params for option in parameter.opts}
