"""Help that fits a screen, and the rest of it by topics: a measure, a group of options, an option, the examples."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsum_utils.cli.commands import Command


LINES, COLUMNS = 24, 80
"""Of a screen."""

EVERYWHERE = ("help", "help_all", "quiet", "config_file")
"""Options of every command, by the names of their values."""


def short(command: Command) -> str:
    """The help of a command: all of it where that fits a screen, else what the groups of options are called.

    Args:
        command: with its options.
    """
    actions = command.actions_of()
    if not actions and len(command._actions) < LINES:
        whole = command.format_all()
        if sum(1 + max(0, len(line) - 1) // COLUMNS for line in whole.splitlines()) <= LINES:
            return whole
    lines = [*_wrapped(f"usage: {_usage(command)}", "  "), "", *_wrapped(command.description or ""), ""]
    if actions:
        return "\n".join([*lines, *_commands(command, LINES - len(lines) - 2), "", *_more(command)]) + "\n"
    lines += _first(command)
    lines += ["", "options (--help GROUP, --help MEASURE or --help OPTION explains; --help-all):"]
    lines += [_group(name, members) for name, members in _groups(command).items()]
    examples = _examples(command, LINES - len(lines) - 2)
    return "\n".join([*lines, *(["", "examples:", *examples] if examples else [])]) + "\n"


def on_topic(command: Command, topic: str) -> str | None:
    """Help on a topic; None where there is none.

    Args:
        command: with its options.
        topic: name of a command below it, a measure, a group of options, an option, or ``examples``.
    """
    below = command.actions_of()
    if topic in below:
        return below[topic].format_help()
    if topic == "examples" and command.epilog:
        return command.epilog
    name = topic.lower().lstrip("-")
    if f"--{name}" in command._option_string_actions:
        return _sections(command, {"": [command._option_string_actions[f"--{name}"]]}, "")
    groups = _groups(command)
    if name in groups:
        return _sections(command, {_title(command, name): groups[name]}, "")
    taken = {group: [action for action in members if name in measures_of(action)] for group, members in groups.items()}
    if not any(taken.values()):
        return None
    from fairsum_utils.measures import get_measure

    head = f"options of {get_measure(name).title} ({name}); what it is: fairsum explain {name}"
    return _sections(command, taken, head)


def topics(command: Command) -> list[str]:
    """The topics of `on_topic` but for single options."""
    actions = [action for members in _groups(command).values() for action in members]
    measures = dict.fromkeys(name for action in actions for name in measures_of(action))
    examples = ["examples"] if command.epilog else []
    return [*command.actions_of(), *_groups(command), *measures, *examples]


def measures_of(action: argparse.Action) -> Collection[str]:
    """The measures that an option is for; none where it is not for measures."""
    from fairsum_utils.cli.options import takers

    return takers(action.dest)


def _usage(command: Command) -> str:
    needed = [action for action in command._actions if action.option_strings and action.required]
    options = [f"{action.option_strings[-1]} {_value(action)}" for action in needed]
    places = [_value(action) for action in command._actions if not action.option_strings and not command.actions_of()]
    below = ["COMMAND ..."] if command.actions_of() else []
    return " ".join([command.prog, "[OPTIONS]", *options, *places, *below])


def _value(action: argparse.Action) -> str:
    """What stands for a value."""
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"[{name} ...]" if action.nargs == "*" else f"{name} ..." if action.nargs == "+" else name


def _first(command: Command) -> list[str]:
    """Lines on what the command cannot do without."""
    needed = [action for action in command._actions if action.required or not action.option_strings]
    named = [(" ".join([*action.option_strings[-1:], _value(action)]), action.help or "") for action in needed]
    width = min(24, max((len(name) for name, _ in named), default=0))
    lines = []
    for name, about in named:
        about = about % {"default": "", "prog": command.prog} if "%" in about else about
        lines += textwrap.wrap(
            about, COLUMNS - 1, initial_indent=f"  {name:<{width}}  ", subsequent_indent=" " * (width + 4)
        )
    return lines


def _groups(command: Command) -> dict[str, list[argparse.Action]]:
    """Options by the first word of the title of their group, without those that the command cannot do without."""
    groups: dict[str, list[argparse.Action]] = {}
    for group in (*command._action_groups[2:], command._optionals):
        members = [action for action in group._group_actions if action.option_strings and not action.required]
        # What every command has comes last.
        members.sort(key=lambda action: action.dest in EVERYWHERE)
        if members:
            groups.setdefault(_short_title(group), []).extend(members)
    return groups


def _short_title(group: argparse._ArgumentGroup) -> str:
    return re.split(r"[\s:,(]", group.title or "", maxsplit=1)[0].lower()


def _title(command: Command, name: str) -> str:
    return next(group.title or name for group in command._action_groups if _short_title(group) == name)


def _group(name: str, members: Iterable[argparse.Action]) -> str:
    """A line on a group: its name and as many of its options as fit."""
    flags = [action.option_strings[-1] for action in members]
    line, rest = f"  {name:<14} ", len(flags)
    for flag in flags:
        end = "" if rest == 1 else f", ... ({len(flags)})"
        if len(line) + len(flag) + len(end) >= COLUMNS:
            return f"{line.rstrip(', ')}, ... ({len(flags)})"
        line, rest = f"{line}{flag}, ", rest - 1
    return line.rstrip(", ")


def _sections(command: Command, groups: dict[str, list[argparse.Action]], head: str) -> str:
    """Options as `argparse` shows them, group by group."""
    formatter = command._get_formatter()
    formatter.add_text(head or None)
    for name, members in groups.items():
        formatter.start_section(name or None)
        formatter.add_arguments(members)
        formatter.end_section()
    return formatter.format_help()


def _examples(command: Command, room: int) -> list[str]:
    """Command lines of the examples: those that fit, or else the first one in several lines."""
    _, _, text = (command.epilog or "").partition("examples:\n")
    examples = [line for line in text.splitlines() if line.startswith("  fairsum ")]
    fitting = [line for line in examples if len(line) < COLUMNS and not line.endswith("\\")]
    if fitting or not examples:
        return fitting[: max(0, min(room, 4))]
    lines = textwrap.wrap(examples[0].rstrip("\\"), COLUMNS - 3, subsequent_indent=" " * 6)
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def _commands(command: Command, room: int) -> list[str]:
    """A line for each command below this one; the last ones share lines where there is no room."""
    action = next(each for each in command._actions if isinstance(each, argparse._SubParsersAction))
    about = [(choice.dest, choice.help or "") for choice in action._choices_actions]
    width = max(len(name) for name, _ in about)
    wide = COLUMNS - width - 5
    lines = [f"  {name:<{width}}  {textwrap.shorten(text, wide, placeholder=' ...')}" for name, text in about]
    if len(lines) <= room:
        return lines
    for kept in range(room - 2, 0, -1):
        rest = ", ".join(name for name, _ in about[kept:])
        more = textwrap.wrap(rest, COLUMNS - 1, initial_indent="  more: ", subsequent_indent=" " * 8)
        if kept + len(more) <= room:
            break
    return [*lines[:kept], *more]


def _more(command: Command) -> list[str]:
    name = command.prog
    return [f"{name} COMMAND --help says more; {name} --help-all has it all."]


def _wrapped(text: str, indent: str = "") -> list[str]:
    return [
        line
        for paragraph in text.splitlines()
        for line in textwrap.wrap(paragraph, COLUMNS - 1, subsequent_indent=indent)
    ]
