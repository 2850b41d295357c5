"""Share of statements traced to their documents by an entailer, by chunk length."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from fairsum_reproductions.contract import Input
from fairsum_reproductions.coverage._tables import starred
from fairsum_reproductions.layout import by_system, place_of
from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.chunks import check_units, chunks
from fairsum_utils.families.coverage.samples import Sample
from fairsum_utils.families.coverage.scorer import CoverageScorer
from fairsum_utils.measures._coverage import CHUNKS, CoverageMeasure
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.settings import Checked, Threshold, setting
from fairsum_utils.stats.arrays import Integers, exact_mean
from fairsum_utils.validation import check_texts, describe

if TYPE_CHECKING:
    from fairsum_utils.inference.entailers import Entailer

INPUTS = (
    Input(
        "rows",
        "summaries and their documents for each system",
        columns={"prediction": "the summary", "sources": "its documents"},
        optional={"units": "statements of the summary, instead of splitting it"},
        lists=("sources", "units"),
        systems=True,
    ),
)

_SENTENCE = CHUNKS[1]
_SIZE = re.compile(f"{_SENTENCE}|[1-9][0-9]{{0,8}}")


def _check_sizes(module: str, name: str, sizes: object) -> str:
    """Check distinct chunk sizes, separated by commas."""
    parts = sizes.split(",") if isinstance(sizes, str) else sizes
    listed = [str(part).strip().lstrip("0") for part in (parts if isinstance(parts, (list, tuple)) else [parts])]
    if not listed or len(set(listed)) < len(listed) or not all(map(_SIZE.fullmatch, listed)):
        raise InputError(
            f"{module}: {name} must be different whole numbers of at least 1, or {_SENTENCE!r}, found {describe(sizes)}"
        )
    return ",".join(listed)


class ChunkSizeSettings(CoverageMeasure):
    """Lengths of chunks, and the rule for identified documents.

    Example:
        >>> ChunkSizeSettings(sizes=[50, "sentence"], entailer="lexical").sizes
        '50,sentence'
    """

    sizes: Annotated[str | Sequence[int | str], Checked(_check_sizes)] = setting(
        "sentence,50,100,200,400",
        "largest number of words in a chunk, several separated by commas; sentence for single sentences",
        key="sizes",
    )
    identified: Literal["likeliest", "threshold", "one"] = setting(
        "likeliest",
        "a statement's documents are identified where entailment is the likeliest class of the entailer for a chunk of "
        "some document, likeliest; where its probability is above the threshold, threshold; or, one, where it is the "
        "likeliest class for chunks of one document alone",
        key="identified",
    )
    threshold: Threshold = setting(0.5, "threshold of identified=threshold, in (0, 1]", key="threshold")

    # Settings of the measures that a study does not have.
    chunk: Literal["words"] = "words"
    chunk_words: Literal[100] = 100
    protocol: Literal["paper"] = "paper"
    confidence_level: None = None
    n_resamples: Literal[1000] = 1000
    bootstrap: None = None
    seed: Literal[0] = 0
    return_samples: Literal[False] = False
    at_random: Literal[False] = False

    def check_together(self) -> None:
        """Refuse a threshold that decides nothing."""
        super().check_together()
        decides = self.identified == "threshold"
        self.only_with(
            decides, ("threshold",), "identified='threshold'", "leave it out, or choose identified=threshold"
        )

    @property
    def lengths(self) -> dict[str, int | None]:
        """Length names -> most words in a chunk; None for single sentences."""
        return {size: None if size == _SENTENCE else int(size) for size in str(self.sizes).split(",")}


SETTINGS = ChunkSizeSettings


def documents_found(
    entailer: Entailer,
    samples: Sequence[tuple[Sequence[str], Sequence[str]]],
    longest: int | None,
    *,
    threshold: float | None = None,
    language: str = "english",
) -> tuple[Integers, int]:
    """Count the documents that an entailer finds each statement of summaries in.

    A sample is the statements of its summary, and its documents. A document has a statement if one of its chunks
    entails it: with a probability above the threshold or, without one, as the likeliest class. The counts, one for
    each statement of all samples, are -1 for a statement that the entailer can say nothing of. The second number
    counts the pairs that it did not read to their end.

    Source: Li et al. 2025, appendix A.2, which leaves open when a document is identified.

    Example:
        >>> from fairsum_utils.inference.entailers import LexicalEntailer
        >>> sample = (["The soup was hot.", "Parking is free."], ["Hot soup! Cold bread.", "Cold soup. Hot bread."])
        >>> documents_found(LexicalEntailer(), [sample], 100)[0].tolist()
        [2, 0]
        >>> documents_found(LexicalEntailer(), [sample], None, threshold=0.5)[0].tolist()
        [1, 0]
    """
    pairs: list[tuple[str, str]] = []
    owners: list[tuple[int, int]] = []
    n_units = 0
    for units, documents in samples:
        for place, document in enumerate(documents):
            for chunk in chunks(document, longest, language):
                pairs += [(chunk, unit) for unit in units]
                owners += [(n_units + number, place) for number in range(len(units))]
        n_units += len(units)
    found = np.zeros(n_units, dtype=np.int64)
    if not pairs:
        return found, 0
    judgement, places = entailer.judge(pairs), np.array(owners)
    entails = judgement.likeliest if threshold is None else judgement.probability > threshold
    np.add.at(found, np.unique(places[entails], axis=0)[:, 0], 1)
    found[places[np.isnan(judgement.probability), 0]] = -1
    return found, int(np.count_nonzero(judgement.cut))


def compute(rows: Mapping[str, Sequence[Mapping[str, Any]]], *, settings: ChunkSizeSettings) -> dict[str, Any]:
    """Compute the share of traced statements by system, data set and chunk size."""
    with closing(CoverageScorer(("equal_coverage",), settings)) as scorer:
        found = by_system({name: _of_rows(scorer, of_cell, settings) for name, of_cell in rows.items()})
        entailer = scorer.entailer.name
    by_size = {
        system: {size: exact_mean([each["identified"][size] for each in row.values()]) for size in settings.lengths}
        for system, row in found.items()
    }
    mean = {size: exact_mean([row[size] for row in by_size.values()]) for size in settings.lengths}
    return {
        "systems": found,
        "mean_by_system": by_size,
        "mean": mean,
        "best": _best(mean),
        "entailer": entailer,
        "undefined": {
            place_of(system, data_set, "identified"): "no summary has a statement"
            for system, row in found.items()
            for data_set, each in row.items()
            if not each["n_units"]
        },
    }


def _best(shares: Mapping[str, float]) -> list[str]:
    """Return the sizes with the largest share, including ties."""
    most = max(shares.values())
    return [] if math.isnan(most) else [size for size, share in shares.items() if share >= most - TOLERANCE]


def _of_rows(scorer: CoverageScorer, rows: Sequence[Mapping[str, Any]], settings: ChunkSizeSettings) -> dict[str, Any]:
    """Compute a system's shares on a data set, in windows that bound memory."""
    samples = [_sample(settings.module, index, row) for index, row in enumerate(rows)]
    units = scorer.units(samples)
    texts = [(own, sample.sources) for own, sample in zip(units, samples, strict=True)]
    windows = [texts[start : start + scorer.window] for start in range(0, len(texts), scorer.window)]
    threshold = settings.threshold if settings.identified == "threshold" else None
    n_samples = sum(map(bool, units))
    counts = {"n_samples": n_samples, "n_skipped": len(units) - n_samples}
    result: dict[str, Any] = {"identified": {}, "n_units": 0, "n_truncated": {}, **counts}
    for size, longest in settings.lengths.items():
        judged = [
            documents_found(scorer.entailer, window, longest, threshold=threshold, language=settings.language)
            for window in windows
        ]
        documents = np.concatenate([found for found, _ in judged])
        documents = documents[documents >= 0]
        identified = documents == 1 if settings.identified == "one" else documents > 0
        result["identified"][size] = float(identified.mean()) if len(documents) else math.nan
        result["n_units"] = len(documents)
        result["n_truncated"][size] = sum(cut for _, cut in judged)
    return result


