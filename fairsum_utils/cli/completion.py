"""`fairsum completion`: commands, options, measures and choices, completed by the shell.

The shell asks the command itself each time, so that what it offers is what this version knows, and measures in a list
are completed too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsum_utils.cli.commands import Command


HELP = "let the shell complete commands, options and measures"
DESCRIPTION = "Print the lines that let bash, zsh or fish complete the command."
EPILOG = """\
examples:
  fairsum completion bash >> ~/.bashrc
  fairsum completion zsh >> ~/.zshrc
  fairsum completion fish > ~/.config/fish/completions/fairsum.fish
"""

SCRIPTS = {
    "bash": """\
_fairsum() {
    local IFS=$'\\n'
    COMPREPLY=($(compgen -W "$(fairsum completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" \\
        -- "${COMP_WORDS[COMP_CWORD]#=}"))
}
complete -o default -F _fairsum fairsum
""",
    "zsh": """\
_fairsum() {
    local -a found
    found=(${(f)"$(fairsum completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then compadd -a found; else _files; fi
}
compdef _fairsum fairsum
""",
    "fish": """\
complete -c fairsum -a '(fairsum completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}
"""Shell -> its lines."""

_ASKED = "words"
"""What shells ask with."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("shell", choices=(*SCRIPTS, _ASKED), metavar="SHELL", help=", ".join(SCRIPTS))
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Print the lines of a shell, or what a shell asks for."""
    from fairsum_utils.cli import build_parser

    if options.shell == _ASKED:
        print("\n".join(candidates(build_parser(), options.words)))
    else:
        print(SCRIPTS[options.shell], end="")
    return 0


def candidates(command: Command, words: Sequence[str]) -> list[str]:
    """What the last word of a command line may become; nothing where it is for the shell to offer files.

    Args:
        command: the parser of the command.
        words: of the command line after the command's name; the last one is being typed and may be empty.
    """
    *before, typed = [word for word in words if word != "="] or [""]
    if words and words[-1] == "=":  # bash takes the sign for a word
        before, typed = [*before, typed], ""
    command.fill()
    for word in before:
        below = command.actions_of()
        if word in below:
            command = below[word]
            command.fill()
    option = command._option_string_actions.get(before[-1]) if before else None
    if option is not None and option.nargs != 0:
        found = _values(command, option, typed)
    elif typed.startswith("-"):
        found = [name for name in command._option_string_actions if name.startswith("--")]
    else:
        places = [action for action in command._actions if not action.option_strings]
        found = [*command.actions_of()] or [name for action in places for name in _values(command, action, typed)]
    return [name for name in found if name.startswith(typed)]


def _values(command: Command, action: argparse.Action, typed: str) -> list[str]:
    """What an option or an argument may be."""
    from fairsum_utils.families import all_measures

    if action.dest == "help":
        from fairsum_utils.cli.help import topics

        return topics(command)
    if action.dest == "metrics":
        head, comma, _ = typed.rpartition(",")
        return [f"{head}{comma}{name}" for name in all_measures() if name not in head.split(",")]
    if command.prog == "fairsum explain" and not action.option_strings:
        from fairsum_utils.cli.explain import TERMS

        return [*all_measures(), *TERMS]
    if action.choices is not None:
        return [str(choice) for choice in action.choices if choice != _ASKED]
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return metavar.strip("{}").split(",") if metavar.startswith("{") else []
