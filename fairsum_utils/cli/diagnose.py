"""`fairsum diagnose`: what a corpus says about groups before anybody summarizes it."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from fairsum_utils.cli.options import add_file, add_output_options, read_setting, write_document

__all__ = ["add_parser", "report", "run"]

_EPILOG = """\
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


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "diagnose",
        help="show which groups a corpus mentions, where, and beside which words",
        description="How are groups mentioned in a corpus, and what would simple summarizers make of it?",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_file(parser)
    parser.add_argument("--text-column", default="text", metavar="NAME", help="a text a row (default: %(default)s)")
    parser.add_argument(
        "--word-lists", default="helm", metavar="LISTS", help="helm, extended or a .json file (default: %(default)s)"
    )
    parser.add_argument("--top", type=int, default=10, metavar="N", help="words to show a group (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the baselines (default: %(default)s)")
    parser.add_argument("--no-baselines", action="store_true", help="do not summarize")
    add_output_options(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read the file row by row and print the report."""
    from fairsum_utils.entities.settings import EntitySettings
    from fairsum_utils.files.reading import read_rows
    from fairsum_utils.files.writing import check_output
    from fairsum_utils.studies.diagnosis import diagnose

    check_output(options.output, ".json")
    column = options.text_column
    rows = read_rows(options.file, {column: "--text-column"}, split=options.split)
    result = diagnose(
        (row[column] for row in rows),
        word_lists=read_setting("diagnose", EntitySettings.infos()["word_lists"], options.word_lists),
        baselines=not options.no_baselines,
        top=options.top,
        seed=options.seed,
        module=f"diagnose {options.file}",
    )
    document = {"file": str(options.file), **result}
    write_document(options, document, partial(report, document))
    return 0


def report(result: dict[str, Any], *, markdown: bool = False) -> str:
    """The diagnosis for a person, in the form of the paper's tables 1 and 2."""
    from fairsum_utils.reports.tables import number, opening, render

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
    if result["undefined"]:
        parts.append("\n".join(f"undefined: {name} ({reason})" for name, reason in result["undefined"].items()))
    return "\n\n".join([*parts, f"signature: {result['signature']}"])
