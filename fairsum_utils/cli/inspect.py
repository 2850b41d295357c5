"""`fairsum inspect`: the samples behind a number, the worst first."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, command, in_group
from fairsum_utils.cli.options import (
    COMMON_OPTIONS,
    PREDICTIONS,
    file_argument,
    input_options,
    layout_of,
    read_file,
    reading,
)
from fairsum_utils.cli.outputs import note_workers, output_options, write_document
from fairsum_utils.cli.settings import chosen_settings, set_option
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.run.launch import is_main_process
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.validation import check_count, count

if TYPE_CHECKING:
    from fairsum_utils.io.layout import Layout


_SHOWN = "samples"


@command(
    file_argument("; or a file of samples with their texts"),
    *in_group(
        _SHOWN,
        Option(
            "--metrics",
            "metric",
            default="bur",
            metavar="NAME",
            choices=all_measures(),
            help="Measure that ranks the samples",
        ),
        Option("--worst", type=int, default=10, metavar="N", help="Number of samples"),
        Option("--id", multiple=True, metavar="ID", help="Id of a sample to show instead; may be repeated"),
        Option("--full", help="Show long texts in full"),
    ),
    *in_group(_SHOWN, set_option(), *COMMON_OPTIONS),
    *input_options(PREDICTIONS),
    *output_options(),
)
def inspect(options: Options) -> int:
    """Show the worst samples for a measure, with the words that counted.
    The file is scored as by fairsum score, unless it comes from fairsum score --samples --with-texts.
    Such a file has its own settings.

    Samples are ranked by their score. Ties, and samples without a score, are ranked by the shortfall of their groups,
    by the difference between groups, or by toxicity or negativity of the text, as the line above each sample shows.

    examples:
      fairsum inspect summaries.jsonl
      fairsum inspect summaries.jsonl --metrics uer --worst 3 --full
      fairsum inspect summaries.jsonl --id yelp-0042 --id yelp-0043
      fairsum inspect summaries.jsonl --metrics equal_coverage --set entailer=lexical --format html > worst.html
      fairsum inspect samples.parquet --metrics uer
    """
    from fairsum_utils.reports.worst import parts_of
    from fairsum_utils.results.columns import MARK

    check_count("inspect", "worst", options.worst)
    document = _of_samples_file(options) if MARK in next(read_file(options, {})) else _scored(options)
    if is_main_process():
        shown = {key: entry for key, entry in document.items() if key not in ("lines", "result", "settings")}
        write_document(options, shown, parts_of(document, full=options.full), read={options.file: None})
    return 0


class _Chosen:
    """Selection of samples to show: the worst, or those with given ids.

    Args:
        measure: measure that ranks the samples.
        n: number of the worst samples.
        ids: ids to show; none for the worst samples.
    """

    def __init__(self, measure: str, n: int, ids: Collection[str]) -> None:
        self.measure, self.n, self.ids = measure, n, ids
        self.heap: list[Any] = []
        self.n_samples = self.n_scored = 0

    def add(self, name: str, record: Mapping[str, Any], **others: Any) -> None:
        """Take a sample in."""
        from fairsum_utils.reports.worst import severity

        self.n_samples += 1
        found, index = severity(self.measure, record), record["index"]
        self.n_scored += bool(found)
        sample = {"id": name, "index": index, "severity": found, "record": record, **others}
        if self.ids:
            if name in self.ids:
                self.heap.append(((), -index, sample))
        elif found:
            # The first of equally bad samples stay.
            push = heapq.heappush if len(self.heap) < self.n else heapq.heappushpop
            push(self.heap, (tuple(found.values()), -index, sample))

    def samples(self, file: object) -> list[dict[str, Any]]:
        """Return the samples, the worst first.

        Raises:
            InputError: an id that no sample has.
        """
        known = {sample["id"] for *_, sample in self.heap}
        for name in self.ids:
            if name not in known:
                raise InputError(f"inspect: no sample of {file} has the id {name!r}")
        return [sample for *_, sample in sorted(self.heap, key=lambda entry: entry[:2], reverse=True)]

    def described(self) -> str:
        """Describe the selection in a line."""
        shown = len(self.heap)
        if self.ids:
            return f"{shown} of {count(self.n_samples, 'sample')}, as named"
        return f"the {shown} worst of {count(self.n_scored, 'sample')} that can be ranked"


def _scored(options: Options) -> dict[str, Any]:
    """Score the file, keeping only the samples to show in memory."""
    from fairsum_utils.reports.tables import interval, number
    from fairsum_utils.reports.wording import short_name
    from fairsum_utils.run.job import Job
    from fairsum_utils.run.scoring import Scoring
    from fairsum_utils.session import Request

    name = options.metric
    chosen_measure = chosen_settings(options, "inspect", (name,))[name]
    requests = (Request(chosen_measure.completed(confidence_level=USUAL_LEVEL)),)
    layout = layout_of(options, "inspect", (name,), options.predictions)
    job = Job(options.file, layout, reading(options), requests, "inspect", evidence=True)
    chosen = _Chosen(name, options.worst, options.id)
    with job.session() as session:
        scoring = Scoring(job, session, workers=options.workers)
        [each] = session.passes
        scored = (part.systems[0] for part in scoring.parts())
        whole = each.settings.needs_all_rows
        for chunks in [list(scored)] if whole else ([chunk] for chunk in scored):
            ids = (sample for chunk in chunks for sample in chunk.ids)
            rows = [row for chunk in chunks for row in chunk.rows[0]]
            for sample, record in zip(ids, each.family.records(rows, (name,), each.calls[0][0]), strict=True):
                chosen.add(sample, record)
        note_workers(options, scoring)
        result = scoring.results()[name]
    samples = chosen.samples(options.file)
    _add_texts(options, layout, samples)
    ends = result.get(f"{name}_ci", (math.nan,))
    score = f"{short_name(name)} {number(result[name])}{'' if math.isnan(ends[0]) else f' {interval(ends)}'}"
    counts = f"{count(result['n_samples'], 'sample')} scored, {result['n_skipped']} skipped"
    return {
        "file": masked(options.file),
        "metric": name,
        "score": result[name],
        "signature": result["signature"],
        "samples": samples,
        "result": result,
        "settings": each.calls[0][0],
        "lines": [f"{masked(options.file)}: {score}; {counts}", f"Shown: {chosen.described()}"],
    }


def _add_texts(options: Options, layout: Layout, samples: list[dict[str, Any]]) -> None:
    """Read the file again for the texts of these samples alone."""
    from fairsum_utils.cli.samples import sample_texts

    wanted = {sample["index"]: sample for sample in samples}
    for index, texts in enumerate(sample_texts(options.file, layout, **reading(options))):
        if index in wanted:
            wanted[index]["sample"] = texts


def _of_samples_file(options: Options) -> dict[str, Any]:
    """Read samples from a file with records and texts."""
    from fairsum_utils.reports.wording import short_name
    from fairsum_utils.results.samples import from_file

    name, samples = options.metric, from_file(options.file, **reading(options))
    if given := chosen_settings(options, "inspect", (name,))[name].given():
        raise InputError(f"inspect: the samples of {options.file} are scored already; leave out {', '.join(given)}")
    if name not in samples.labels:
        scored = ", ".join(samples.labels)
        raise InputError(f"{options.file}: these samples were scored for {scored}, not for {name}; use --metrics")
    if not samples.has_texts:
        raise InputError(f"{options.file}: these samples have no texts; write them with --with-texts")
    assert samples.columns is not None
    settings = samples.columns.settings[name]
    chosen = _Chosen(name, options.worst, options.id)
    for entry in samples.read((name,), texts=True):
        chosen.add(entry.id, entry.records[name], sample=entry.sample)
    return {
        "file": masked(options.file),
        "metric": name,
        "samples": chosen.samples(options.file),
        "result": {"settings": dict(settings or ())},
        "settings": settings,
        "lines": [
            f"{masked(options.file)}: {short_name(name)}, {count(chosen.n_samples, 'sample')}",
            f"Shown: {chosen.described()}",
        ],
    }
