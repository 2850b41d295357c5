"""`fairsum demo`: score and compare two small systems from the package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import printable
from fairsum_utils.cli.command import Option, Options, command
from fairsum_utils.cli.outputs import REPORT, VERBOSE, show_report
from fairsum_utils.cli.terminal import show
from fairsum_utils.families.asked import USUAL
from fairsum_utils.measures import DEFAULT_METRICS, get_measure

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part
    from fairsum_utils.results import Comparison, ScoreResults


_OMISSION = "demo_omission.jsonl.gz"
_SYSTEMS = {"System A": "system_a", "System B": "system_b"}


def load_demo(file: str = "demo.jsonl.gz") -> dict[str, Any]:
    """Return the demo's samples in columns.

    Example:
        >>> len(load_demo()["sources"])
        8
    """
    from fairsum_utils._util.resources import read_lines

    samples = [json.loads(line) for line in read_lines(file)]
    return {name: [sample[name] for sample in samples] for name in samples[0]}


@command(
    Option("--save", metavar="DIR", help="Folder for the input files, to try the commands on"),
    VERBOSE,
    *REPORT,
)
def demo(options: Options) -> int:
    """Score and compare two made-up summarizers on eight small review sets.
    Then show what one of them hides: a food poisoning in a ninth set.

    examples:
      fairsum demo
      fairsum demo --report report.html
      fairsum demo --save demo/ && fairsum score demo/system_a.jsonl
    """
    from fairsum_utils.reports.report import parts_of
    from fairsum_utils.reports.tables import notes_last
    from fairsum_utils.session import Request, Session
    from fairsum_utils.session.systems import compare

    samples = load_demo()
    systems = _columns(samples)
    measures = [get_measure(name)(return_samples=options.report is not None) for name in DEFAULT_METRICS]
    with Session([Request(each.completed(**USUAL)) for each in measures], module="demo") as session:
        scored = {system: session.score(columns) for system, columns in systems.items()}
        compared = compare(session, systems)
    parts = [part for system, results in scored.items() for part in parts_of(system, results)]
    written = []
    if options.report is not None:
        written.append(_write_page(options, compared, samples, scored))
    if options.save is not None:
        written += _save(samples, options.save)
    show_report(notes_last([*parts, *compared._parts(), *_omitted()]), verbose=options.verbose)
    if written:
        show("\n".join(written))
    return 0


def _columns(samples: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the columns to score of each system."""
    inputs = {"sources": samples["sources"], "values": samples["values"]}
    return {system: {"predictions": samples[name], **inputs} for system, name in _SYSTEMS.items()}


def _omitted() -> list[Part]:
    """Show the serious matters of one more set, and which system leaves them out."""
    from fairsum_utils.reports.tables import Table
    from fairsum_utils.session import Request, Session

    rows = []
    with Session([Request(get_measure("omission")(return_samples=True))], module="demo") as session:
        for system, columns in _columns(load_demo(_OMISSION)).items():
            for matter in session.score(columns)["omission"]["samples"][0]["matters"]:
                state = "in the summary" if matter["is_omitted"] is False else "not found: read the summary"
                rows.append([system, matter["entry"], state, matter["n_texts"]])
    title = "Serious matters in the reviews of a ninth set, a seaside hotel"
    below = ["Losing two of many reviews hardly changes BUR or UER. `fairsum score --metrics omission` finds them."]
    return [Table(["system", "matter", "", "reviews"], rows, title, n_texts=3, below=below)]


def _write_page(
    options: Options, compared: Comparison, samples: Mapping[str, Any], scored: Mapping[str, ScoreResults]
) -> str:
    """Write the page of the comparison; return a line about it."""
    from fairsum_utils.reports.page.document import write_page
    from fairsum_utils.results.pages import contents_of
    from fairsum_utils.results.samples import from_memory

    parts = [
        part
        for system, results in scored.items()
        for part in from_memory(results, results.run.data, system=system, ids=samples["id"])
    ]
    write_page(options.report, contents_of(compared, parts, scores=scored, title=options.title, redact=options.redact))
    return f"\nwrote {printable(str(options.report))}"


def _save(samples: Mapping[str, Any], name: str) -> Iterator[str]:
    """Write the input files; yield lines about them."""
    from fairsum_utils.io.folders import Folder
    from fairsum_utils.io.writing import write_rows

    folder = Folder(name).made()
    yield ""
    names = ("id", "sources", "values", "prediction")
    for system in _SYSTEMS.values():
        for data, ending in ((samples, ""), (load_demo(_OMISSION), "_omission")):
            path = folder.address(f"{system}{ending}.jsonl")
            columns = (data["id"], data["sources"], data["values"], data[system])
            write_rows((dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)), path)
            yield f"wrote {printable(path)}"
