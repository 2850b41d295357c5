"""What every command of `fairsum` has: a name, help, examples, and options that are added when they are needed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

BAD_INPUT = 2
"""The exit status of a command line or an input that is not as described."""

STYLE: dict[str, Any] = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
"""Of every parser: texts stay as they are written, and options are written out."""

RENAMED = {"--to": "--output", "--metric": "--metrics", "--chat-url": "--url", "--base-url": "--url"}
"""Option of an earlier version -> its name now. For one version it is understood, with a note."""


class Command(argparse.ArgumentParser):
    """A parser that gets its options when it first parses or shows them: the other commands cost no time.

    Its help fits a screen and leads to the rest; its errors are one line; and it reads what is always the same from a
    file, see `fairsum_utils.cli.config`.

    Attributes:
        add_options: adds the options; None when it has done so.
    """

    add_options: Callable[[argparse.ArgumentParser], None] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{**options, "add_help": False})
        about = "this page; all on a measure (bur), a group of options (input), an option (tau), or the examples"
        self.add_argument(
            "-h", "--help", action=_Help, nargs="?", metavar="TOPIC", default=argparse.SUPPRESS, help=about
        )
        self.add_argument("--help-all", action=_HelpAll, nargs=0, default=argparse.SUPPRESS, help="every option")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, as `argparse` has it, what the command line and the file of settings say.

        Raises:
            InputError: the file of settings is not as described.
        """
        self.fill()
        words: list[str] = list(sys.argv[1:] if args is None else args)
        if self._subparsers is None:
            from fairsum_utils.cli.config import configured

            words = configured(self, self._renamed(words))
        options, rest = super().parse_known_args(words, namespace)
        if rest := [word for word in rest if word != "--"]:
            self._refuse(rest)
        return options, rest

    def format_help(self) -> str:
        """What fits a screen."""
        from fairsum_utils.cli.help import short

        self.fill()
        return short(self)

    def format_all(self) -> str:
        """Every option, as `argparse` has it."""
        self.fill()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong with the command line, and exit with status 2."""
        from fairsum_utils.cli.terminal import say

        said = message.removeprefix("argument ")
        if said != (missing := said.removeprefix("the following arguments are required: ")):
            said = f"missing: {missing}; see {self.prog} --help"
        say(f"{self.prog}: error: {said}")
        sys.exit(BAD_INPUT)

    def fill(self) -> None:
        """Add the options, if that is not done yet."""
        add_options, self.add_options = self.add_options, None
        if add_options is None:
            return
        add_options(self)
        if self._subparsers is not None:
            return
        about = "no progress, notes and warnings: only the result, and an error if there is one"
        self.add_argument("--quiet", action="store_true", help=about)
        if "--config" not in self._option_string_actions:
            about = "options that are always the same (default: fairsum.toml, if the working folder has one)"
            self.add_argument("--config", type=Path, metavar="FILE", dest="config_file", help=about)

    def actions_of(self) -> dict[str, Command]:
        """What comes after the name: name -> its parser."""
        return {
            name: command
            for action in self._actions
            if isinstance(action, argparse._SubParsersAction)
            for name, command in action.choices.items()
        }

    def _renamed(self, words: list[str]) -> list[str]:
        """The words with options by their names of now."""
        from fairsum_utils.cli.terminal import note

        made: list[str] = []
        told = set()
        for place, word in enumerate(words):
            if word == "--":
                return [*made, *words[place:]]
            name, equals, value = word.partition("=")
            now = RENAMED.get(name)
            if now is None or name in self._option_string_actions or now not in self._option_string_actions:
                made.append(word)
                continue
            made.append(f"{now}{equals}{value}")
            if name not in told and "--quiet" not in words:
                note(f"{name} is called {now} now; the old name is understood for one version")
            told.add(name)
        return made

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices, with the likeliest one."""
        if action.choices is None or value in action.choices:
            return
        from fairsum_utils.validation import did_you_mean

        names = [str(choice) for choice in action.choices]
        guess = did_you_mean(str(value), names) or f"; choose from {', '.join(names)}"
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"unknown command {value!r}{guess}")
        raise argparse.ArgumentError(action, f"unknown choice {value!r}{guess}")

    def _refuse(self, rest: list[str]) -> NoReturn:
        """Words that mean nothing here."""
        options = [word.partition("=")[0] for word in rest if word.startswith("-") and word != "-"]
        if not options:
            from fairsum_utils.measures import measure_names

            is_listed = rest[0].strip(",") in measure_names()
            hint = "commas stand between measures, without blanks" if is_listed else f"see {self.prog} --help"
            self.error(f"unexpected argument {rest[0]!r}; {hint}")
        self.error(self.unknown(options[0]))

    def unknown(self, name: str, shown: str = "option") -> str:
        """What is said of an option that nobody knows.

        Args:
            name: with its dashes.
            shown: what it is called.
        """
        from fairsum_utils.validation import did_you_mean

        flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
        known = flags if shown == "option" else [flag.removeprefix("--") for flag in flags]
        guess = did_you_mean(name.replace("_", "-"), known)
        return f"unknown {shown} {name}{guess or f'; see {self.prog} --help'}"


class _Help(argparse.Action):
    """Show help, on a topic if one is named, and exit."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        if values is None:
            parser.print_help()
            parser.exit()
        from fairsum_utils.cli.help import on_topic, topics

        parser.fill()
        text = on_topic(parser, values)
        if text is None:
            from fairsum_utils.families import all_measures
            from fairsum_utils.validation import did_you_mean

            known = topics(parser)
            guess = did_you_mean(values, known) or f"; there is: {', '.join(known)}"
            if values in all_measures():
                guess = f"; see fairsum explain {values}, or fairsum score --help {values}"
            parser.error(f"no help on {values!r}{guess}")
        parser._print_message(text, sys.stdout)
        parser.exit()


class _HelpAll(argparse.Action):
    """Show every option, and exit."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        parser._print_message(parser.format_all(), sys.stdout)
        parser.exit()


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
    about = texts.get("help", "")
    texts["description"] = texts.get("description") or f"{about[:1].upper()}{about[1:]}."
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
