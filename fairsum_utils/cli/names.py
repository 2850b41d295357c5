"""Names of commands and options, today's and former ones."""

from __future__ import annotations

from functools import cache

import click

EXTENSIONS = {
    "study": "Run other analyses of the papers",
    "reproduce": "Recompute the papers' numbers from their published files",
}
"""Command of the distribution in `reproductions/` -> its line of help."""

COMMANDS = {
    "demo": "Score and compare two example systems",
    "score": "Score a file of summaries or other generated texts",
    "compare": "Compare systems on the same samples",
    "report": "Make a page of results and their samples",
    "export": "Write results in formats of the Hub",
    "inspect": "Show the samples behind a number, the worst first",
    "explain": "Explain a measure, or a word of outputs",
    "check": "Check results against rules, for CI",
    "generate": "Generate texts from a file of prompts",
    "data": "List, build and export data sets; annotate news",
    "publish": "Publish modules, data sets and results; install modules",
    "env": "Show versions, packages and caches",
    **EXTENSIONS,
}
"""Command at the top, in a file of its name -> its line of help."""

COMMON = {
    "confidence_level": "--confidence",
    "seed": "--seed",
    "language": "--language",
    "device": "--device",
    "cache": "--cache",
}
"""Setting of many measures with an option of its own -> the option."""

OF_INPUT = ("text_key", "value_key", "predictions_id_column", "predictions_encoding")
"""Settings of the input that ``--set`` gives, like those of measures."""


def options_of(command: click.Command) -> list[str]:
    """List the long options of a command."""
    return [name for param in command.params for name in (*param.opts, *param.secondary_opts) if name.startswith("--")]


@cache
def setting_names() -> frozenset[str]:
    """Return the names of all settings of measures."""
    from fairsum_utils.families import all_measures
    from fairsum_utils.measures import get_measure

    return frozenset(name for measure in all_measures() for name in get_measure(measure).infos())
