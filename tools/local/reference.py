"""Generates docs/commands.md from the commands: `python -m local.reference > docs/commands.md`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import click

from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.main import skipscan
from skipscan.cli.options import by_group
from skipscan.cli.say import STATUSES
from skipscan.inputs.fields import OptionGroup

HEAD = """\
# Commands

[Documentation](README.md) · Look it up

This page is generated from the commands (`python -m local.reference > docs/commands.md`).
`skipscan COMMAND --help` prints the same.

- `plan`, `profile`, `keys`, `policy`, `schema` and `completion` work without a deployment. So do `download`, `diff`,
  `report` and `resume` with the path of a folder instead of TABLE, and `report --folder`.
- The other commands use a deployed environment: name it with `--env` or `SKIPSCAN_ENV`. They need the permissions of
  [run.json](policies/run.json). If the name is missing, a command shows the environments of the cdk.json in the current
  folder, else the deployed ones (this takes `cloudformation:ListStacks`, which the policy does not have).
- `act`, `retrofit` and `copy` also need [jobs.json](policies/jobs.json). So do `status`, `report` and `resume` of a
  job, and `runs` and `stop` in an environment that enables jobs, unless you give `--kind run`. Jobs write only with
  `--for-real`.
- `skipscan deploy` and `skipscan destroy` deploy and remove an environment with CloudFormation alone
  ([ways in](ways-in.md#the-wheel)). An environment of cdk.json needs the CDK and a clone of the repository:
  `make deploy ENV=dev`, `make destroy ENV=dev` ([operate](operate.md)).
- Results go to stdout, everything else to stderr; `--json` prints JSON to stdout. Without a terminal, nothing is
  drawn, coloured or wrapped. Keys never appear on stderr.
- Times are UTC. Figures of running work cover committed batches only.
"""

SHARED = """
## Options of several commands

"""

COMPLETION = """
## Completion

`skipscan completion bash` (or `zsh`, `fish`) prints a script. Add it to your shell's start-up file.
"""


def reference() -> str:
    """Return the document."""
    statuses = "\n".join(f"| {status} | {meaning} |" for status, meaning in STATUSES.items())
    commands = performed(*COMMANDS)
    rows = {name: _rows(click.Context(one, info_name=name)) for name, one in commands.items()}
    shared = _shared(rows.values())
    sections = [_section(name, one, rows[name], shared) for name, one in commands.items()]
    exits = f"\n## Exit status\n\n| status | meaning |\n|---|---|\n{statuses}\n"
    return "".join([HEAD, exits, SHARED, _lines(shared), "\n", COMPLETION, *sections])


Row = tuple[OptionGroup, str]
"""An option's section of a list, and its line there."""


def _lines(rows: Sequence[Row]) -> str:
    """Return the lines of a list, with headings if it has several sections."""
    parts = {group: [line for its_group, line in rows if its_group is group] for group in OptionGroup}
    parts = {group: lines for group, lines in parts.items() if lines}
    titled = len(parts) > 1
    return "\n\n".join((f"*{group}*\n\n" if titled else "") + "\n".join(lines) for group, lines in parts.items())


def _shared(commands: Iterable[Mapping[str, Row]]) -> list[Row]:
    """Return the rows that several commands share: the most frequent row of each option."""
    counts = Counter((option, row) for rows in commands for option, row in rows.items())
    most: dict[str, Row] = {}
    for (option, row), count in counts.most_common():
        if count >= 2:
            most.setdefault(option, row)
    return list(most.values())


def _section(name: str, described: click.Command, rows: Mapping[str, Row], shared: Sequence[Row]) -> str:
    context = click.Context(described, info_name=name, parent=click.Context(skipscan, info_name="skipscan"))
    usage = " ".join(["skipscan", name, *described.collect_usage_pieces(context)])
    text = "\n\n".join(" ".join(part.split()) for part in (described.help or "").split("\n\n"))
    own = [row for row in rows.values() if row not in shared]
    options = _lines(own) + "\n\n" if own else ""
    others = ", ".join(f"`{option}`" for option, row in rows.items() if row in shared)
    also = f"[Also](#options-of-several-commands): {others}\n\n" if others else ""
    shown = (described.epilog or "").replace("\b\n", "").removeprefix("Examples:\n")
    examples = "\n".join(line.strip() for line in shown.splitlines())
    return f"\n## {name}\n\n`{usage}`\n\n{text}\n\n{options}{also}```sh\n{examples}\n```\n"


def _rows(context: click.Context) -> Mapping[str, Row]:
    """Return the lines of a command's options, by name."""
    groups = by_group(option for option in context.command.params if isinstance(option, click.Option))
    return {one.opts[0]: (group, _row(one, context)) for group, members in groups.items() for one in members}


def _row(option: click.Option, context: click.Context) -> str:
    described = option.to_info_dict()
    kind = described["type"]
    value = ""
    if not option.is_flag:
        value = " " + ("|".join(kind["choices"]) if "choices" in kind else option.make_metavar(context))
    default = None if option.is_flag or not option.show_default else described["default"]
    more = " Required." if option.required else "" if default in ("", None) else f" Default: `{default}`."
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    return f"- {names}{value}: {option.help}{more}"


if __name__ == "__main__":
    click.echo(reference(), nl=False)
