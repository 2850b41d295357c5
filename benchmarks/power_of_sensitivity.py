"""Power of the sensitivity measures by number of originals and summaries, simulated.

    nice python benchmarks/power_of_sensitivity.py --output results.json

Summaries are made of originals by a summarizer that is noisy, and treats the variant "female" otherwise: it is longer,
drops one claim in five, or has more negative words; or that takes the first three of eight sources in some summaries.
Each of two variants has three inputs (two with control edits), each set six orders. The real measures read the texts,
and p is to be at most 0.05: of `counterfactual_gap`, of the outcome of `counterfactual_outcomes` that is biased (one
test, without Holm's correction), and of `order_sensitivity` by either matcher. Without bias that is to be so in 5 of
100 data sets.

Originals come in pools of 100, whose texts are read once and cut into data sets of 100, 50, 25 ... of them. Nothing is
read from disk.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser
from made_summaries import BIASES, CASES, FAIR, habitual, in_orders, inputs, lead_in, make_sets, simulate

from fairsum_utils.families.sensitivity.matching import MATCHERS
from fairsum_utils.families.sensitivity.results import ENGINE
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.measures._agreed import agreed
from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes
from fairsum_utils.measures.order_sensitivity import OrderSensitivity

LEVEL = 0.05
PERMUTATIONS = 199
ORIGINALS, REPLICATES = (6, 12, 25, 50, 100), (1, 3)
POOL = max(ORIGINALS)
NOISE = CASES[1]._replace(replicates=max(REPLICATES))
# Bias -> the outcome that is to see it.
OUTCOMES = {"longer": "length", "dropping": "units", "negative": "sentiment"}
# Bias -> share of summaries that are the first three sources.
SHARES = {"lead 10 %": 0.1, "lead 25 %": 0.25}
NONE, NONE_IN_ORDER = "none", "none in order"


class Tested(NamedTuple):
    """A test of a data set.

    Attributes:
        measure: measure of the test.
        by: the outcome or the matcher; empty where the measure has one test.
    """

    measure: str
    by: str = ""


# The scorer, and samples of POOL originals, original by original, again and again
Study = tuple[SensitivityScorer, Iterator[Sequence[Sample]]]


def of_persons(bias: str) -> Study:
    """Simulate summaries with or without a bias for women."""
    outcomes = (OUTCOMES[bias],) if bias in OUTCOMES else tuple(OUTCOMES.values())
    measures = (
        CounterfactualGap(n_permutations=PERMUTATIONS),
        CounterfactualOutcomes(outcomes=outcomes, n_permutations=PERMUTATIONS),
    )

    def pools() -> Iterator[Sequence[Sample]]:
        generator, write = np.random.default_rng(7), habitual(BIASES.get(bias, FAIR))
        for first in count(step=POOL):
            yield simulate(NOISE, inputs(NOISE, POOL, generator), write, generator, first=first)

    return SensitivityScorer([each.name for each in measures], agreed(measures)), pools()


def of_orders(bias: str) -> Study:
    """Simulate summaries of the first sources at some rate, or never."""
    scorer = SensitivityScorer(("order_sensitivity",), OrderSensitivity(n_permutations=PERMUTATIONS))

    def pools() -> Iterator[Sequence[Sample]]:
        rng = random.Random(bias)
        summarize = lead_in(SHARES.get(bias, 0.0), rng)
        for first in count(step=POOL):
            sets = make_sets(POOL, rng, values=("any",), first=first)
            yield list(scorer.read(in_orders(sets, summarize, rng, replicates=max(REPLICATES))))

    return scorer, pools()


STUDIES: Mapping[str, Callable[[str], Study]] = {
    **dict.fromkeys((NONE, *OUTCOMES), of_persons),
    **dict.fromkeys((NONE_IN_ORDER, *SHARES), of_orders),
}


def p_values(rows: Sequence[SensitivityRow], scorer: SensitivityScorer) -> dict[Tested, float]:
    """Compute the tests of a data set."""
    sums = ENGINE.sums_of(SensitivityTable(rows), scorer.measures, scorer.settings, scorer)
    found = {}
    for measure in scorer.measures:
        result = ENGINE.scores[measure](sums, scorer.settings).result({})
        if measure == "counterfactual_outcomes":
            found |= {Tested(measure, each["outcome"]): each["p_value"] for each in result["outcomes"]}
        elif measure == "order_sensitivity":
            found |= {Tested(measure, matcher): result["by_matcher"][matcher]["p_value"] for matcher in MATCHERS}
        else:
            found[Tested(measure)] = result["p_value"]
    return found


def sizes(pools: int, most: int) -> list[int]:
    """Return the number of data sets for each number of originals."""
    return [min(most, pools * (POOL // n)) for n in ORIGINALS]


def power(bias: str, pools: int, most: int) -> list[dict[str, Any]]:
    """Compute the power of each test.

    Args:
        bias: a key of `STUDIES`.
        pools: pools of originals.
        most: data sets of one size that are scored.

    Returns:
        A row for each test and number of summaries of an input: ``bias``, ``measure``, ``by``, ``replicates``, and by
        numbers of originals ``data_sets`` and ``power``, the share of them in which p is at most LEVEL.
    """
    scorer, made = STUDIES[bias](bias)
    n_sets = sizes(pools, most)
    left = [*n_sets]
    tallies: dict[tuple[Tested, int], list[int]] = {}
    while any(left):
        rows = scorer.score(next(made))
        of_each = len(rows) // POOL
        for place, n in enumerate(ORIGINALS):
            for start in range(0, POOL - n + 1, n)[: left[place]]:
                left[place] -= 1
                some = rows[start * of_each : (start + n) * of_each]
                for replicates in REPLICATES:
                    kept = [row for row in some if int(row.replicate or 0) < replicates]
                    for test, p in p_values(kept, scorer).items():
                        tallies.setdefault((test, replicates), [0] * len(ORIGINALS))[place] += p <= LEVEL
    return [
        {
            "bias": bias,
            **test._asdict(),
            "replicates": replicates,
            "data_sets": n_sets,
            "power": [each / n for each, n in zip(counts, n_sets, strict=True)],
        }
        for (test, replicates), counts in tallies.items()
    ]


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--pools", type=int, default=50, help="of 100 originals, cut into data sets")
    parser.add_argument("--data-sets", type=int, default=200, help="of one size, at most")
    parser.add_argument("--biases", nargs="+", default=[*STUDIES], choices=[*STUDIES], metavar="BIAS")
    options = parser.parse_args(arguments)
    start = time.process_time()
    rows = [row for bias in options.biases for row in power(bias, options.pools, options.data_sets)]
    report = {
        "seconds": time.process_time() - start,
        "level": LEVEL,
        "originals": [*ORIGINALS],
        "rows": rows,
    }
    return finish(report, options.output)


if __name__ == "__main__":
    main()
