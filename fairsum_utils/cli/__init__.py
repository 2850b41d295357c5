"""The `fairsum` command; commands are imported when they run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

FAULT = 70
INTERRUPTED = 130
TERMINATED = 143
BAD_INPUT = 2

# Variable by which shells ask for completions.
_COMPLETION = "_FAIRSUM_COMPLETE"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status.

    Args:
        arguments: words of the command line; None takes them from there.

    Example:
        >>> main(["score", "no-such-file.jsonl"])
        2
    """
    from fairsum_utils.cli import terminal
    from fairsum_utils.errors import FairSumError

    terminal.escape_unencodable(sys.stdout, sys.stderr)
    try:
        with terminal.terminable(), terminal.in_lines():
            return run_command(sys.argv[1:] if arguments is None else list(arguments))
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "fairsum"
        terminal.say(f"{path}: error: {_mistake(error, path)}")
        return BAD_INPUT
    except (FairSumError, OSError) as error:
        for line in getattr(error, "lines", [str(error)]):
            terminal.say(_error_line(line, getattr(error, "command", "")))
        return int(getattr(error, "exit_status", BAD_INPUT))
    except (terminal.Terminated, KeyboardInterrupt, Exception) as error:
        # C code that an exception of a signal passes through raises SystemError from it.
        ending = error.__cause__ if isinstance(error, SystemError) else error
        if isinstance(ending, terminal.Terminated):
            terminal.say("fairsum: terminated")
            return TERMINATED
        if isinstance(ending, KeyboardInterrupt):
            terminal.say("fairsum: interrupted")
            return INTERRUPTED
        terminal.say_fault(error)
        return FAULT


def run_command(arguments: Sequence[str]) -> int:
    """Run the command and let errors through; returns its exit status.

    Raises:
        click.UsageError: The command line is not as described.
    """
    from fairsum_utils.cli.app import app

    if instruction := os.environ.get(_COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "fairsum", _COMPLETION, instruction)
    words = list(arguments)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    try:
        with app.make_context("fairsum", words) as context:
            return app.invoke(context) or 0
    except click.exceptions.Exit as done:
        return done.exit_code


def _mistake(error: click.UsageError, path: str) -> str:
    """Describe a mistake of the command line in a line."""
    from fairsum_utils.cli.names import options_of, setting_names
    from fairsum_utils.validation import did_you_mean

    if isinstance(error, click.NoSuchOption):
        known = options_of(error.ctx.command) if error.ctx else []
        settings = [f"--{name}" for name in setting_names()] if {"--set", "--metrics"} <= {*known} else []
        guess = did_you_mean(error.option_name, [*known, *settings])
        if (meant := guess.rpartition(" ")[2].rstrip("?")) in settings:
            guess = f"; did you mean --set {meant[2:]}=VALUE?"
        return f"unknown option {error.option_name}{guess or f'; see {path} --help'}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.opts[-1] if error.param.param_type_name == "option" else error.param.metavar
        is_missing = isinstance(error, click.MissingParameter)
        return f"missing: {name}; see {path} --help" if is_missing else f"{name}: {error.message.rstrip('.')}"
    return error.format_message().rstrip(".")


def _error_line(line: str, command: str) -> str:
    """Prefix an error with its command and name options as typed."""
    from fairsum_utils.cli.app import find
    from fairsum_utils.cli.names import COMMANDS
    from fairsum_utils.cli.spelling import as_options, in_plain_words

    module, _, message = line.partition(": ")
    known = {name: name for name in COMMANDS} | {command.rpartition(" ")[2]: command}
    known |= dict.fromkeys(("read_results", "load_ner"), command)  # functions that commands call
    if message and module in known:
        command, line = known[module], message
    return f"{f'fairsum {command}'.strip()}: error: {in_plain_words(as_options(line, find(command)))}"
