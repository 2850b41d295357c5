"""Which length of chunks lets an entailer identify the documents that most statements of summaries come from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.coverage._tables import place_of
from fairsum_reproductions.naming import grid_of
from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.settings import CHUNKS, CoverageSettings
from fairsum_utils.families.settings import check_threshold, setting
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import Integers, exact_mean
from fairsum_utils.validation import check_sample, describe

if TYPE_CHECKING:
    from fairsum_utils.families.coverage.scorer import CoverageScorer, Sample
    from fairsum_utils.inference.entailers import Entailer
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

_SENTENCE = CHUNKS[1]
_NUMBER = re.compile("[0-9]{1,9}")
_IDENTIFIED = ("likeliest", "threshold", "one")


def _check_sizes(module: str, name: str, sizes: object) -> str:
    """Sizes, each once, as the command line takes them."""
    parts = sizes.split(",") if isinstance(sizes, str) else sizes
    told = [_size(part) for part in (parts if isinstance(parts, (list, tuple)) else [parts])]
    if not told or None in told or len(set(told)) < len(told):
        raise InputError(
            f"{module}: {name} must be different whole numbers of at least 1, or {_SENTENCE!r}, found {describe(sizes)}"
        )
    return ",".join(map(str, told))


def _size(part: object) -> str | None:
    """A size as a text; None for what is none."""
    text = part.strip() if isinstance(part, str) else str(part) if type(part) is int else ""
    if text == _SENTENCE:
        return text
    return str(int(text)) if _NUMBER.fullmatch(text) and int(text) else None


class ChunkSizeSettings(CoverageSettings):
    """Which chunks are compared, and when a document is identified.

    Example:
        >>> ChunkSizeSettings(sizes=[50, "sentence"], entailer="lexical").sizes
        '50,sentence'
    """

    chunk = "words"
    chunk_words = 100
    protocol = "paper"
    significance, alpha, max_exact, n_permutations = "permutation", 0.05, 20_000, 5_000
    confidence_level, n_resamples, bootstrap, seed = None, 1000, None, 0
    return_samples = False
    at_random = False

    sizes: str | Sequence[int | str] = setting(
        "sentence,50,100,200,400",
        "most words in a chunk, several with commas between; sentence for each sentence by itself",
        check=_check_sizes,
        key="sizes",
        metavar="SIZES",
    )
    identified: str = setting(
        "likeliest",
        "a statement's documents are identified where entailment is the likeliest class of the entailer for a chunk of "
        "some document, likeliest; where its probability is above the threshold, threshold; or, one, where it is the "
        "likeliest class for chunks of one document alone",
        choices=_IDENTIFIED,
        key="identified",
    )
    threshold: float = setting(0.5, "of identified=threshold, in (0, 1]", check=check_threshold, key="threshold")

    def check_together(self) -> None:
        """Refuse a threshold that decides nothing."""
        super().check_together()
        decides = self.identified == "threshold"
        self.only_with(decides, ("threshold",), "identified='threshold'", "leave it out, or choose that")

    @property
    def lengths(self) -> dict[str, int | None]:
        """What chunks are called -> most words in one; None where each sentence is one."""
        return {size: None if size == _SENTENCE else int(size) for size in str(self.sizes).split(",")}


def documents_found(
    entailer: Entailer,
    samples: Sequence[tuple[Sequence[str], Sequence[str]]],
    longest: int | None,
    *,
    threshold: float | None = None,
    language: str = "english",
) -> tuple[Integers, int]:
    """How many documents an entailer finds each statement of summaries in.

    Args:
        entailer: that judges chunks of documents with statements.
        samples: of each sample the statements of its summary, and its documents.
        longest: most words in a chunk of a document; None for each sentence by itself.
        threshold: a chunk entails a statement with a probability above it; None: where entailment is the likeliest
            class of the entailer.
        language: of the documents.

    Returns:
        Shape (statements of all samples,): documents with a chunk that entails it; -1 for a statement that the entailer
        can say nothing of. And how many pairs it did not read to their end.

    Source: papers/coverage-fairness, appendix A.2, which leaves open when a document is identified.

    Example:
        >>> from fairsum_utils.inference.entailers import LexicalEntailer
        >>> sample = (["The soup was hot.", "Parking is free."], ["Hot soup! Cold bread.", "Cold soup. Hot bread."])
        >>> documents_found(LexicalEntailer(), [sample], 100)[0].tolist()
        [2, 0]
        >>> documents_found(LexicalEntailer(), [sample], None, threshold=0.5)[0].tolist()
        [1, 0]
    """
    from fairsum_utils.families.coverage.chunks import chunks

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
    judgement = entailer.judge(pairs)
    entails = judgement.likeliest if threshold is None else judgement.probability > threshold
    places = np.array(owners)
    np.add.at(found, np.unique(places[entails], axis=0)[:, 0], 1)
    found[places[np.isnan(judgement.probability), 0]] = -1
    return found, int(np.count_nonzero(judgement.cut))


def compute(rows: Mapping[str, Sequence[Mapping[str, Any]]], *, settings: ChunkSizeSettings) -> dict[str, Any]:
    """System -> data set -> the share of statements whose documents are identified, by size of chunks."""
    from fairsum_utils.families.coverage.scorer import CoverageScorer

    scorer = CoverageScorer(("equal_coverage",), settings)
    found: dict[str, dict[str, Any]] = {}
    undefined: dict[str, str] = {}
    try:
        for (system, data_set), of_cell in grid_of(rows).cells.items():
            result = _of_rows(scorer, of_cell, settings)
            if not result["n_units"]:
                undefined[place_of(system, data_set, "identified")] = "no summary with a statement to judge"
            found.setdefault(system, {})[data_set] = result
        entailer = scorer.entailer.name
    finally:
        scorer.close()
    by_system = {
        system: {size: exact_mean([each["identified"][size] for each in row.values()]) for size in settings.lengths}
        for system, row in found.items()
    }
    mean = {size: exact_mean([row[size] for row in by_system.values()]) for size in settings.lengths}
    return {
        "systems": found,
        "mean_by_system": by_system,
        "mean": mean,
        "best": _best(mean),
        "entailer": entailer,
        "undefined": undefined,
    }


def _best(shares: Mapping[str, float]) -> list[str]:
    """The sizes with the largest share; all that are equal."""
    most = max(shares.values())
    return [] if math.isnan(most) else [size for size, share in shares.items() if share >= most - TOLERANCE]


def _of_rows(scorer: CoverageScorer, rows: Sequence[Mapping[str, Any]], settings: ChunkSizeSettings) -> dict[str, Any]:
    """The shares of one system on one data set."""
    samples = [_sample(settings.module, index, row) for index, row in enumerate(rows)]
    units = scorer.units(samples)
    texts = [(own, sample.sources) for own, sample in zip(units, samples, strict=True)]
    shares: dict[str, float] = {}
    n_truncated: dict[str, int] = {}
    n_units = 0
    for size, longest in settings.lengths.items():
        windows = list(_windows(scorer, texts, longest, settings))
        documents = np.concatenate([found for found, _ in windows])
        judged = documents[documents >= 0]
        n_units = len(judged)
        identified = judged == 1 if settings.identified == "one" else judged > 0
        shares[size] = float(identified.mean()) if n_units else math.nan
        n_truncated[size] = sum(cut for _, cut in windows)
    return {
        "identified": shares,
        "n_units": n_units,
        "n_truncated": n_truncated,
        "n_samples": sum(map(bool, units)),
        "n_skipped": len(units) - sum(map(bool, units)),
    }


def _windows(
    scorer: CoverageScorer,
    texts: Sequence[tuple[Sequence[str], Sequence[str]]],
    longest: int | None,
    settings: ChunkSizeSettings,
) -> Iterator[tuple[Integers, int]]:
    """What is found, some samples at a time, so that memory does not grow with the data."""
    threshold = settings.threshold if settings.identified == "threshold" else None
    for start in range(0, len(texts), scorer.window):
        some = texts[start : start + scorer.window]
        yield documents_found(scorer.entailer, some, longest, threshold=threshold, language=settings.language)


def _sample(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """A checked sample; documents need no values here."""
    from fairsum_utils.families.coverage.chunks import check_units
    from fairsum_utils.families.coverage.scorer import Sample

    prediction, sources, units = row["prediction"], row["sources"], row.get("units")
    check_sample(module, index, prediction, sources, [""] * (len(sources) if isinstance(sources, Sized) else 0))
    return Sample(index, prediction, sources, [], units=None if units is None else check_units(module, index, units))


def parts(result: dict[str, Any]) -> list[Part]:
    """The paper's table 7, a row a system; of several data sets also their own shares."""
    from fairsum_utils.reports.tables import Marked, Table

    sizes = list(result["mean"])
    header = [_title(size) for size in sizes]

    def shown(shares: Mapping[str, float]) -> list[Any]:
        best = _best(shares)
        return [Marked(shares[size], "*" if size in best else "", 3) for size in sizes]

    by_system = result["mean_by_system"]
    rows = [[system or "all", *shown(shares)] for system, shares in by_system.items()]
    if len(rows) > 1:
        rows.append(["mean", *shown(result["mean"])])
    told = [(place_of(*key, "all"), each) for key, each in _cells(result)]
    details = [[name, *shown(each["identified"]), each["n_units"], each["n_skipped"]] for name, each in told]
    truncated = [
        f"{name}: {n} pairs with chunks of {_title(size).lower()} are longer than the entailer reads"
        for name, each in told
        for size, n in each["n_truncated"].items()
        if n
    ]
    return [
        [f"entailer: {result['entailer']}"],
        Table(
            ["system", *header], rows, title="Statements whose documents are identified, by words in a chunk (* most)"
        ),
        Table(["", *header, "statements", "no statement"], details, title="By data set"),
        truncated,
    ]


