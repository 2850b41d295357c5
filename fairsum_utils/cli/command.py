"""Commands and options: click's classes with option groups and settings files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
from click.core import augment_usage_errors
from click.shell_completion import CompletionItem

from fairsum_utils.cli import config
from fairsum_utils.cli.names import options_of
from fairsum_utils.cli.terminal import note, quieted, show
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.validation import did_you_mean

if TYPE_CHECKING:
    from fairsum_utils.results.record import Clock


WIDTH = 100
"""Columns of a page of help."""


class Options(SimpleNamespace):
    """Parsed options of a command, by the names of its parameters.

    Attributes:
        command: name of the command, such as ``"data build"``.
        tables: measure -> its settings in the file of settings.
        clock: started with the command.
    """

    command: str
    tables: Mapping[str, Mapping[str, Any]]
    clock: Clock


class Choice(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2
    """One of some names; a mistake is answered with the likeliest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is none of the choices."""
        names = [str(choice) for choice in self.choices]
        if value not in names:
            guess = did_you_mean(str(value), names) or f"; choose from {', '.join(names)}"
            self.fail(f"unknown choice {value!r}{guess}", param, ctx)
        return value


# Begin the metavar of what names files.
_FILES = ("FILE", "DIR", "RESULTS")


def complete_files(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(typed, type="file")]


class Option(click.Option):
    """Option in a help group.

    Args:
        *names: flags, and the name of the value if it is another.
        help: description; the default is added unless the help names it.
        metavar: placeholder of the value; None for a flag.
        choices: the values that it may have.
        writes: endings of the file that it writes, or "rows" for any format of rows.
        **attributes: see `click.Option`.
    """

    group = ""

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        choices: Sequence[str] = (),
        writes: tuple[str, ...] | str = (),
        **attributes: Any,
    ) -> None:
        if choices:
            attributes["type"], metavar = Choice(choices), metavar or f"{{{','.join(choices)}}}"
        default = attributes.get("default")
        if default not in (None, False) and "(default" not in help:
            help = f"{help} (default: {default:g})" if isinstance(default, float) else f"{help} (default: {default})"
        if metavar is None:
            attributes["is_flag"] = True
        elif metavar.startswith(_FILES):
            attributes["shell_complete"] = complete_files
        super().__init__(names, help=help, metavar=metavar, **attributes)
        self.writes = writes

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Reject another option's name as a value."""
        if isinstance(value, str) and value.startswith("--") and value in options_of(ctx.command):
            raise click.BadOptionUsage(self.opts[-1], f"{self.opts[-1]}: a value is missing before {value}", ctx)
        return super().type_cast_value(ctx, value)


class Argument(click.Argument):
    """Positional argument with a help.

    Args:
        name: name of the value.
        metavar: placeholder of the value.
        help: description.
        **attributes: see `click.Argument`.
    """

    def __init__(self, name: str, metavar: str, help: str, **attributes: Any) -> None:
        if metavar.startswith(_FILES):
            attributes["shell_complete"] = complete_files
        super().__init__([name], metavar=metavar, **attributes)
        self.about = help  # click has arguments with help since 8.5 only


def in_group(title: str, *options: Option) -> tuple[Option, ...]:
    """Put options into a help group."""
    grouped = tuple(map(copy, options))
    for option in grouped:
        option.group = title
    return grouped


class Helped:
    """Page of help: usage, options by group, details and examples."""

    def helps(self) -> dict[str, str]:
        """Map each command of a group to its line of help."""
        return {}

    def get_help(self: Any, ctx: click.Context) -> str:
        """Write the page."""
        formatter = click.HelpFormatter(width=WIDTH)
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        for line in self.help.splitlines():
            formatter.write_text(line)
        if below := self.helps():
            formatter.write_paragraph()
            formatter.write_dl(list(below.items()))
            formatter.write(f"\n{ctx.command_path} COMMAND --help shows its options.\n")
        if arguments := [(str(param.metavar), param.about) for param in self.params if isinstance(param, Argument)]:
            with formatter.section("arguments"):
                formatter.write_dl(arguments)
        for title, members in groups_of(self).items():
            with formatter.section(title):
                formatter.write_dl([param.get_help_record(ctx) or ("", "") for param in members], col_max=26)
        if self.epilog:
            formatter.write(f"\n{self.epilog}\n")
        return formatter.getvalue().rstrip("\n")


def groups_of(command: click.Command) -> dict[str, list[Option]]:
    """Map group titles to options; options without a group come last."""
    groups: dict[str, list[Option]] = {}
    options = [param for param in command.params if isinstance(param, Option)]
    for param in sorted(options, key=lambda param: not param.group):
        groups.setdefault(param.group or "options", []).append(param)
    return groups


