"""`fairsum report`: saved results, and the samples behind them, as one page."""

from __future__ import annotations

from collections.abc import Sequence

from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.outputs import REDACT, TITLE
from fairsum_utils.errors import InputError
from fairsum_utils.io.names import format_of, list_names, packing_of
from fairsum_utils.io.objects import parse_json
from fairsum_utils.io.opening import Place, open_packed
from fairsum_utils.reports.wording import listed

# Formats that no results are in.
_COLUMNAR = (".parquet", ".arrow", ".feather")


@command(
    Argument(
        "files",
        "FILE...",
        "Saved results (.json), and files of samples (.parquet or .jsonl)",
        nargs=-1,
        required=True,
    ),
    Option("-o", "--output", required=True, metavar="FILE.html", help="Page to write", writes=(".html",)),
    *in_group("page", TITLE, REDACT),
)
def report(options: Options) -> int:
    """Make a page of saved results and their samples, without scoring again.
    The page is one HTML file that opens in any browser and loads nothing from the network.

    Results come from --output or --format json of fairsum score or fairsum compare. Samples come from --samples of
    fairsum score, with --with-texts to show their words. Files are recognized by their contents. For a comparison,
    give the samples of each system, in files with the names of the systems. If there are more than 500 samples, the
    page shows the worst of each measure and 100 others.

    examples:
      fairsum report results.json -o report.html
      fairsum report results.json samples.parquet -o report.html
      fairsum report comparison.json gpt4.jsonl lead.jsonl -o report.html
      fairsum report results.json samples.parquet -o report.html --redact --title "Reviews, May"
    """
    from fairsum_utils.cli.terminal import note
    from fairsum_utils.reports.page.document import write_page
    from fairsum_utils.results import read_results
    from fairsum_utils.results.pages import contents_of, of_files
    from fairsum_utils.results.record import whole_record

    results, samples = _split_files(list_names(options.files))
    with whole_record(f"report: {listed([results, *samples])}"):
        read = read_results(results).whole()
        contents = contents_of(read, of_files(read, samples), title=options.title, redact=options.redact)
        write_page(options.output, contents)
    note(f"wrote {options.output}")
    return 0


def _split_files(paths: Sequence[str]) -> tuple[str, list[str]]:
    """Return the file of results and the files of samples.

    Raises:
        InputError: there is no file of results, or more than one; or a file is not there.
    """
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"report: {path} is given twice; name every file once")
    found = [path for path in paths if _are_results(path)]
    if len(found) != 1:
        reason = f"found {', '.join(found)}; make a page of each" if found else f"found none in {', '.join(paths)}"
        raise InputError(f"report: needs one file of results, as --output of fairsum score writes it; {reason}")
    return found[0], [path for path in paths if path not in found]


def _are_results(name: str) -> bool:
    """Return whether a file has results rather than sample rows."""
    if packing_of(name) or format_of(name) in _COLUMNAR:
        return False
    with open_packed(Place(name)) as file:
        first = file.readline()
    try:
        document = parse_json(first.decode())
    except ValueError:  # a line of a document over several lines
        return first.lstrip().startswith(b"{")
    return isinstance(document, dict) and "metrics" in document
