"""What every command of `fairsum` has: a name, help, examples, and options that are added when they are needed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["STYLE", "Command", "Subparsers", "add_actions", "add_command"]

STYLE: dict[str, Any] = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
"""Of every parser: texts stay as they are written, and options are written out."""


class Command(argparse.ArgumentParser):
    """A parser that gets its options when it first parses or shows them: the other commands cost no time.

    Attributes:
        add_options: adds the options; None when it has done so.
    """

    add_options: Callable[[argparse.ArgumentParser], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, as `argparse` has it."""
        self._fill()
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """The help, as `argparse` has it."""
        self._fill()
        return super().format_help()

    def _fill(self) -> None:
        add_options, self.add_options = self.add_options, None
        if add_options is not None:
            add_options(self)


Subparsers: TypeAlias = "argparse._SubParsersAction[Command]"
"""What commands are added to."""


def add_command(
    subparsers: Subparsers,
    name: str,
    add_options: Callable[[argparse.ArgumentParser], None],
    run: Callable[[argparse.Namespace], int] | None = None,
    **texts: Any,
) -> None:
    """Add a command.

    Args:
        subparsers: of the parser above it.
        name: of the command.
        add_options: adds its options to its parser.
        run: does its work with the parsed options, and gives the exit status; None for that of the command above it.
        **texts: ``help`` in the list of commands, ``description`` and ``epilog`` of its page.

    Example:
        >>> parser = argparse.ArgumentParser()
        >>> subparsers = parser.add_subparsers(parser_class=Command)
        >>> add_command(subparsers, "echo", lambda parser: parser.add_argument("word"), lambda options: 0, help="x")
        >>> parser.parse_args(["echo", "hello"]).word
        'hello'
    """
    parser = subparsers.add_parser(name, **texts, **STYLE)
    parser.add_options = add_options
    if run is not None:
        parser.set_defaults(run=run)


def add_actions(parser: argparse.ArgumentParser, *names: str) -> Subparsers:
    """Add what a command can do, such as ``list`` and ``build``; the name that is given is ``options.action``.

    Args:
        parser: of the command.
        *names: of the actions, for its help.
    """
    return parser.add_subparsers(dest="action", required=True, metavar=f"{{{','.join(names)}}}", parser_class=Command)
