"""Help of commands: one page each."""

from __future__ import annotations

from typing import Any

import click

WIDTH = 100

# Group of the options without one.
_GENERAL = "options"


def page(ctx: click.Context) -> str:
    """Write the page of a command: usage, options by group, details and examples."""
    command: Any = ctx.command
    formatter = click.HelpFormatter(width=WIDTH)
    command.format_usage(ctx, formatter)
    formatter.write_paragraph()
    for line in command.help.splitlines():
        formatter.write_text(line)
    if below := command.helps():
        formatter.write_paragraph()
        formatter.write_dl(list(below.items()))
        formatter.write(f"\n{ctx.command_path} COMMAND --help shows its options.\n")
    arguments = [_record(param, ctx) for param in command.params if isinstance(param, click.Argument)]
    if arguments:
        with formatter.section("arguments"):
            formatter.write_dl(arguments)
    for title, members in groups_of(command).items():
        with formatter.section(title):
            formatter.write_dl([_record(param, ctx) for param in members], col_max=26)
    if command.epilog:
        formatter.write(f"\n{command.epilog}\n")
    return formatter.getvalue().rstrip("\n")


def groups_of(command: click.Command) -> dict[str, list[click.Option]]:
    """Map group titles to options; options without a group come last."""
    groups: dict[str, list[click.Option]] = {}
    for param in command.params:
        if isinstance(param, click.Option):
            groups.setdefault(getattr(param, "group", "") or _GENERAL, []).append(param)
    if _GENERAL in groups:
        groups[_GENERAL] = groups.pop(_GENERAL)
    return groups


def _record(param: Any, ctx: click.Context) -> tuple[str, str]:
    """Return a parameter and its help."""
    if isinstance(param, click.Argument):
        return str(param.metavar), str(getattr(param, "about", ""))
    return param.get_help_record(ctx) or ("", "")