def _sample(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check a sample; documents need no values here."""
    prediction, sources, units = row["prediction"], row["sources"], row.get("units")
    check_texts(module, index, prediction, sources)
    return Sample(index, prediction, sources, [], units=None if units is None else check_units(module, index, units))


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 7, a row per system, then the shares by data set."""

    def shown(shares: Mapping[str, float]) -> list[Marked]:
        return [starred(share, size in _best(shares)) for size, share in shares.items()]

    header = ["Sent." if size == _SENTENCE else size for size in result["mean"]]
    rows = [[system or "all", *shown(shares)] for system, shares in result["mean_by_system"].items()]
    if len(rows) > 1:
        rows.append(["mean", *shown(result["mean"])])
    details: list[list[Any]] = []
    truncated = []
    for system, row in result["systems"].items():
        for data_set, each in row.items():
            name = place_of(system, data_set, "all")
            details.append([name, *shown(each["identified"]), each["n_units"], each["n_skipped"]])
            truncated += [
                f"{name}: {n} pairs with chunks of {title.lower()} exceed the entailer's input length"
                for title, n in zip(header, each["n_truncated"].values(), strict=True)
                if n
            ]
    title = "Statements traced to their documents, by words in a chunk (* most)"
    return [
        [f"entailer: {result['entailer']}"],
        Table(["system", *header], rows, title=title),
        Table(["", *header, "statements", "no statement"], details, title="By data set"),
        truncated,
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw a panel for each system with a bar for each chunk size."""
    axis = f"Share of statements traced to their documents by {result['entailer']}."
    labels = ["each sentence" if size == _SENTENCE else f"at most {size} words" for size in result["mean"]]
    panels = []
    for system, shares in result["mean_by_system"].items():
        best = _best(shares)
        rows = [
            Row(label, [Mark(share, shape="bar")], "most" if size in best else "")
            for label, (size, share) in zip(labels, shares.items(), strict=True)
        ]
        panels.append(Points(system, rows, axis))
    return Drawing("Which chunk length traces statements best?", panels)
