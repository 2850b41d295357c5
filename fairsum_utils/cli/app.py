"""The command and its groups, imported when used."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from fairsum_utils._version import __version__
from fairsum_utils.cli.command import Helped, Option, help_option
from fairsum_utils.cli.names import COMMANDS, EXTENSIONS
from fairsum_utils.errors import FairSumError, extension
from fairsum_utils.validation import did_you_mean


class Group(Helped, click.Group):
    """Commands that are imported when they are used.

    Args:
        name: name of the group.
        lazy: commands in files of their names: name -> help.
        commands: commands that are here already.
        about: description of the group.
        examples: command lines, for the help.
        **attributes: see `click.Group`.
    """

    def __init__(
        self,
        name: str,
        lazy: Mapping[str, str],
        about: str,
        commands: Iterable[click.Command] = (),
        examples: str = "",
        **attributes: Any,
    ) -> None:
        here = {str(command.name): command for command in commands}
        super().__init__(
            name, here, help=about, epilog=examples, add_help_option=False, no_args_is_help=False, **attributes
        )
        self.params.append(help_option())
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands."""
        return [*self.commands, *self.lazy]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Find a command."""
        return self.load(name) if name in self.lazy else self.commands.get(name)

    def load(self, name: str) -> click.Command:
        """Import a command."""
        module = (
            extension("fairsum.commands", name, where=name)
            if name in EXTENSIONS
            else importlib.import_module(f"fairsum_utils.cli.{name}")
        )
        found: click.Command = getattr(module, name)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Require a command; `fairsum` alone shows the help."""
        if not args and ctx.parent is not None and not ctx.resilient_parsing:
            ctx.fail(f"missing: COMMAND; see {ctx.command_path} --help")
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or suggest the most similar name."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            guess = did_you_mean(args[0], known) or f"; choose from {', '.join(known)}"
            ctx.fail(f"unknown command {args[0]!r}{guess}")
        return super().resolve_command(ctx, args)

    def helps(self) -> dict[str, str]:
        """Map each command to its line of help."""
        texts = {name: str(command.help).partition("\n")[0] for name, command in self.commands.items()}
        return {name: text.rstrip(".") for name, text in texts.items()} | dict(self.lazy)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer commands, none of which is imported for that, and options."""
        found = [
            CompletionItem(name, help=about) for name, about in self.helps().items() if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)


def _fairsum() -> None:
    """Fairness and bias measures for summaries and generated text.

    examples:
      fairsum demo                                     score and compare two small systems
      fairsum score summaries.jsonl                    BUR, UER, AUC and SOF with 95% intervals
      fairsum score summaries.parquet --metrics bur --set tau=0.9 --output results.json
      fairsum score news.jsonl --metrics word_list_inclusion,entity_inclusion --sources-column text
      fairsum compare system_a.jsonl system_b.jsonl    paired bootstrap on the same samples
      fairsum inspect summaries.jsonl --worst 5        the samples behind a number
      fairsum report results.json samples.parquet -o report.html
                                                       one page for the browser
      fairsum check results.json --rules 'uer.ci_high < 0.05'
                                                       a gate for CI
      fairsum data list                                data sets that can be built
      fairsum generate prompts.jsonl --model gpt2 --preset gpt2 --output texts.jsonl
      fairsum study list                               other tables and figures of the papers
      fairsum publish install                          evaluate.load("fairsum/bur") works offline
      fairsum publish metrics --dry-run                files for the Hub, without sending them

    exit status: 0 done; 1 a rule of check fails, reproduce finds a changed number, or a worker process died; 2 bad
    input, or an output that cannot be written (one line says which); 3 a rule of check is undecided, and none fails;
    70 an error of this program; 130 interrupted, 143 terminated

    completion: eval "$(_FAIRSUM_COMPLETE=bash_source fairsum)" in ~/.bashrc; zsh_source or fish_source for other shells
    """


def _show_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        print(f"fairsum-utils {__version__}")
        ctx.exit()


_about, _, _details = inspect.cleandoc(_fairsum.__doc__ or "").partition("\n\n")
app = Group("fairsum", COMMANDS, _about, examples=_details)
app.params.append(
    Option("--version", help="Show the version and exit", is_eager=True, expose_value=False, callback=_show_version)
)


def find(path: str) -> click.Command | None:
    """Find a command, such as ``"data build"``; None if it is missing."""
    command: click.Command | None = app
    try:
        for word in path.split():
            command = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
    except FairSumError:
        return None
    return command


def contexts(above: click.Context | None = None) -> Iterator[click.Context]:
    """Make a context of the command and of all commands below it."""
    context = above or click.Context(app, info_name="fairsum")
    yield context
    group = context.command
    if isinstance(group, Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from contexts(click.Context(command, parent=context, info_name=name))
