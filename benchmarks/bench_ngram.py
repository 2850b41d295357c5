"""Speed and memory of n-gram matching, against the published procedure.

    python benchmarks/bench_ngram.py --data FILE.jsonl.gz --wordnet DIR --nltk-data DIR [--output results.json]

The baseline does what Zhang et al. 2024, section 3.2 and the released code describe, with NLTK 3.8.1: every token is
looked up in a list of stop words, tagged, lemmatized and stemmed as it comes, and matches are counted by searching
lists. Its tagger stays loaded, while `nltk.pos_tag` of that version reads it from disk at every call.

Cold is the library's first pass in the process, with nothing loaded or cached; warm is a pass in which every word has
been seen before. What a long run gives lies between the two: see the streams.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import cycle, islice, tee
from pathlib import Path
from typing import Any

import numpy as np
from harness import ROOT, Row, apart, finish, make_parser, peak_megabytes, read_rows, timed

from fairsum_utils.families import Results
from fairsum_utils.families.representation import FAMILY
from fairsum_utils.families.representation.rows import DistributionTable
from fairsum_utils.measures import DEFAULT_METRICS, get_measure
from fairsum_utils.measures._agreed import agreed
from fairsum_utils.text.fairsumm import FairsummNormalizer

TAGGER, STOP_WORDS = "averaged_perceptron_tagger.zip", "stopwords.zip"
METRICS = DEFAULT_METRICS
SETTINGS = {drawn: agreed([get_measure(name)(at_random=drawn) for name in METRICS]) for drawn in (False, True)}
COLUMNS = ("prediction", "sources", "values")


def joined_texts(row: Row) -> dict[str, str]:
    """Join the texts of each value."""
    texts: dict[str, list[str]] = {value: [] for value in sorted(set(row["values"]))}
    for text, value in zip(row["sources"], row["values"], strict=True):
        texts[value].append(text)
    return {value: " || ".join(of_value) for value, of_value in texts.items()}


# The baseline


def find_file(folder: Path | None, name: str) -> Path:
    """Find an NLTK data file, in its folder or NLTK's downloads."""
    if folder is not None:
        for place in (folder, folder / "taggers", folder / "corpora"):
            if (place / name).is_file():
                return place / name
    raise SystemExit(f"{name} not found in {folder}: name the folder of NLTK's data by --nltk-data")


def load_pipeline(nltk_data: Path | None, wordnet: Path) -> Any:
    """NLTK's own classes, from local files."""
    tagger, stop_words = find_file(nltk_data, TAGGER), find_file(nltk_data, STOP_WORDS)
    if not (wordnet / "index.noun").is_file():
        raise SystemExit(f"no WordNet 3.0 files in {wordnet}; name their folder by --wordnet")
    sys.path.insert(0, str(ROOT / "tools"))
    from _nltk_pipeline import Pipeline

    return Pipeline(tagger, wordnet, stop_words)


def baseline_row(pipeline: Any, row: Row) -> tuple[dict[str, float], dict[str, float], dict[str, list[str]]]:
    """Compute a sample's distributions as described, and the tokens of every text."""
    tokens = {value: pipeline.tokens(text) for value, text in joined_texts(row).items()}
    total = sum(len(own) for own in tokens.values())
    p_x = {value: len(own) / total for value, own in tokens.items()}
    summary = pipeline.tokens(row["prediction"])
    counts = dict.fromkeys(tokens, 0)
    for token in summary:
        for value, own in tokens.items():
            if own.count(token) > 0:
                counts[value] += 1
    matched = sum(counts.values())
    p_y = {value: count / matched if matched else 1 / len(counts) for value, count in counts.items()}
    return p_x, p_y, {**tokens, "": summary}


