"""The inputs of the GitHub Action, from the options of `skipscan keys`.

`python .github/action/inputs.py` prints action.yml; a test compares both. An action's inputs are strings, so a flag is
"true" or "".
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from skipscan.cli.commands.keys import keys_command

LEFT_OUT = frozenset({"output", "summary", "between"})
"""The action chooses its files, and an input is one value: `since` with `until` is `between`."""

HEAD = """\
# Written by `python .github/action/inputs.py`: an input for each option of `skipscan keys`.
name: Skipscan
description: List the distinct partition keys of a DynamoDB table for a fraction of a full scan's price
branding: {icon: list, color: purple}
inputs:
  table:
    description: Name or ARN of the table
    required: true
"""
TAIL = """\
outputs:
  keys:
    description: The file that has the keys
    value: ${{ steps.keys.outputs.keys }}
  summary:
    description: The file that has the figures (keys, read units, requests), as JSON
    value: ${{ steps.keys.outputs.summary }}
runs:
  using: composite
  steps:
    - shell: bash
      env:
        HERE: ${{ github.action_path }}
      run: |
        python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
          echo "::error::python3 of this runner is not Python 3.11 or later: use actions/setup-python before this step"
          exit 2
        }
        python3 -m venv "$RUNNER_TEMP/skipscan-action"
        "$RUNNER_TEMP/skipscan-action/bin/python" -m pip install --quiet --disable-pip-version-check \\
          --only-binary=:all: --require-hashes --requirement "$HERE/requirements/command.txt"
    - id: keys
      shell: bash
      env:
        HERE: ${{ github.action_path }}
        INPUTS: ${{ toJSON(inputs) }}
      run: |
        PYTHONPATH="$HERE/lambdas" "$RUNNER_TEMP/skipscan-action/bin/python" "$HERE/.github/action/run.py"
"""


def options() -> Iterator[click.Option]:
    """Yield the options that are inputs."""
    for parameter in keys_command.params:
        if isinstance(parameter, click.Option) and parameter.name not in LEFT_OUT:
            yield parameter


def name_of(option: click.Option) -> str:
    """Return the name of an option without its dashes: `max-read-units`."""
    return next(name for name in option.opts if name.startswith("--")).removeprefix("--")


def arguments(inputs: Mapping[str, str]) -> list[str]:
    """Return the arguments of `skipscan keys` that the inputs stand for. Raises `ValueError` for another input.

    A line end is refused: at the beginning of a line of output, GitHub would take `::` for a command.
    """
    given = {name: value for name, value in inputs.items() if value}
    for name, value in given.items():
        if "\n" in value or "\r" in value:
            raise ValueError(f"{' '.join(name.split())} has a line end: write it on one line")
    # Behind "--", a table's name is never an option.
    table = ["--", given.pop("table")] if "table" in given else []
    found = []
    for option in options():
        if (value := given.pop(name_of(option), None)) is None:
            continue
        if not option.is_flag:
            found.append(f"--{name_of(option)}={value}")
        elif value == "true":
            found.append(f"--{name_of(option)}")
        elif value != "false":
            raise ValueError(f'{name_of(option)} is "{value}"; it must be true or false: correct it or leave it out')
    if given:
        raise ValueError(f"{', '.join(sorted(given))}: there is no such input; action.yml lists them: correct it")
    return found + table


def downloaded(inputs: Mapping[str, str]) -> list[str]:
    """Return the arguments of `skipscan download` for the folder of a listing that has these inputs."""
    form = [f"--format={inputs['format']}"] if inputs.get("format") else []
    return [*form, "--", str(Path(inputs["folder"]).absolute())]


def document() -> str:
    """Return action.yml."""
    lines = []
    for option in options():
        described = (option.help or "").replace("\n", " ")
        lines += [
            f"  {name_of(option)}:",
            f'    description: "{described.replace(chr(34), chr(39))}"',
            '    default: ""',
        ]
    return HEAD + "\n".join(lines) + "\n" + TAIL


if __name__ == "__main__":
    click.echo(document(), nl=False)
