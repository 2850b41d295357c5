"""Outputs of commands: options, early checks, results, pages and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from fairsum_utils._util.terminal import is_quiet
from fairsum_utils.cli.command import Option, Options, in_group
from fairsum_utils.cli.spelling import spelled_reasons
from fairsum_utils.cli.terminal import as_encoded, note, screen_width, show
from fairsum_utils.io.names import PICTURES, list_names
from fairsum_utils.results.record import (
    complete,
    describe_input,
    describe_settings,
    plain,
    record,
    write_record,
)
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.measures import Measure
    from fairsum_utils.reports.tables import Notes, Part
    from fairsum_utils.run.scoring import Scoring
    from fairsum_utils.session import Request

_FORMATS = ("text", "markdown", "latex", "csv", "html", "json")


VERBOSE = Option("--verbose", help="Print all notes, and the signatures of the measures")
PLOT = Option("--plot", metavar="FILE", help="File for a figure (.svg, .png or .pdf)", writes=PICTURES)
TITLE = Option("--title", metavar="TEXT", help="Title of the page (default: what was scored)")
REDACT = Option("--redact", help="Leave texts, ids and folders out of the page")
REPORT = (
    Option(
        "--report",
        metavar="FILE.html",
        help="File for a page with the results and the samples behind them",
        writes=(".html",),
    ),
    TITLE,
    REDACT,
)
ROWS = Option("--rows", metavar="FOLDER", help="Folder that keeps the rows; the same command continues there")


def output_options(*more: Option) -> tuple[Option, ...]:
    """Make the options of format and results file, and a command's own."""
    about = "File for the unrounded results and how they came about"
    formats = f"Standard output as {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}"
    return in_group(
        "output",
        Option("--format", choices=_FORMATS, default="text", metavar="NAME", help=formats),
        Option("--output", metavar="FILE.json", help=about, writes=(".json",)),
        VERBOSE,
        *more,
    )


def write_document(
    options: Options,
    document: dict[str, Any],
    parts: Iterable[Part],
    *,
    read: Mapping[Any, int | None],
    same: Callable[[], bool] = lambda: True,
    settings: Mapping[str, Any] | None = None,
    drawing: Callable[[], Any] | None = None,
    page: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Draw, write and print results, as asked for.

    Args:
        options: options of the command.
        document: results, and what they are of.
        parts: results for people.
        read: files that were read -> their rows.
        same: checks that the files are still those that were read.
        settings: label -> its measure and settings.
        drawing: makes the figure.
        page: writes the page, from the record of the run.
    """
    from fairsum_utils.reports.formats import FORMATS, to_json

    if drawing is not None and getattr(options, "plot", None) is not None:
        from fairsum_utils.reports.figures import save_figure

        save_figure(drawing(), options.plot)
    is_json = options.format == "json"
    has_page = page is not None and options.report is not None
    if options.output is not None or has_page or is_json:
        run = _recorded(options, _inputs(read, same), settings or {})
        if page is not None and has_page:
            page(run)
        document = {**document, "run": run}
    if options.output is not None:
        write_record(options.output, document)
    if is_json:
        show(to_json(complete(document)))
        return
    spelled = spelled_reasons(parts, document, click.get_current_context().command)
    if options.format != "text":
        show(FORMATS[options.format](spelled))
        return
    show_report(spelled, verbose=options.verbose)


def note_workers(options: Options, scoring: Scoring) -> None:
    """Say with ``--verbose`` whether workers were started."""
    if options.verbose and options.workers is not None and options.workers > 1:
        note(
            f"{options.workers} workers scored the samples"
            if scoring.shared
            else f"scored in this process; the work was too short for {options.workers} workers"
        )


MOST_NOTES = 3
"""Most notes below a table; ``--verbose`` prints all."""


def show_report(parts: Iterable[Part], *, verbose: bool = False) -> None:
    """Print a report, without its notes if ``--quiet`` is given."""
    from fairsum_utils.reports.formats import as_text
    from fairsum_utils.reports.tables import Notes

    shown = [part for part in parts if not (is_quiet() and isinstance(part, Notes))]
    if not verbose:
        shown = [_first(part) if isinstance(part, Notes) else part for part in shown]
    show(as_text(shown, screen_width(), signatures=verbose, encode=as_encoded))


def _first(notes: Notes) -> Notes:
    """Return the weightiest notes, and how many there are besides."""
    n_left = len(notes) - MOST_NOTES
    if n_left < 1:
        return notes
    return type(notes)([*notes[:MOST_NOTES], f"({count(n_left, 'more note')}: --verbose)"])


def _inputs(read: Mapping[Any, int | None], same: Callable[[], bool]) -> list[dict[str, Any]]:
    """Describe files; by name alone if they are no longer those that were read."""
    files = []
    for path, n_rows in read.items():
        names = list_names(path)
        files += [(name, n_rows if len(names) == 1 else None) for name in names]
    described = [describe_input(*file, known=same()) for file in files]
    return described if same() else [describe_input(*file, known=False) for file in files]


def _recorded(options: Options, inputs: list[dict[str, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Describe how results came about: the command, its inputs and its settings."""
    apart = ("command", "tables", "clock")
    given = {name: value for name, value in vars(options).items() if name not in apart and value is not None}
    return {
        "command": {"name": options.command, "options": {name: plain(value) for name, value in given.items()}},
        **record(inputs, settings, options.clock.began, options.clock.seconds()),
    }


def described_settings(requests: Iterable[Request], given: Mapping[str, Measure]) -> dict[str, Any]:
    """Describe the given and the effective settings of requests."""
    return {
        each.label: describe_settings(each.measure, given[each.label].given(), each.chosen.given()) for each in requests
    }