def compare_speed(rows: list[Row], pipeline: Any) -> dict[str, Any]:
    """Time both on the same rows and one core, the library first and cold."""

    cold, table = timed(lambda: score(rows))
    warm = min(timed(lambda: score(rows))[0] for _ in range(3))
    baseline, theirs = timed(lambda: [baseline_row(pipeline, row) for row in rows])
    normalizer = FairsummNormalizer()
    n_tokens = differing = 0
    for row, (_, _, tokens) in zip(rows, theirs, strict=True):
        for value, text in {**joined_texts(row), "": row["prediction"]}.items():
            n_tokens += len(tokens[value])
            differing += normalizer.tokens(text) != tokens[value]
    same = not differing
    for part in table.parts():
        for sample, *ours in zip(part.samples.tolist(), part.p_x, part.p_y, strict=True):
            for shares, other in zip(ours, theirs[sample], strict=False):
                same = same and np.allclose(shares, [*other.values()], rtol=0, atol=1e-12)
    seconds = {"baseline": baseline, "library_cold": cold, "library_warm": warm}
    return {
        "samples": len(rows),
        "tokens_compared": n_tokens,
        "texts_with_other_tokens": differing,
        "identical": bool(same),
        **{f"{name}_per_second": len(rows) / taken for name, taken in seconds.items()},
        "ratio_cold": baseline / cold,
        "ratio_warm": baseline / warm,
        **{f"{name}_ms": 1000 * taken / len(rows) for name, taken in seconds.items()},
    }


# The library


def score(rows: Iterable[Row], *, at_random: bool = False) -> DistributionTable:
    """Score rows as a stream into a table."""
    scorer = FAMILY.scorer(METRICS, SETTINGS[at_random])
    columns = dict(zip(("predictions", "sources", "values"), map(column, tee(rows, 3), COLUMNS), strict=True))
    return DistributionTable(scorer.rows(scorer.read(columns)))


def results_of(table: DistributionTable, *, at_random: bool = False) -> Results:
    """Compute the measures of a table."""
    settings = SETTINGS[at_random]
    scorer = FAMILY.scorer(METRICS, settings)
    return FAMILY.results(FAMILY.sums(table, METRICS, settings, scorer), METRICS, settings, scorer, COLUMNS)


# Streams


def stream(rows: Iterable[Row], n: int) -> Iterator[Row]:
    """Yield n rows, repeating the given rows."""
    return islice(cycle(rows), n)


def column(rows: Iterable[Row], key: str) -> Iterator[Any]:
    """Yield one field of every row."""
    return (row[key] for row in rows)


def run_stream(path: Path, n: int, at_random: bool) -> dict[str, Any]:
    """Score n generated rows in this process, and return its peak memory."""
    rows = read_rows(path)
    before = peak_megabytes()
    scoring, table = timed(lambda: score(stream(rows, n), at_random=at_random))
    aggregating, results = timed(lambda: results_of(table, at_random=at_random))
    return {
        "rows": n,
        "seconds": scoring + aggregating,
        "aggregate_seconds": aggregating,
        "per_second": n / (scoring + aggregating),
        "peak_mb": peak_megabytes(),
        "peak_before_mb": before,
        "scores": {name: results[name][name] for name in METRICS},
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help=".jsonl.gz with sources, values and prediction a row")
    parser.add_argument("--nltk-data", type=Path, default=os.environ.get("NLTK_DATA"), help="default: NLTK_DATA")
    parser.add_argument("--wordnet", type=Path, default=os.environ.get("FAIRSUM_WORDNET", "/usr/share/wordnet"))
    parser.add_argument("--samples", type=int, default=200, help="rows for the baseline; 0 leaves it out")
    parser.add_argument("--streams", type=int, nargs="*", default=[1_500, 15_000, 150_000], help="rows to stream")
    parser.add_argument("--at-random", action="store_true", help="draw chance levels in the streams")
    chosen = parser.parse_args(arguments)
    report: dict[str, Any] = {"data": chosen.data.name} | ({"at_random": True} if chosen.at_random else {})
    rows = read_rows(chosen.data)
    if chosen.samples:
        pipeline = load_pipeline(chosen.nltk_data and Path(chosen.nltk_data), Path(chosen.wordnet))
        report["speed"] = compare_speed(rows[: chosen.samples], pipeline)
    report["streams"] = [apart(run_stream, chosen.data, n, chosen.at_random) for n in chosen.streams]
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
