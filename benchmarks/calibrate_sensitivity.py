"""What the counterfactual gap says of a summarizer that is noisy but treats all variants alike.

    nice python benchmarks/calibrate_sensitivity.py [--runs 1000] [--output results.json]

An original has sentences; a summarizer takes some of them at random, by weights, at a temperature, and puts synonyms
for some words. Any edit of an input moves the weights, one of the variant as one that should not matter: so the variant
makes no more difference than a control edit. A summary names its person faithfully. For three levels of noise:

- p-values are to be uniform: the Kolmogorov-Smirnov test of them, and how many are at most 0.05;
- 95 % intervals over originals are to hold 0 in 95 of 100 data sets, also where originals are few, which is told of
  expanded and of percentile intervals;
- those over summaries are to hold what very many summaries of the same inputs would give, which is the mean over all
  runs; for two, three and five summaries of an input, above control edits and above replicates.

Beside it, what goes wrong otherwise: names and pronouns left as they are; summaries of one input handed variants one by
one, as if each were an input of its own. And the share of originals that FiSCo's test rejects, which is Welch's over
pairs of summaries and knows no inputs: of the same data; of ten summaries of one input a variant; and of ten inputs a
variant with a summary each, as its authors have it. Of the latter also where summaries are of two kinds, as likely, and
alike or not at all: pairs that share a summary are not independent, and small p-values come too often. Nothing is read
from disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from harness import finish, make_parser
from made_summaries import CASES, CONTROLS, Case, inputs, simulate, summarize
from scipy.stats import kstest

from fairsum_utils.families.sensitivity.results import aggregate, sums_of
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.measures.counterfactual_gap import fisco_test
from fairsum_utils.stats.bootstrap import bootstrap_sums, expanded_interval, percentile_interval
from fairsum_utils.stats.sums import Sums

MEASURE = "counterfactual_gap"
SIZES, TOGETHER = (6, 12, 20, 40, 100), 2_500
REPLICATES = (2, 3, 5)
FISCO = 10
"""Summaries of each variant in FiSCo's design."""


def singly(samples: Sequence[Sample]) -> list[Sample]:
    """Each summary as an input of its own."""
    return [replace(sample, control=f"{sample.control}{sample.replicate}") for sample in samples]


def sums(samples: Sequence[Sample], settings: SensitivitySettings) -> Sums:
    """What the result of a data set is made from."""
    scorer = SensitivityScorer((MEASURE,), settings)
    return sums_of(SensitivityTable(scorer.score(samples)), [MEASURE], settings, scorer)


def score(samples: Sequence[Sample], settings: SensitivitySettings) -> dict[str, Any]:
    """The result of a data set."""
    return aggregate(sums(samples, settings), MEASURE, settings, {})


def calibrate(case: Case, runs: int, wrong_runs: int, originals: int) -> dict[str, Any]:
    """What the results of many data sets are like, and of some of them what they are otherwise."""
    generator = np.random.default_rng(7)
    with_intervals = SensitivitySettings(confidence_level=0.95, n_permutations=999, n_resamples=500)
    tested = SensitivitySettings(n_permutations=199)
    p_values, wrong, covers, welch = [], {"as written": [], "replicates singly": []}, [], []
    for run in range(runs):
        samples = simulate(case, inputs(case, originals, generator), summarize, generator)
        result = score(samples, with_intervals)
        low, high = result[f"{MEASURE}_ci"]
        p_values.append(result["p_value"])
        covers.append(low <= 0 <= high)
        if run >= wrong_runs:
            continue
        for what, others, settings in (
            ("as written", samples, tested.replace(neutral=False)),
            ("replicates singly", singly(samples), tested),
        ):
            wrong[what].append(score(others, settings)["p_value"])
        welch.append(welch_rejected(samples))
    return {
        **case._asdict(),
        "rejected": float(np.mean(np.array(p_values) <= 0.05)),
        "kolmogorov_smirnov_p": float(kstest(p_values, "uniform").pvalue),
        "covers": float(np.mean(covers)),
        **{f"rejected, {what}": float(np.mean(np.array(each) <= 0.05)) for what, each in wrong.items()},
        "rejected, Welch": float(np.mean(welch)),
    }


def welch_rejected(samples: Sequence[Sample]) -> float:
    """The share of originals that FiSCo's test rejects."""
    [tested] = score(samples, SensitivitySettings(n_permutations=1, test="welch"))["welch"]
    return float(tested["rejected"])


