"""The `fairsum` command. Subcommands import what they need when they run, so that help answers at once."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from fairsum_utils._version import __version__

if TYPE_CHECKING:
    from fairsum_utils.cli.commands import Command

__all__ = ["COMMANDS", "build_parser", "main"]

FAULT = 70
INTERRUPTED = 130
TERMINATED = 143

COMMANDS = (
    *(
        "demo",
        "score",
        "merge",
        "inspect",
        "compare",
        "report",
        "check",
        "power",
        "monitor",
        "explain",
        "rerank",
        "generate",
        "relevance",
        "agree",
        "diagnose",
        "study",
        "reproduce",
    ),
    *("verify", "data", "annotate", "people", "install", "publish", "env", "completion"),
)
"""Files of this package, and `EXTENSIONS`, in the order of the help."""

EXTENSIONS = {
    "study": "the other analyses, tables and figures of the papers",
    "reproduce": "compute what the papers print from their published files",
}
"""Commands of the distribution in `reproductions/`: name -> help."""

_EPILOG = """\
examples:
  fairsum demo                                     score and compare two small shipped systems
  fairsum score summaries.jsonl                    BUR, UER, AUC and SOF with 95% intervals
  fairsum score summaries.parquet --metrics bur --tau 0.9 --output results.json
  fairsum score news.jsonl --metrics word_list_inclusion,entity_inclusion --sources-column text
  fairsum compare system_a.jsonl system_b.jsonl    paired bootstrap on the same samples
  fairsum inspect summaries.jsonl --worst 5        the samples behind a number
  fairsum report results.json samples.parquet -o report.html
                                                   both as one page for the browser
  fairsum check results.json --rules 'uer.ci_high < 0.05'
                                                   a gate for CI
  fairsum power results.json --rules 'uer.ci_high < 0.05'
                                                   how many samples that needs
  fairsum monitor may.json june.json --baseline april.json
                                                   has a stream become less fair?
  fairsum data list                                data sets that can be built
  fairsum generate prompts.jsonl --model gpt2 --preset gpt2 --output texts.jsonl
  fairsum agree labels.jsonl --prediction-column label --reference-column human
  fairsum study list                               the other tables and figures of the papers
  fairsum verify summaries.jsonl                   our tokens are NLTK's, on your own texts
  fairsum rerank candidates.jsonl --output best.jsonl
                                                   the fairest of n candidates
  fairsum install                                  evaluate.load("fairsum/bur") works offline
  fairsum publish metrics --dry-run                what would go to the Hub

exit status: 0 done; 1 a rule of check fails, monitor raises an alarm, verify found tokens that differ, reproduce
another number than is known, or shards could not be scored though the input is good; 2 bad input, or an output that
cannot be written (a line says what and where); 3 check or monitor has too few samples to tell, and none of that is so;
70 an error of this program; 130 interrupted, 143 terminated
"""


def build_parser() -> Command:
    """The parser of the command with all its subcommands."""
    from fairsum_utils.cli.commands import STYLE, Command, add_command

    parser = Command(
        prog="fairsum",
        description="Whose voice does a summary carry? Fairness and bias measures for summaries and generated text.",
        epilog=_EPILOG,
        **STYLE,
    )
    parser.add_argument("--version", action="version", version=f"fairsum-utils {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Command)
    for name in COMMANDS:
        if name in EXTENSIONS:
            add_command(subparsers, name, partial(_add_extension, name), help=EXTENSIONS[name])
            continue
        command = importlib.import_module(f"{__name__}.{name}")
        texts = {"description": getattr(command, "DESCRIPTION", None), "epilog": getattr(command, "EPILOG", None)}
        add_command(subparsers, name, command.add_options, command.run, help=command.HELP, **texts)
    return parser


def _add_extension(name: str, parser: argparse.ArgumentParser) -> None:
    """Add the options of a command of another distribution."""
    from fairsum_utils.errors import extension

    command = extension("fairsum.commands", name, where=name)
    parser.description, parser.epilog = command.DESCRIPTION, command.EPILOG
    command.add_options(parser)
    parser.set_defaults(run=command.run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status.

    Args:
        arguments: as on the command line; None takes them from there.

    Example:
        >>> main(["score", "no-such-file.jsonl"])
        2
    """
    from fairsum_utils.cli.terminal import lasting, open_closed, write_out

    open_closed()
    with lasting():
        write_out(sys.stdout, sys.stderr)
        return _attended(sys.argv[1:] if arguments is None else arguments)


def _attended(arguments: Sequence[str]) -> int:
    """Run the command, and say in a line what keeps it from its end; returns its exit status."""
    from fairsum_utils.cli.commands import BAD_INPUT
    from fairsum_utils.cli.terminal import (
        Terminated,
        logged_in_lines,
        quieted,
        say,
        say_fault,
        terminable,
        warnings_in_lines,
        written,
    )
    from fairsum_utils.errors import FairSumError

    try:
        with terminable(), written():
            parser = build_parser()
            words = list(arguments)
            if words[:1] == ["help"]:
                words = [*words[1:], "--help"]
            options = parser.parse_args(words)
            if "run" not in options:
                parser.print_help()
                return 0
            with warnings_in_lines(), logged_in_lines(), quieted(options.quiet):
                return int(options.run(options))
    except Terminated:
        say("fairsum: terminated")
        return TERMINATED
    except (FairSumError, OSError) as error:
        for line in getattr(error, "lines", [str(error)]):
            command, colon, message = line.partition(": ")
            # A message that begins with the command's name has it in front, as errors of the command line do.
            named = colon and command in COMMANDS
            say(f"fairsum {command}: error: {message}" if named else f"fairsum: error: {line}")
        return int(getattr(error, "exit_status", BAD_INPUT))
    except KeyboardInterrupt:
        say("fairsum: interrupted")
        return INTERRUPTED
    except Exception as error:
        say_fault(error)
        return FAULT
