"""Speed of Equal Coverage's permutation test and Coverage Parity's bootstrap, against plain loops.

    python benchmarks/bench_coverage.py [--output results.json]

The baseline of the permutation test is what Li et al. 2025, section 4.1 describes: 5,000 times, the values
are permuted and EC is computed value by value. The second baseline lists every distinct assignment instead, in the same
plain way, and must count the same. The baseline of the bootstrap draws the samples of a replicate and collects the sets
C_k of section 4.2 from them again.

Both sides get the same data, and the same draws where results are compared. Nothing is read from disk.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
from harness import finish, make_parser, timed

from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences
from fairsum_utils.measures.equal_coverage import TOLERANCE, permutation_test
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.permutation import random_orders

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

EXACT = [(4, 4), (2, 3, 3), (1, 8), (8, 8)]
SAMPLED = [(15, 15), (5, 7, 8)]
# Documents, in two values of equal size.
GROWTH = [20, 50, 100, 200, 500]


# The baselines


def plain_coverage(coverage: Floats, codes: Codes) -> float:
    """EC of one sample, value by value."""
    mean = np.mean(coverage)
    differences = [abs(np.mean(coverage[codes == code]) - mean) for code in np.unique(codes)]
    return float(sum(differences) / len(differences))


def plain_count(coverage: Floats, codes: Codes, assignments: Iterable[Codes]) -> tuple[int, int]:
    """Count the assignments that reach the observed EC, and all assignments."""
    observed = plain_coverage(coverage, codes)
    reached = [plain_coverage(coverage, assignment) >= observed - TOLERANCE for assignment in assignments]
    return sum(reached), len(reached)


def plain_permutations(coverage: Floats, codes: Codes, n_permutations: int) -> float:
    """Run the published test, with (b + 1) / (m + 1)."""
    generator = np.random.default_rng(0)
    draws = (generator.permutation(codes) for _ in range(n_permutations))
    reached, compared = plain_count(coverage, codes, draws)
    return (reached + 1) / (compared + 1)


def distinct_assignments(codes: Codes) -> list[Codes]:
    """Every distinct order of the codes, one after the other."""
    left = {code: int(count) for code, count in zip(*np.unique(codes, return_counts=True), strict=True)}
    found: list[Codes] = []

    def place(chosen: list[int]) -> None:
        if len(chosen) == len(codes):
            found.append(np.array(chosen))
            return
        for code in left:
            if left[code]:
                left[code] -= 1
                place([*chosen, code])
                left[code] += 1

    place([])
    return found


def plain_replicates(differences: Floats, draws: Codes) -> list[float]:
    """CP of every replicate, its samples taken one by one."""
    samples = [{k: c for k, c in enumerate(row) if c == c} for row in differences.tolist()]
    replicates = []
    for drawn in draws.tolist():
        collected: dict[int, list[float]] = {}
        for sample in drawn:
            largest, smallest = max(samples[sample].values()), min(samples[sample].values())
            for value, difference in samples[sample].items():
                if difference >= largest - TOLERANCE or difference <= smallest + TOLERANCE:
                    collected.setdefault(value, []).append(difference)
        replicates.append(fmean(abs(fmean(own)) for own in collected.values()))
    return replicates


# The comparisons


def seconds(call: Callable[[], Any], repeats: int) -> float:
    """Average a few runs, so that other load affects both sides alike."""
    return fmean(timed(call)[0] for _ in range(repeats))


def sample_of(counts: tuple[int, ...], seed: int = 0) -> tuple[Floats, Codes]:
    """Draw a sample's coverages, in hundredths so that some tie, and values."""
    generator = np.random.default_rng(seed)
    codes = generator.permutation(np.repeat(np.arange(len(counts)), counts))
    return generator.integers(0, 101, size=len(codes)) / 100, codes


def compare_permutations(counts: tuple[int, ...], n_permutations: int, *, exact: bool) -> dict[str, Any]:
    """Time one sample shape: published test, plain loop, library."""
    coverage, codes = sample_of(counts)

    def library() -> Any:
        return permutation_test(coverage, codes, n_permutations=n_permutations)

    first = seconds(library, 1)
    test = library()
    assert test.exact == exact
    if exact:
        assignments = distinct_assignments(codes)
    else:
        # The library hands its draws to the documents in an order that the sorted coverages tell, and to the smallest
        # value first.
        labels = np.repeat(np.arange(len(counts)), sorted(counts))
        in_order = np.argsort(coverage, kind="stable")
        own = f"0 {tuple(sorted(counts))} {np.rint(1000 * coverage[in_order]).astype(int).tolist()}"
        places = in_order[shuffled(range(len(codes)), random.Random(own))]
        assignments = []
        for block in random_orders(len(codes), n_permutations, seed=0):
            for order in block.T:
                assignment = np.empty_like(codes)
                assignment[places[order]] = labels
                assignments.append(assignment)
    same_work, (reached, compared) = timed(lambda: plain_count(coverage, codes, assignments))
    published = seconds(lambda: plain_permutations(coverage, codes, n_permutations), 1)
    ours = seconds(library, 50)
    return {
        "counts": list(counts),
        "assignments": test.n_assignments,
        "exact": exact,
        "identical": test.p_value == (reached / compared if exact else (reached + 1) / (compared + 1)),
        "published_ms": 1000 * published,
        "same_assignments_ms": 1000 * same_work,
        "library_first_ms": 1000 * first,
        "library_ms": 1000 * ours,
        "ratio": published / ours,
        "ratio_same_assignments": same_work / ours,
    }


def compare_bootstrap(n: int, n_resamples: int) -> dict[str, Any]:
    """Time CP of three values, one often absent, on the same draws."""
    generator = np.random.default_rng(0)
    differences = generator.normal(scale=0.1, size=(n, 3))
    differences[::3, 2] = np.nan

    def library() -> Floats:
        extreme = extreme_differences(differences)
        columns = np.concatenate([np.where(extreme, differences, 0.0), extreme], axis=1)
        sums, counts = np.split(bootstrap_sums(columns, n_resamples=n_resamples), 2, axis=1)
        return coverage_parity(sums, counts)

    start = time.perf_counter()
    draws = np.random.default_rng(0).integers(n, size=(n_resamples, n))
    theirs = plain_replicates(differences, draws)
    plain = time.perf_counter() - start
    ours = seconds(library, 5)
    return {
        "samples": n,
        "resamples": n_resamples,
        "largest_difference": float(np.abs(library() - theirs).max()),
        "plain_ms": 1000 * plain,
        "library_ms": 1000 * ours,
        "ratio": plain / ours,
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--permutations", type=int, default=5_000, help="random assignments")
    parser.add_argument("--growth", type=int, nargs="*", default=GROWTH, help="numbers of documents, two equal values")
    parser.add_argument("--samples", type=int, nargs="*", default=[300, 1_500], help="samples for the bootstrap")
    parser.add_argument("--resamples", type=int, default=1_000, help="replicates of the bootstrap")
    chosen = parser.parse_args(arguments)
    sampled = [*SAMPLED, *((n // 2, n // 2) for n in chosen.growth)]
    report = {
        "permutations": [
            *(compare_permutations(counts, chosen.permutations, exact=True) for counts in EXACT),
            *(compare_permutations(counts, chosen.permutations, exact=False) for counts in sampled),
        ],
        "bootstrap": [compare_bootstrap(n, chosen.resamples) for n in chosen.samples],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
