"""Help by topics: measures, option groups, options and examples."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from fairsum_utils.validation import did_you_mean

# Options that a page shows in full; of more it shows the groups.
MOST = 14

WIDTH = 80

# Group of the options without one.
_GENERAL = "options"


def short(command: Any, ctx: click.Context) -> str:
    """Write a command's page: its options, or groups if there are many."""
    below = command.helps()
    if len(command.params) <= MOST and not below:
        return everything(ctx)
    formatter = click.HelpFormatter(width=WIDTH)
    command.format_usage(ctx, formatter)
    command.format_help_text(ctx, formatter)
    formatter.write_paragraph()
    if below:
        formatter.write_dl(list(below.items()))
        formatter.write(f"\n{ctx.command_path} COMMAND --help says more; {ctx.command_path} --help-all has it all.")
        return formatter.getvalue()
    formatter.write_dl(_needed(command, ctx))
    with formatter.section("options (--help GROUP, --help MEASURE or --help OPTION explains; --help-all)"):
        formatter.write_dl([(name, _listed(members)) for name, members in groups_of(command).items()])
    if examples := _examples(command)[:3]:
        formatter.write("\n".join(["", "examples:", *examples, ""]))
    return formatter.getvalue().rstrip("\n")


def everything(ctx: click.Context) -> str:
    """Write every option, with details and examples."""
    formatter = ctx.make_formatter()
    ctx.command.format_help(ctx, formatter)
    return formatter.getvalue().rstrip("\n")


def write_options(command: Any, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write commands, arguments and options, group by group."""
    if below := command.helps():
        with formatter.section("commands"):
            formatter.write_dl(list(below.items()))
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    if arguments:
        with formatter.section("arguments"):
            formatter.write_dl([_record(param, ctx) for param in arguments])
    for name, members in groups_of(command, needed=True).items():
        _write_section(formatter, ctx, _title(members, name), members)


def on_topic(ctx: click.Context, topic: str) -> str:
    """Write the help on a topic, such as a measure or option group.

    Raises:
        click.UsageError: There is no such topic.
    """
    command, name = ctx.command, topic.lower().lstrip("-")
    if isinstance(command, click.Group) and topic in command.list_commands(ctx):
        below = command.get_command(ctx, topic)
        assert below is not None
        return below.get_help(click.Context(below, parent=ctx, info_name=topic))
    if topic == "examples" and "examples" in topics(ctx):
        return str(command.epilog)
    formatter = ctx.make_formatter()
    groups = groups_of(command, needed=True)
    found = [param for members in groups.values() for param in members if f"--{name}" in param.opts]
    taken = {group: [param for param in members if name in measures_of(param)] for group, members in groups.items()}
    if name in groups and not topic.startswith("-") and not any(taken.values()):
        _write_section(formatter, ctx, _title(groups[name], name), groups[name])
    elif found:
        formatter.write_dl([_record(param, ctx) for param in found])
    elif any(taken.values()):
        from fairsum_utils.measures import get_measure

        formatter.write_text(f"options of {get_measure(name).title} ({name}); what it is: fairsum explain {name}")
        for group, members in taken.items():
            _write_section(formatter, ctx, group, members)
    else:
        raise click.UsageError(f"no help on {topic!r}{_guess(ctx, topic)}", ctx)
    return formatter.getvalue().strip("\n")


def _guess(ctx: click.Context, topic: str) -> str:
    """Suggest another topic, as the end of a message."""
    from fairsum_utils.families import all_measures

    if topic in all_measures():
        return f"; see fairsum explain {topic}, or fairsum score --help {topic}"
    known = topics(ctx)
    return did_you_mean(topic, known) or f"; there is: {', '.join(known)}"


def topics(ctx: click.Context) -> list[str]:
    """List the topics of `on_topic` but for single options."""
    command = ctx.command
    below = command.list_commands(ctx) if isinstance(command, click.Group) else []
    groups = groups_of(command, needed=True)
    measures = dict.fromkeys(name for members in groups.values() for param in members for name in measures_of(param))
    return [*below, *groups, *measures, *(["examples"] if "examples:\n" in (command.epilog or "") else [])]


def measures_of(param: click.Parameter) -> Sequence[str]:
    """Return an option's measures; none for general options."""
    from fairsum_utils.cli.options import takers

    return takers(param)


def groups_of(command: click.Command, *, needed: bool = False) -> dict[str, list[Any]]:
    """Map the first word of each group's title to its options.

    Args:
        command: the command.
        needed: also the options that the command cannot do without.
    """
    groups: dict[str, list[Any]] = {}
    for param in command.params:
        if isinstance(param, click.Option) and (needed or not param.required):
            title = getattr(param, "group", "") or _GENERAL
            groups.setdefault(re.split(r"[\s:,(]", title)[0].lower(), []).append(param)
    if _GENERAL in groups:
        groups[_GENERAL] = groups.pop(_GENERAL)  # last
    return groups


def _title(members: Sequence[Any], name: str) -> str:
    return members[0].group or name


def _needed(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    """Describe what the command cannot do without."""
    return [_record(param, ctx) for param in command.params if param.required or isinstance(param, click.Argument)]


def _record(param: Any, ctx: click.Context) -> tuple[str, str]:
    """Return a parameter and its help."""
    if isinstance(param, click.Argument):
        return str(param.metavar), str(getattr(param, "about", ""))
    return param.get_help_record(ctx) or ("", "")


def _write_section(formatter: click.HelpFormatter, ctx: click.Context, title: str, members: Sequence[Any]) -> None:
    if members:
        with formatter.section(title):
            formatter.write_dl([_record(param, ctx) for param in members], col_max=24)


def _listed(members: Sequence[Any]) -> str:
    """List a group's options, as many as fit a line."""
    flags = [param.opts[-1] for param in members]
    line = textwrap.shorten(", ".join(flags), WIDTH - 24, placeholder=" ...", break_on_hyphens=False)
    return line if not line.endswith("...") else f"{line} ({len(flags)})"


def _examples(command: click.Command) -> list[str]:
    """Return the examples that take one line."""
    lines = (command.epilog or "").partition("examples:\n")[2].splitlines()
    return [line for line in lines if line.startswith("  fairsum ") and len(line) < WIDTH and line[-1] != "\\"]
