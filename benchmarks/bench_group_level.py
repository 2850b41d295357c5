"""Speed of the group-level study, against a loop that computes both measures from the matrices anew, in the same run.

    python benchmarks/bench_group_level.py [--groups 5000] [--samples 100] [--output results.json]

Sets of documents have made up matrices of coverage, shares of the summary and judgements of people, the same for all
three. `loop` goes through the samples of each group one by one, as papers/coverage-fairness, sections 4.1, 4.2 and 5.4
describe it, and computes the coverage of each value's documents with NumPy; `study` draws the groups from records of
scoring; `from matrices` is the same with the scoring that makes these records. All have the same draws.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

import fairsum_utils
from fairsum_reproductions.coverage.group_level import GroupSettings, compute
from fairsum_utils.stats.bootstrap import bootstrap_draws

VALUES = ("negative", "neutral", "positive")
DOCUMENTS, UNITS = 8, 6


class Sets(NamedTuple):
    """Made up sets of documents.

    Attributes:
        matrices: of each, shape (documents, units).
        codes: the value of each document.
        shares: of each value in the summary, shape (samples, values).
        desired: the same as they should be.
        leanings: what people find overrepresented; None for a fair summary.
    """

    matrices: list[np.ndarray]
    codes: list[np.ndarray]
    shares: np.ndarray
    desired: np.ndarray
    leanings: list[str | None]


def make_sets(n: int, seed: int) -> Sets:
    """Sets in which every value has a document."""
    generator = np.random.default_rng(seed)
    codes = [np.sort(np.r_[0:3, generator.integers(3, size=DOCUMENTS - 3)]) for _ in range(n)]
    return Sets(
        matrices=[generator.random((DOCUMENTS, UNITS)) for _ in range(n)],
        codes=codes,
        shares=generator.dirichlet((2, 2, 2), size=n),
        desired=np.array([np.bincount(of_sample) / DOCUMENTS for of_sample in codes]),
        leanings=generator.choice(np.array([*VALUES, None], dtype=np.object_), size=n).tolist(),
    )


def loop(sets: Sets, settings: GroupSettings) -> dict[str, Any]:
    """Every group, sample by sample."""
    n = len(sets.matrices)
    counts = np.concatenate(list(bootstrap_draws(n, settings.n_groups, settings.seed)))
    n_tied, named = 0, []
    for of_group in counts.astype(int).tolist():
        extreme: list[list[float]] = [[], [], []]
        lacking = np.zeros(3)
        votes: Counter[str] = Counter()
        for place in np.repeat(np.arange(n), of_group).tolist():
            coverage, codes = sets.matrices[place].mean(axis=1), sets.codes[place]
            differences = [coverage[codes == code].mean() - coverage.mean() for code in range(3)]
            for code in {int(np.argmax(differences)), int(np.argmin(differences))}:
                extreme[code].append(differences[code])
            lacking += np.maximum(0, sets.desired[place] - sets.shares[place])
            if sets.leanings[place] is not None:
                votes[sets.leanings[place]] += 1
        ((people, most), *others) = votes.most_common(2)
        if others and others[0][1] == most:
            n_tied += 1
            continue
        parity = VALUES[int(np.argmax([np.mean(of_value) if of_value else -np.inf for of_value in extreme]))]
        named.append((people, parity, VALUES[int(np.argmin(lacking))]))
    return {
        "coverage_parity": sum(people == parity for people, parity, _ in named) / len(named),
        "second_order": sum(people == second for people, _, second in named) / len(named),
        "n_compared": len(named),
        "n_tied": n_tied,
    }


def records(sets: Sets) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What scoring says of both measures."""
    values = [[VALUES[code] for code in codes] for codes in sets.codes]
    scored = fairsum_utils.score(
        values=values, coverage=sets.matrices, metrics=["coverage_parity"], n_resamples=1, return_samples=True
    )
    shares = zip(sets.shares.tolist(), sets.desired.tolist(), strict=True)
    baseline = [
        {"index": index, "values": list(VALUES), "summary_share": got, "desired_share": wanted}
        for index, (got, wanted) in enumerate(shares)
    ]
    return scored["coverage_parity"]["samples"], baseline


def measure(n_groups: int, n_samples: int, rounds: int, seed: int) -> dict[str, Any]:
    """All three, on the same sets and draws."""
    sets, settings = make_sets(n_samples, seed), GroupSettings(n_groups=n_groups, seed=seed)
    start = time.perf_counter()
    plain = loop(sets, settings)
    seconds = {"loop": time.perf_counter() - start, "study": float("inf"), "from matrices": float("inf")}
    result: dict[str, Any] = {}
    for _ in range(rounds):
        start = time.perf_counter()
        coverage, baseline = records(sets)
        scored = time.perf_counter()
        result = compute(coverage, baseline, [{"leaning": each} for each in sets.leanings], settings=settings)
        end = time.perf_counter()
        seconds["study"] = min(seconds["study"], end - scored)
        seconds["from matrices"] = min(seconds["from matrices"], end - start)
    return {
        "groups": n_groups,
        "samples": n_samples,
        "seconds": seconds,
        "times_faster": {way: seconds["loop"] / seconds[way] for way in ("study", "from matrices")},
        "result": plain,
        "equal": all(result[key] == number for key, number in plain.items()),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--groups", type=int, default=5_000)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    found = measure(chosen.groups, chosen.samples, chosen.rounds, chosen.seed)
    report = {"group_level": found}
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
