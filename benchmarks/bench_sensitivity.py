"""Speed of the counterfactual gap by words, with intervals and the permutation test, against a loop over pairs.

    python benchmarks/bench_sensitivity.py [--originals 10000] [--plain 50] [--output results.json]

The data is made up: originals in four variants, each as three summaries of one input, or as one summary of each of
three inputs (two with control edits), of about 60 words. Nothing is read from disk and no model runs.

The baseline goes over some of the originals, pair of summaries by pair, with word counts as dictionaries. Then it hands
variants out anew 1,000 times, or draws the summaries of each input anew 1,000 times, and adds up distances again. Its
gap is checked to be that of the library. Seconds are the processor's, from lists of texts to the result, on one core.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import Counter
from itertools import combinations
from typing import Any

from harness import finish, make_parser

from fairsum_utils import compute
from fairsum_utils.families.sensitivity.distances import words

VARIANTS = ("female", "male", "older", "younger")
SHAPES = {"three summaries of an input": (1, 3), "three inputs of a variant": (3, 1)}
N_PERMUTATIONS = 1_000

Columns = dict[str, list[Any]]


def data(originals: int, inputs: int, replicates: int) -> Columns:
    """Summaries of random words of their original."""
    generator = random.Random(3)
    columns: Columns = {"predictions": [], "article_ids": [], "variants": [], "controls": [], "replicates": []}
    for original in range(originals):
        known = [f"w{generator.randrange(5_000)}" for _ in range(120)]
        for variant in VARIANTS:
            for control in range(inputs):
                for replicate in range(replicates):
                    pronoun = "She" if variant == "female" else "He"
                    columns["predictions"].append(f"{pronoun} said {' '.join(generator.sample(known, 60))}.")
                    columns["article_ids"].append(f"original {original}")
                    columns["variants"].append(variant)
                    columns["controls"].append(f"edit {control}" if control else None)
                    columns["replicates"].append(str(replicate))
    return columns


def cosine(first: Counter[str], second: Counter[str]) -> float:
    dot = sum(n * second[word] for word, n in first.items())
    return dot / math.sqrt(sum(n * n for n in first.values()) * sum(n * n for n in second.values()))


def mean(numbers: list[float]) -> float:
    return math.fsum(numbers) / len(numbers)


def plain(columns: Columns, n_draws: int) -> float:
    """The gap by loops; what is drawn anew is counted for its time only."""
    generator = random.Random(0)
    originals: dict[str, list[tuple[tuple[str, Any], Counter[str]]]] = {}
    for text, article, variant, control in zip(
        *(columns[name] for name in ("predictions", "article_ids", "variants", "controls")), strict=True
    ):
        neutral = text.replace("She said", "They said").replace("He said", "They said")
        originals.setdefault(article, []).append(((variant, control), Counter(words(neutral))))
    gaps = []
    for summaries in originals.values():
        inputs: dict[tuple[str, Any], list[int]] = {}
        for place, (each, _) in enumerate(summaries):
            inputs.setdefault(each, []).append(place)
        apart = {
            (i, j): 1 - cosine(summaries[i][1], summaries[j][1]) for i, j in combinations(range(len(summaries)), 2)
        }
        own, variants = list(inputs.values()), [variant for variant, _ in inputs]
        gaps.append(gap_of(apart, own, variants))
        for _ in range(n_draws):
            if len(set(variants)) < len(variants):
                generator.shuffle(variants)
                gap_of(apart, own, variants)
            else:
                gap_of(apart, [generator.choices(places, k=len(places)) for places in own], variants)
    return mean(gaps)


def gap_of(apart: dict[tuple[int, int], float], inputs: list[list[int]], variants: list[str]) -> float:
    """Between variants minus within them, or minus within inputs where each variant has one."""
    sides: tuple[list[float], list[float]] = ([], [])
    for a, b in combinations(range(len(inputs)), 2):
        pairs = [apart[min(x, y), max(x, y)] for x in inputs[a] for y in inputs[b]]
        sides[variants[a] == variants[b]].append(mean(pairs))
    between, within = sides
    if not within:
        alone = [[apart[min(x, y), max(x, y)] for x, y in combinations(own, 2) if x != y] for own in inputs]
        within = [mean(each) for each in alone if each]
    return mean(between) - (mean(within) if within else 0.0)


def measure(shape: str, originals: int, n_plain: int) -> dict[str, Any]:
    """Seconds of the library, and of the loop over some of the originals."""
    columns = data(originals, *SHAPES[shape])
    some = {name: entries[: n_plain * len(VARIANTS) * 3] for name, entries in columns.items()}
    start = time.process_time()
    result = compute("counterfactual_gap", **columns, confidence_level=0.95, n_permutations=N_PERMUTATIONS)
    seconds = time.process_time() - start
    start = time.process_time()
    looped = plain(some, N_PERMUTATIONS)
    loop = time.process_time() - start
    library = compute("counterfactual_gap", **some, n_permutations=N_PERMUTATIONS)["counterfactual_gap"]
    return {
        "shape": shape,
        "originals": originals,
        "summaries": len(columns["predictions"]),
        "seconds": seconds,
        "p_value": result["p_value"],
        "loop_originals": n_plain,
        "loop_seconds": loop,
        "times_faster": loop / n_plain * originals / seconds,
        "largest_difference": abs(looped - library),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--originals", type=int, default=10_000)
    parser.add_argument("--plain", type=int, default=50, help="originals that the loop goes over")
    chosen = parser.parse_args(arguments)
    report = {
        "rows": [measure(shape, chosen.originals, chosen.plain) for shape in SHAPES],
    }
    report = json.loads(json.dumps(report).replace("NaN", "null"))
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
