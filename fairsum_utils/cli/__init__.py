"""The `fairsum` command. Commands are imported when they run, so that help answers at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

FAULT = 70
INTERRUPTED = 130
TERMINATED = 143
BAD_INPUT = 2

_COMPLETION = "_FAIRSUM_COMPLETE"
"""Variable by which shells ask for completions."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status.

    Args:
        arguments: words of the command line; None takes them from there.

    Example:
        >>> main(["score", "no-such-file.jsonl"])
        2
    """
    from fairsum_utils.cli.terminal import lasting, open_closed, write_out

    open_closed()
    with lasting():
        write_out(sys.stdout, sys.stderr)
        return _attended(sys.argv[1:] if arguments is None else list(arguments))


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


def _attended(words: Sequence[str]) -> int:
    """Run the command, and say in a line what keeps it from its end; returns its exit status."""
    from fairsum_utils.cli.terminal import (
        Terminated,
        logged_in_lines,
        say,
        say_fault,
        terminable,
        warnings_in_lines,
        written,
    )
    from fairsum_utils.errors import FairSumError

    try:
        with terminable(), written(), warnings_in_lines(), logged_in_lines():
            return run_command(words)
    except Terminated:
        say("fairsum: terminated")
        return TERMINATED
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "fairsum"
        say(f"{path}: error: {_mistake(error, path)}")
        return BAD_INPUT
    except (FairSumError, OSError) as error:
        for line in getattr(error, "lines", [str(error)]):
            say(_error_line(line, getattr(error, "asked", FairSumError.asked)))
        return int(getattr(error, "exit_status", BAD_INPUT))
    except KeyboardInterrupt:
        say("fairsum: interrupted")
        return INTERRUPTED
    except Exception as error:
        say_fault(error)
        return FAULT


def _mistake(error: click.UsageError, path: str) -> str:
    """Say in a line what is wrong with the command line."""
    from fairsum_utils.cli.command import names_of
    from fairsum_utils.validation import did_you_mean

    if isinstance(error, click.NoSuchOption):
        known = names_of(error.ctx.command) if error.ctx else []
        guess = did_you_mean(error.option_name.replace("_", "-"), known)
        return f"unknown option {error.option_name}{guess or f'; see {path} --help'}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        missing = error.param.opts[-1] if error.param.param_type_name == "option" else error.param.metavar
        return f"missing: {missing}; see {path} --help"
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.opts[-1] if error.param.param_type_name == "option" else error.param.metavar
        return f"{name}: {error.message.rstrip('.')}"
    return error.format_message().rstrip(".")


def _error_line(line: str, asked: tuple[str, tuple[str, ...], tuple[str, ...]]) -> str:
    """Begin an error with its command, as errors of the command line do, and name options as there."""
    from fairsum_utils.cli.app import COMMANDS
    from fairsum_utils.cli.spelling import as_options, in_plain_words

    module, _, message = line.partition(": ")
    command, *names = asked
    known = {name: name for name in COMMANDS} | {command.rpartition(" ")[2]: command}
    named = f"fairsum {known[module]}" if message and module in known else "fairsum"
    return f"{named}: error: {in_plain_words(as_options(message if named != 'fairsum' else line, *names))}"
