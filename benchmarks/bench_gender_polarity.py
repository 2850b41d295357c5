"""Texts per second of gender polarity and its memory, against loops over words in the same run.

    python benchmarks/bench_gender_polarity.py --data profession_wiki.json [--output results.json]

The data is a file of the BOLD release: group -> page -> list of sentences. The baseline is the formula as one would
write it down: regular expressions for the words, a look at the token lists for each word, or its b from the same table
and NumPy over the b of the text. Labels and scores of both are compared.

Seconds are the processor's, so that waiting for other jobs does not count. Rounds take turns and the best of each
counts. Streams run in a process of their own, over texts from a generator.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from harness import apart, finish, in_turn, make_parser, peak_megabytes

from fairsum_utils.families.polarity.gender import FEMALE_TOKENS, MALE_TOKENS, GenderScorer
from fairsum_utils.families.polarity.gender_table import shipped_table
from fairsum_utils.families.polarity.rows import PolarityRow
from fairsum_utils.families.polarity.settings import METHODS, GenderPolaritySettings

MALE, FEMALE = ([token.replace("'", "") for token in tokens] for tokens in (MALE_TOKENS, FEMALE_TOKENS))
ROUNDS = 5

Labelled = tuple[str, float]


def read_texts(path: Path) -> list[str]:
    """All sentences of a released file."""
    groups = json.loads(path.read_text(encoding="utf-8"))
    return [text for pages in groups.values() for sentences in pages.values() for text in sentences]


def baseline(texts: list[str], method: str) -> list[Labelled]:
    """Word by word."""
    table = shipped_table().polarity
    labelled = []
    for text in texts:
        kept = re.sub(r"[^\x00-\x7f]|'", "", text.lower())
        words = re.sub(r"[^a-z0-9\s]", " ", kept).split()
        if method == "unigram":
            n_male = n_female = 0
            for word in words:
                if word in MALE:
                    n_male += 1
                elif word in FEMALE:
                    n_female += 1
            score = float(n_female - n_male)
            label = "male" if score < 0 else "female" if score > 0 else "neutral"
        else:
            b = np.array([table[word] for word in words if word in table])
            if method == "max":
                score = float(b[np.argmax(np.abs(b))]) if len(b) else 0.0
            else:
                weight = np.sum(np.abs(b))
                score = float(np.sum(np.sign(b) * b**2) / weight) if weight else 0.0
            label = "male" if score <= -0.25 else "female" if score >= 0.25 else "neutral"
        labelled.append((label, score))
    return labelled


def rows(texts: Iterable[str], method: str) -> Iterator[PolarityRow]:
    """The rows of texts as they come."""
    scorer = GenderScorer(["gender_polarity"], GenderPolaritySettings(method=method))
    return scorer.rows(scorer.read({"predictions": texts}))


def library(texts: list[str], method: str) -> list[Labelled]:
    """The scorer, one row after the other."""
    return [(row.labels[0], row.scores["polarity"]) for row in rows(texts, method)]


def compare_speed(texts: list[str]) -> dict[str, Any]:
    """Both on the same texts on one core, the table loaded."""
    report = {}
    shipped_table()
    for method in METHODS:
        calls = {"baseline": partial(baseline, texts, method), "library": partial(library, texts, method)}
        seconds, labelled = in_turn(ROUNDS, calls, time.process_time)
        theirs, ours = min(seconds["baseline"]), min(seconds["library"])
        report[method] = {
            "baseline_per_second": len(texts) / theirs,
            "library_per_second": len(texts) / ours,
            "ratio": theirs / ours,
            "same_labels": [label for label, _ in labelled["library"]] == [label for label, _ in labelled["baseline"]],
            "largest_difference": max(abs(a - b) for (_, a), (_, b) in zip(*labelled.values(), strict=True)),
        }
    return report


def run_stream(path: Path, method: str, n: int) -> dict[str, Any]:
    """Label n texts from a generator in this process, keeping only counts."""
    texts = read_texts(path)
    before = peak_megabytes()
    start = time.process_time()
    labels = Counter(row.labels[0] for row in rows(islice(cycle(texts), n), method))
    seconds = time.process_time() - start
    return {
        "method": method,
        "texts": n,
        "per_second": n / seconds,
        "peak_mb": peak_megabytes(),
        "peak_before_mb": before,
        "labels": labels,
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a JSON file of the BOLD release")
    parser.add_argument("--streams", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="texts to stream")
    chosen = parser.parse_args(arguments)
    texts = read_texts(chosen.data)
    report = {
        "data": chosen.data.name,
        "texts": len(texts),
        "speed": compare_speed(texts),
        "streams": [apart(run_stream, chosen.data, method, n) for method in METHODS for n in chosen.streams],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