def calibrate_fisco(case: Case, originals: int, *, alone: bool) -> float:
    """The share of originals that FiSCo's test rejects, of ten summaries a variant.

    Args:
        case: the summarizer.
        originals: so many.
        alone: whether each summary has an input of its own; else all of a variant have one.
    """
    generator = np.random.default_rng(17)
    rejected = []
    for _ in range(0, originals, TOGETHER // FISCO):
        some = min(TOGETHER // FISCO, originals)
        weights = inputs(case, some, generator, FISCO if alone else 1)
        own = case._replace(replicates=FISCO // weights.shape[2])
        rejected.append(welch_rejected(simulate(own, weights, summarize, generator)))
    return float(np.mean(rejected))


def calibrate_tails(originals: int) -> dict[str, float]:
    """How often FiSCo's p-value is at most so much, of ten summaries a variant that are of two kinds."""
    kinds = np.random.default_rng(19).integers(0, 2, (originals, 2 * FISCO))
    _, p_values = fisco_test(
        (kinds[:, :, None] != kinds[:, None]).astype(np.float64), np.repeat([0, 1], FISCO).tolist()
    )
    return {str(level): float(np.mean(p_values <= level)) for level in (0.05, 0.01, 0.001)}


def calibrate_within(case: Case, runs: int, originals: int) -> dict[str, dict[str, float]]:
    """How often intervals over summaries hold the gap of the inputs: floor -> summaries of an input -> share."""
    settings = SensitivitySettings(confidence_level=0.95, n_permutations=1, n_resamples=500)
    found: dict[str, dict[str, float]] = {}
    for floor, edits in (("controls", len(CONTROLS)), ("replicates", 1)):
        for replicates in REPLICATES:
            generator = np.random.default_rng(13)
            weights = inputs(case, originals, generator)[:, :, :edits]
            some = case._replace(replicates=replicates)
            told = [score(simulate(some, weights, summarize, generator), settings) for _ in range(runs)]
            assert all(each["floor"] == floor for each in told)
            truth = np.mean([each[MEASURE] for each in told])
            ends = [each[f"{MEASURE}_ci_within"] for each in told]
            found.setdefault(floor, {})[str(replicates)] = float(np.mean([low <= truth <= high for low, high in ends]))
    return found


def calibrate_sizes(case: Case, originals: int) -> dict[str, dict[str, float]]:
    """How often either interval over so many originals holds 0: of those that there are, some at a time."""
    generator, settings = np.random.default_rng(21), SensitivitySettings()
    single = case._replace(replicates=1)
    gaps = []
    for _ in range(0, originals, TOGETHER):
        samples = simulate(single, inputs(single, min(TOGETHER, originals), generator), summarize, generator)
        gaps.append(sums(samples, settings).by_unit((f"{MEASURE}.gap", "controls")))
    found = {}
    for n in SIZES:
        held: dict[str, list[bool]] = {"expanded": [], "percentile": []}
        for place, some in enumerate(np.array_split(np.concatenate(gaps), max(1, originals // n))):
            replicates = bootstrap_sums(some[:, None], n_resamples=1000, seed=place)[:, 0]
            for kind, (low, high) in (
                ("expanded", expanded_interval(replicates, 0.95, len(some))),
                ("percentile", percentile_interval(replicates, 0.95)),
            ):
                held[kind].append(low <= 0 <= high)
        found[str(n)] = {kind: float(np.mean(each)) for kind, each in held.items()}
    return found


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--runs", type=int, default=1_000, help="simulated data sets of each level of noise")
    parser.add_argument("--wrong-runs", type=int, default=300, help="of what goes wrong otherwise")
    parser.add_argument("--within-runs", type=int, default=300, help="of intervals over summaries")
    parser.add_argument("--single", type=int, default=40_000, help="originals whose gaps make intervals of some each")
    parser.add_argument("--fisco", type=int, default=2_000, help="originals with ten summaries of each variant")
    parser.add_argument("--originals", type=int, default=40, help="of each data set")
    chosen = parser.parse_args(arguments)
    report = {
        "runs": chosen.runs,
        "originals": chosen.originals,
        "two_kinds": calibrate_tails(10 * chosen.fisco),
        "rows": [
            calibrate(case, chosen.runs, chosen.wrong_runs, chosen.originals)
            | {
                "covers_within": calibrate_within(case, chosen.within_runs, chosen.originals),
                "covers_by_originals": calibrate_sizes(case, chosen.single),
                "rejected, Welch, one input": calibrate_fisco(case, chosen.fisco, alone=False),
                "rejected, Welch, ten inputs": calibrate_fisco(case, chosen.fisco, alone=True),
            }
            for case in CASES
        ],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
