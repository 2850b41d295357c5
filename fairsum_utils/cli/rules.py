"""Options that commands on rules share."""

from __future__ import annotations

import argparse

__all__ = ["add_rules", "as_read"]


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add rules, and the baseline that they may name."""
    group = parser.add_argument_group("rules")
    group.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="RULE",
        help="a rule, or a file .toml with rules = [...] under [check]; may be given several times",
    )
    group.add_argument("--baseline", metavar="RESULTS", help="the results that baseline stands for")


def as_read(options: argparse.Namespace) -> argparse.Namespace:
    """The options without rules that are no files, as `fairsum_utils.cli.options.check_outputs` takes them."""
    from fairsum_utils.gate.sources import is_file

    return argparse.Namespace(**{**vars(options), "rules": list(filter(is_file, options.rules))})
