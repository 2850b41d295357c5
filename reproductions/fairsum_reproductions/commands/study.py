"""`fairsum study`: other analyses of the papers, on your own data and results."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from fairsum_reproductions import find_study, studies
from fairsum_reproductions.inputs import WITH_FLAG, flag_of
from fairsum_utils.cli.app import Group
from fairsum_utils.cli.command import (
    Argument,
    Command,
    Option,
    Options,
    check_outputs,
    command,
    complete_files,
    in_group,
)
from fairsum_utils.cli.names import OF_INPUT
from fairsum_utils.cli.options import INPUT_FORMATS, READING_OPTIONS, SHAPE_OPTIONS, given_settings, reading
from fairsum_utils.cli.outputs import PLOT, output_options, write_document
from fairsum_utils.cli.settings import described, input_settings, read_settings, set_option, split_item
from fairsum_utils.validation import check_choice

if TYPE_CHECKING:
    from fairsum_reproductions.contract import Input, Study

_EXAMPLES = """\
examples:
  fairsum study list                               all studies, paper by paper
  fairsum study dominance --help                   inputs and options of a study
  fairsum study dominance gpt4.parquet llama=runs/llama.parquet
  fairsum study overall gpt4=gpt4.json llama=llama.json --format latex\
"""


class Studies(Group):
    """A command for each study, made when it is used."""

    def load(self, name: str) -> Command:
        """Make the command of a study."""
        study = find_study(name)
        about = "\n".join([study.question, f"After {study.cited}.", *(f"Chosen: {each}." for each in study.choices)])
        settings = [f"  {line}" for line in described(study.settings)]
        columns = [f"  {each}: {what}" for each, what in _columns(study).items() if each not in WITH_FLAG]
        sections = {
            "columns of --column, such as --column ratings=NAME:": columns,
            "settings (name and default):": settings,
            "examples:": [f"  {line}" for line in study.examples],
        }
        epilog = "\n\n".join("\n".join([title, *lines]) for title, lines in sections.items() if lines)
        return Command(name, callback=partial(_run, name, study), params=_params(study), help=about, epilog=epilog)


def _params(study: Study) -> list[click.Parameter]:
    columns = _columns(study)
    named = [
        Option(flag_of(name), f"column_{name}", metavar="NAME", help=f"{about} (default: {name})")
        for name, about in columns.items()
        if name in WITH_FLAG
    ]
    if columns.keys() - {*WITH_FLAG}:
        about = "Another column, as listed below; may be repeated"
        named.append(Option("--column", multiple=True, metavar="COLUMN=NAME", help=about))
    shape = [option for option in SHAPE_OPTIONS if option.name in study.shape]
    has_files = any(each.kind != "results" for each in study.inputs)
    reads = READING_OPTIONS if has_files else ()
    return [
        *map(_argument, study.inputs),
        *in_group("input", *named, *shape, *reads),
        *in_group("settings", *_set_option(study)),
        *output_options(*([] if study.drawing is None else [PLOT])),
    ]


def _columns(study: Study) -> dict[str, str]:
    """Return the columns of all inputs, name -> description."""
    return {name: about for each in study.inputs for name, about in each.all_columns.items()}


def _set_option(study: Study) -> list[Option]:
    """Make the option of a study's settings, if it has any."""
    infos = {**study.settings.infos(), **{name: study.shape[name] for name in OF_INPUT if name in study.shape}}
    if not infos:
        return []

    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
        return [f"{name}=" for name in infos if name.startswith(typed)]

    return [set_option("setting, as listed below; may be given several times", complete)]


def _argument(each: Input) -> Argument:
    """Make the argument of the file or files of an input."""
    about = f"{each.help} ({INPUT_FORMATS})" if each.kind == "rows" else each.help
    name = each.name.upper()
    if not each.systems:
        return Argument(each.name, name, about, shell_complete=complete_files)
    about = f"{about}; named by file, or as NAME=FILE"
    return Argument(each.name, f"{name}...", about, shell_complete=complete_files, nargs=-1, required=True)


def _run(name: str, study: Study, options: Options) -> int:
    """Print and draw what the study gives."""
    from fairsum_reproductions.inputs import named_files
    from fairsum_reproductions.running import run_study

    has_files = any(each.kind != "results" for each in study.inputs)
    named = [getattr(options, each.name) for each in study.inputs]
    given = [named_files(name, each) if isinstance(each, list) else each for each in named]
    paths = [path for each in given for path in (each.values() if isinstance(each, dict) else [each])]
    check_outputs(Options(**{**vars(options), "files": paths}), _params(study))
    settings = read_settings(name, study.settings, getattr(options, "set", ()))
    shape = given_settings(options, name, study.shape.values()) | input_settings(options, study.shape)
    found = run_study(
        study,
        given,
        settings,
        columns=_named_columns(name, study, options),
        shape=shape,
        reading=reading(options) if has_files else {},
    )
    read = dict.fromkeys(map(str, paths))
    document = {key: entry for key, entry in found.document().items() if key != "run"}
    write_document(options, document, found._parts(), read=read, settings=found.settings, drawing=found.plot)
    return 0


def _named_columns(module: str, study: Study, options: Options) -> dict[str, str]:
    """Read ``--column COLUMN=NAME`` and the options of single columns."""
    known = [name for name in _columns(study) if name not in WITH_FLAG]
    named = dict(split_item(module, item, "--column") for item in getattr(options, "column", ()))
    for column in named:
        check_choice(module, "the column", column, known)
    flags = {name: getattr(options, f"column_{name}", None) for name in WITH_FLAG}
    return named | {name: given for name, given in flags.items() if given is not None}


@command(*output_options(), name="list")
def _list(options: Options) -> int:
    """Show all studies, paper by paper."""
    from fairsum_reproductions.contract import PAPERS
    from fairsum_utils.reports.tables import Table

    known = {name: find_study(name) for name in studies()}
    tables = [
        Table(
            ["study", "in the paper", "question"],
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
    write_document(options, document, [table for table in tables if table.rows], read={})
    return 0


study = Studies(
    "study",
    {name: find_study(name).help for name in studies()},
    "Run an analysis of a paper on your own data or results, print its table, draw its figure.",
    commands=(_list,),
    examples=_EXAMPLES,
)