class Command(Helped, click.Command):
    """Command whose callback takes `Options` and returns an exit status."""

    allow_extra_args = True  # refused below

    def __init__(self, name: str, **attributes: Any) -> None:
        super().__init__(name, **attributes, add_help_option=False)
        self.params.append(help_option())
        about = "Print only the result and errors"
        self.params.append(Option("--quiet", help=about))
        if "--config" not in options_of(self):
            self.params.append(config_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after reading the working folder's settings file."""
        if not any(param.name == "config_file" for param in self.params) and not {"-h", "--help"} & {*args}:
            config.configure(ctx, None, None)
        with augment_usage_errors(ctx):
            rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"unexpected argument {rest[0]!r}; see {ctx.command_path} --help")
        return rest

    def parsed(self, ctx: click.Context) -> Options:
        """Return what the command line and the file of settings give."""
        from fairsum_utils.results.record import Clock

        read = {str(param.name): ctx.params[param.name] for param in self.params if param.name in ctx.params}
        given = {name: list(value) if type(value) is tuple else value for name, value in read.items()}
        command = ctx.command_path.partition(" ")[2]
        return Options(command=command, tables=config.tables_of(ctx), clock=Clock.start(), **given)

    def invoke(self, ctx: click.Context) -> int:
        """Run the command; returns its exit status."""
        options = self.parsed(ctx)
        from_file = config.words_from_file(ctx)
        with quieted(options.quiet):
            if from_file:
                note(f"{ctx.obj}: {' '.join(from_file)}")
            assert self.callback is not None
            try:
                check_outputs(options, self.params)
                return int(self.callback(options) or 0)
            except FairSumError as error:
                error.command = options.command
                raise


# Options that name no input: folders of our own making, which have checks of their own, and rules.
_NOT_READ = ("cache", "rows", "folder", "command", "rules")


def check_outputs(options: Options, params: Iterable[click.Parameter]) -> None:
    """Refuse outputs that cannot be written, before any work is done.

    Raises:
        InputError: One is an input or another output, has the wrong ending or no folder, or needs another option.
    """
    given = vars(options)
    endings = {str(param.name): writes for param in params if (writes := getattr(param, "writes", ()))}
    _check_files(options, {name: each for name, each in endings.items() if given[name] is not None})
    for name in ("redact", "title"):
        if given.get(name) and given.get("report", "") is None:
            raise InputError(f"{options.command}: --{name} applies only to the page; name its file with --report")


def _check_files(options: Options, endings: Mapping[str, tuple[str, ...] | str]) -> None:
    """Check outputs against what the command reads, and against one another."""
    if not endings:
        return
    from fairsum_utils.io.writing import ENDINGS, check_output

    read: list[str | Path] = []
    settings = {item: item.partition("=")[2].removeprefix("@") for item in vars(options).get("set", ())}
    for name, value in {**vars(options), **settings}.items():
        if name not in endings and name not in _NOT_READ:
            values = value if isinstance(value, (list, tuple)) else [value]
            read += [each for each in values if isinstance(each, (str, Path)) and each]
    written: list[str] = []
    for name, allowed in endings.items():
        path = getattr(options, name)
        source = vars(options).get("file") if allowed == "rows" and name != "pairs" else None
        check_output(path, *(ENDINGS if allowed == "rows" else allowed), source=source, inputs=read, others=written)
        written.append(path)


def command(*params: click.Parameter, name: str | None = None) -> Callable[[Callable[[Options], int | None]], Command]:
    """Make a command of a function, described by its docstring.

    Example:
        >>> @command(Option("--loud", help="louder"))
        ... def echo(options):
        ...     '''Say something.'''
        >>> echo.name, echo.help, options_of(echo)[:2]
        ('echo', 'Say something.', ['--loud', '--help'])
    """

    def make(run: Callable[[Options], int | None]) -> Command:
        about, _, details = inspect.cleandoc(run.__doc__ or "").partition("\n\n")
        return Command(name or run.__name__, callback=run, params=list(params), help=about, epilog=details.strip("\n"))

    return make


def _show_help(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the help, and exit."""
    if wanted and not ctx.resilient_parsing:
        show(ctx.get_help())
        ctx.exit()


def help_option() -> Option:
    """Make the option of the help."""
    return Option("-h", "--help", help="Show this page", is_eager=True, expose_value=False, callback=_show_help)


def config_option() -> Option:
    """Make the option of the file of settings."""
    about = f"File of default options (default: {config.NAME} in the working folder)"
    return Option("--config", "config_file", metavar="FILE", help=about, is_eager=True, callback=config.configure)
