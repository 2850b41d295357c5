"""`fairsum study`: the other analyses of the papers, on one's own data and results."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.commands import add_actions, add_command
from fairsum_utils.cli.options import (
    INPUT_FORMATS,
    add_output_options,
    add_plot,
    add_reading_options,
    add_settings,
    check_drawable,
    check_outputs,
    given_settings,
    reading,
    recorded,
    write_document,
)

if TYPE_CHECKING:
    from fairsum_reproductions.contract import Input, Study

DESCRIPTION = "Run an analysis of a paper on your own data or results, print its table, draw its figure."
EPILOG = """\
examples:
  fairsum study list                               what there is, paper by paper
  fairsum study dominance --help                   what one takes
  fairsum study dominance gpt4.parquet llama=runs/llama.parquet
  fairsum study overall gpt4=gpt4.json llama=llama.json --format latex
"""

_LIST = "list"
_COLUMN = "column:"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add a command for each study, and the list of them."""
    from fairsum_reproductions import find_study, studies

    actions = add_actions(parser, _LIST, "NAME")
    add_command(actions, _LIST, _add_list_options, help="show what there is, paper by paper")
    for name in studies():
        study = find_study(name)
        epilog = "\n".join(["examples:", *(f"  {line}" for line in study.examples), ""]) if study.examples else None
        about = "\n".join([study.question, f"After {study.cited}.", *(f"Chosen: {each}." for each in study.choices)])
        options = partial(_add_study_options, study)
        add_command(actions, name, options, help=study.help, description=about, epilog=epilog)


def _add_list_options(parser: argparse.ArgumentParser) -> None:
    add_output_options(parser)


def _add_study_options(study: Study, parser: argparse.ArgumentParser) -> None:
    from fairsum_reproductions.inputs import flag_of

    for each in study.inputs:
        _add_input(parser, each)
    group = parser.add_argument_group("input")
    for name, what in {name: what for each in study.inputs for name, what in each.all_columns.items()}.items():
        about = f"{what} (default: {name})"
        group.add_argument(
            flag_of(name), dest=f"{_COLUMN}{name}", default=argparse.SUPPRESS, metavar="NAME", help=about
        )
    add_settings(group, study.shape.values())
    if any(each.kind != "results" for each in study.inputs):
        add_reading_options(group)
    if infos := study.settings.infos():
        add_settings(parser.add_argument_group("settings"), infos.values())
    group = add_output_options(parser)
    if study.drawing is not None:
        add_plot(group)


def _add_input(parser: argparse.ArgumentParser, each: Input) -> None:
    """Add the file or files of an input."""
    about = f"{each.help} ({INPUT_FORMATS})" if each.kind == "rows" else each.help
    about += "; named by their files, or as NAME=FILE" if each.systems else ""
    several: dict[str, Any] = {"nargs": "+"} if each.systems else {}
    parser.add_argument(each.name, metavar=each.name.upper(), help=about.replace("%", "%%"), **several)


def run(options: argparse.Namespace) -> int:
    """Print and draw what the study gives."""
    if options.action == _LIST:
        return _list(options)
    from fairsum_reproductions import find_study
    from fairsum_reproductions.inputs import named_files
    from fairsum_reproductions.running import run_study

    name = options.action
    study = find_study(name)
    has_files = any(each.kind != "results" for each in study.inputs)
    named = [getattr(options, each.name) for each in study.inputs]
    given = [named_files(name, each) if isinstance(each, list) else each for each in named]
    paths = [path for each in given for path in (each.values() if isinstance(each, dict) else [each])]
    read = argparse.Namespace(**{**vars(options), "plot": getattr(options, "plot", None), "files": paths})
    check_outputs(read, output=(".json",), plot=(".svg", ".png"))
    check_drawable(read.plot)
    columns = {key.removeprefix(_COLUMN): value for key, value in vars(options).items() if key.startswith(_COLUMN)}
    settings = given_settings(options, name, study.settings.infos().values())
    shape = given_settings(options, name, study.shape.values())
    found = run_study(
        study, given, settings, columns=columns, shape=shape, reading=reading(options) if has_files else {}
    )
    if read.plot is not None:
        found.plot().save(read.plot)
    document = {key: entry for key, entry in found._document().items() if key != "run"}
    write_document(
        options, document, found._parts(), run=recorded(options, dict.fromkeys(map(str, paths)), found.settings)
    )
    return 0


def _list(options: argparse.Namespace) -> int:
    """Print what there is."""
    from fairsum_reproductions import find_study, studies
    from fairsum_reproductions.contract import PAPERS
    from fairsum_utils.reports.tables import Table

    check_outputs(options, output=(".json",))
    known = {name: find_study(name) for name in studies()}
    tables = [
        Table(
            ["study", "in the paper", "what it answers"],
            [[name, study.source, study.help] for name, study in known.items() if study.paper == paper],
            title=title,
            n_texts=3,
        )
        for paper, title in PAPERS.items()
    ]
    document = {
        "studies": {
            name: {"paper": study.paper, "source": study.source, "help": study.help, "choices": [*study.choices]}
            for name, study in known.items()
        }
    }
    write_document(options, document, [table for table in tables if table.rows])
    return 0
