"""`skipscan completion SHELL`: the script that completes commands in a shell."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from skipscan.cli.options import examples, grouped_command

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@grouped_command(
    epilog=examples(
        "skipscan completion bash >> ~/.bashrc",
        "skipscan completion zsh >> ~/.zshrc",
        "skipscan completion fish > ~/.config/fish/completions/skipscan.fish",
    ),
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell."""
    root = context.find_root()
    click.echo(SHELLS[shell](root.command, {}, "skipscan", "_SKIPSCAN_COMPLETE").source())
