"""`fairsum diagnose`: what a corpus says about groups before anybody summarizes it."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from fairsum_utils.cli.options import add_file, add_output_options, add_settings, given_settings, write_document
from fairsum_utils.family import Setting, family_of

__all__ = ["add_options", "report", "run"]

HELP = "show which groups a corpus mentions, where, and beside which words"
DESCRIPTION = "How are groups mentioned in a corpus, and what would simple summarizers make of it?"
EPILOG = """\
what is shown:
  groups      identifiers of each group, their share, and the texts in which the group has most of them
  words       those that go with a group's texts most (z above 1.96 is more than chance); a word and its counterpart,
              such as mother and father, count as one
  topics      the same shares in texts about sport, about family, and about neither
  baselines   word list inclusion of simple summarizers, against equal shares and adjusted to those of the texts. Lead
              and random do not look at groups: what they score says how little the score alone tells.

examples:
  fairsum diagnose articles.jsonl --text-column article
  fairsum diagnose articles.parquet --word-lists lists.json --no-baselines --format markdown

lists.json holds at least two groups: {"young": ["teen", "teens"], "old": ["pensioner", "pensioners"]}
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_file(parser)
    parser.add_argument("--text-column", default="text", metavar="NAME", help="a text a row (default: %(default)s)")
    parser.add_argument("--top", type=int, default=10, metavar="N", help="words to show a group (default: %(default)s)")
    add_settings(parser, _settings())
    parser.add_argument("--no-baselines", action="store_true", help="do not summarize")
    add_output_options(parser)


def _settings() -> list[Setting]:
    """The settings of the measures that mean something here."""
    taken = family_of("word_list_inclusion").taken("word_list_inclusion")
    return [taken["word_lists"], taken["seed"]]


def run(options: argparse.Namespace) -> int:
    """Read the file row by row and print the report."""
    from fairsum_utils.files.reading import read_rows
    from fairsum_utils.files.writing import check_output
    from fairsum_utils.studies.diagnosis import diagnose

    check_output(options.output, ".json")
    column = options.text_column
    rows = read_rows(options.file, {column: "--text-column"}, split=options.split)
    result = diagnose(
        (row[column] for row in rows),
        baselines=not options.no_baselines,
        top=options.top,
        module=f"diagnose {options.file}",
        **given_settings(options, "diagnose", _settings()),
    )
    document = {"file": str(options.file), **result}
    write_document(options, document, partial(report, document))
    return 0


def report(result: dict[str, Any], *, markdown: bool = False) -> str:
    """The diagnosis for a person, in the form of the paper's tables 1 and 2."""
    from fairsum_utils.reports.tables import closing, number, opening, render

    groups = list(result["identifiers"])
    table = partial(render, markdown=markdown)
    shares = [f"share {group}" for group in groups]
    parts = [opening(result["file"], result).replace("scored", "read")]
    rows = [
        [group, str(result["identifiers"][group]), number(result["shares"][group]), str(result["n_by_majority"][group])]
        for group in groups
    ]
    parts.append(table(["group", "identifiers", "share", "texts with its majority"], rows))
    columns = [[[entry["word"], number(entry["z"], 2)] for entry in result["associated"][group]] for group in groups]
    if height := max(map(len, columns)):
        padded = [column + [["", ""]] * (height - len(column)) for column in columns]
        header = [title for group in groups for title in (f"{group} texts", "z")]
        parts.append(table(header, [[cell for pair in pairs for cell in pair] for pairs in zip(*padded, strict=True)]))
    rows = [
        [topic, str(part["n_samples"]), *(number(part["shares"][group]) for group in groups)]
        for topic, part in result["by_topic"].items()
    ]
    everything = ["all", str(result["n_samples"]), *(number(result["shares"][group]) for group in groups)]
    parts.append(table(["topic", "texts", *shares], [everything, *rows]))
    if result["baselines"]:
        rows = [
            [name, number(scores["word_list_inclusion_uniform"]), number(scores["word_list_inclusion"])]
            for name, scores in result["baselines"].items()
        ]
        parts.append(table(["word list inclusion", "uniform", "adjusted"], rows))
    return "\n\n".join([*parts, closing(result)])