def _cells(result: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for system, row in result["systems"].items():
        for data_set, each in row.items():
            yield (system, data_set), each


def _title(size: str) -> str:
    return "Sent." if size == _SENTENCE else size


def drawing(result: dict[str, Any]) -> Drawing:
    """A panel a system: a bar for each size of chunks."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row

    def label(size: str) -> str:
        return "each sentence" if size == _SENTENCE else f"at most {size} words"

    panels = [
        Panel(
            system,
            [
                Row(label(size), [Mark(share, shape="bar")], "most" if size in _best(shares) else "")
                for size, share in shares.items()
            ],
            f"Share of statements whose documents are identified by {result['entailer']}.",
        )
        for system, shares in result["mean_by_system"].items()
    ]
    return Drawing("Which chunks identify the documents?", panels)


STUDY = Study(
    paper="coverage",
    source="appendix A.2, table 7",
    help="which length of chunks identifies the documents that most statements of summaries come from?",
    inputs=(
        Input(
            "rows",
            "summaries and their documents, of each system",
            columns={"prediction": "the summary", "sources": "its documents"},
            optional={"units": "the statements of the summary, instead of splitting it"},
            lists=("sources", "units"),
            systems=True,
        ),
    ),
    settings=ChunkSizeSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "the documents of a statement are identified where entailment is the likeliest class for a chunk of at least "
        "one of them, unless identified says else: the paper does not say when they are",
        "a row is the mean over the data sets of a system, the last one over systems",
        "the lexical entailer finds more words in a longer chunk, so that its share mostly grows with the size; only a "
        "model can tell which size is best",
    ),
    examples=(
        "fairsum study chunk_size gpt4.jsonl llama=runs/llama.jsonl --entailer lexical",
        "fairsum study chunk_size gpt4/amazon=a.jsonl gpt4/semeval=b.jsonl --sizes sentence,100 --identified one",
    ),
)
