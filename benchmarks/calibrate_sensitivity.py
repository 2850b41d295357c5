"""Sensitivity measures of noisy summarizers that treat all variants and orders alike.

    nice python benchmarks/calibrate_sensitivity.py [--runs 1000] [--output results.json]

A summarizer draws sentences of an original at random, by weights, at a temperature, and replaces some words by
synonyms. Every edit of an input changes the weights, that of the variant as much as a control edit: so the variant
makes no more difference than a control edit. A summary names its person correctly. For three levels of noise:

- p-values should be uniform: Kolmogorov-Smirnov test, and share of p-values of at most 0.05;
- 95 % intervals over originals should contain 0 in 95 of 100 data sets, also with few originals, for expanded and for
  percentile intervals;
- intervals over summaries should contain the mean over all runs; for two, three and five summaries of an input, above
  control edits and above replicates.

For comparison, two mistakes: names and pronouns are not made neutral; summaries of one input are treated as inputs.

Outcomes: sums of random effects of the original, of each edit of the input and of each summary. Orders: sets of eight
sources in six random orders; a summarizer draws sources by weights that do not depend on the order. Nothing is read
from disk.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from harness import finish, make_parser
from made_summaries import CASES, CONTROLS, NAMES, Case, by_weights, in_orders, inputs, make_sets, simulate, summarize
from scipy.stats import kstest

from fairsum_utils.api import score as score_columns
from fairsum_utils.families.sensitivity.results import ENGINE
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
from fairsum_utils.measures.counterfactual_outcomes import CounterfactualOutcomes
from fairsum_utils.measures.order_sensitivity import OrderSensitivity
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums, expanded_interval, percentile_interval
from fairsum_utils.stats.sums import Sums

MEASURE = "counterfactual_gap"
SIZES, TOGETHER = (6, 12, 20, 40, 100), 2_500
REPLICATES = (2, 3, 5)


def singly(samples: Sequence[Sample]) -> list[Sample]:
    """Each summary as an input of its own."""
    return [replace(sample, control=f"{sample.control}{sample.replicate}") for sample in samples]


def sums(samples: Sequence[Sample], settings: CounterfactualGap) -> Sums:
    """Compute the sums behind a data set's result."""
    scorer = SensitivityScorer((MEASURE,), settings)
    return ENGINE.sums_of(SensitivityTable(scorer.score(samples)), [MEASURE], settings, scorer)


def score(samples: Sequence[Sample], settings: CounterfactualGap) -> dict[str, Any]:
    """Compute the result of a data set."""
    return ENGINE.scores[MEASURE](sums(samples, settings), settings).result({})


def fair_results(p_values: Sequence[float], intervals: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Measure uniformity of p-values and the share of intervals around 0."""
    return {
        "rejected": float(np.mean(np.array(p_values) <= 0.05)),
        "kolmogorov_smirnov_p": float(kstest(p_values, "uniform").pvalue),
        "covers": float(np.mean([low <= 0 <= high for low, high in intervals])),
    }


def held_by_size(data_sets: Sequence[Floats], truth: float) -> dict[str, float]:
    """Measure coverage of intervals of the mean, by kind of interval."""
    held: dict[str, list[bool]] = {"expanded": [], "percentile": []}
    for place, some in enumerate(data_sets):
        replicates = bootstrap_sums(some[:, None], n_resamples=1000, seed=place)[:, 0] / len(some)
        ends = {
            "expanded": expanded_interval(replicates, 0.95, len(some)),
            "percentile": percentile_interval(replicates, 0.95),
        }
        for kind, (low, high) in ends.items():
            held[kind].append(low <= truth <= high)
    return {kind: float(np.mean(each)) for kind, each in held.items()}


def calibrate(case: Case, runs: int, wrong_runs: int, originals: int) -> dict[str, Any]:
    """Summarize the results of many data sets, some under other settings."""
    generator = np.random.default_rng(7)
    with_intervals = CounterfactualGap(confidence_level=0.95, n_permutations=999, n_resamples=500)
    tested = CounterfactualGap(n_permutations=199)
    p_values, wrong, intervals = [], {"as written": [], "replicates singly": []}, []
    for run in range(runs):
        samples = simulate(case, inputs(case, originals, generator), summarize, generator)
        result = score(samples, with_intervals)
        p_values.append(result["p_value"])
        intervals.append(result[f"{MEASURE}_ci"])
        if run >= wrong_runs:
            continue
        for what, others, settings in (
            ("as written", samples, tested.replace(neutral=False)),
            ("replicates singly", singly(samples), tested),
        ):
            wrong[what].append(score(others, settings)["p_value"])
    return {
        **case._asdict(),
        **fair_results(p_values, intervals),
        **{f"rejected, {what}": float(np.mean(np.array(each) <= 0.05)) for what, each in wrong.items()},
    }


def calibrate_within(case: Case, runs: int, originals: int) -> dict[str, dict[str, float]]:
    """Measure coverage of intervals over summaries by floor and summaries per input."""
    settings = CounterfactualGap(confidence_level=0.95, n_permutations=1, n_resamples=500)
    found: dict[str, dict[str, float]] = {}
    for floor, edits in (("controls", len(CONTROLS)), ("replicates", 1)):
        for replicates in REPLICATES:
            generator = np.random.default_rng(13)
            weights = inputs(case, originals, generator)[:, :, :edits]
            some = case._replace(replicates=replicates)
            scores = [score(simulate(some, weights, summarize, generator), settings) for _ in range(runs)]
            assert all(each["floor"] == floor for each in scores)
            truth = np.mean([each[MEASURE] for each in scores])
            ends = [each[f"{MEASURE}_ci_within"] for each in scores]
            found.setdefault(floor, {})[str(replicates)] = float(np.mean([low <= truth <= high for low, high in ends]))
    return found


def calibrate_sizes(case: Case, originals: int) -> dict[str, dict[str, float]]:
    """Measure how often both intervals include 0, by number of originals."""
    generator, settings = np.random.default_rng(21), CounterfactualGap()
    single = case._replace(replicates=1)
    gaps = []
    for _ in range(0, originals, TOGETHER):
        samples = simulate(single, inputs(single, min(TOGETHER, originals), generator), summarize, generator)
        gaps.append(sums(samples, settings).by_unit((f"{MEASURE}.gap", "controls")))
    together = np.concatenate(gaps)
    return {str(n): held_by_size(np.array_split(together, max(1, originals // n)), 0.0) for n in SIZES}


# Outcomes and orders

OUTCOME_NOISES = {"low": (0.1, 0.1), "medium": (0.5, 0.3), "high": (1.0, 2.0)}  # deviations of edits and summaries
ORDER_SIZES, DRAWN = (6, 12, 20, 40), 1_000
PARTS = ("gap", "outcomes", "orders")


def outcome_rows(edit: float, summary: float, originals: int, generator: np.random.Generator) -> list[SensitivityRow]:
    """Draw outcomes to which a person adds the effect of any edit."""
    of_inputs = originals, len(NAMES), len(CONTROLS)
    has = generator.normal(size=(originals, 1, 1, 1)) + edit * generator.normal(size=(*of_inputs, 1))
    outcomes = has + summary * generator.normal(size=(*of_inputs, 2))
    names = [*NAMES]
    return [
        SensitivityRow(
            index,
            f"original {original}",
            names[variant],
            control=CONTROLS[control],
            replicate=str(replicate),
            outcomes={"length": float(outcomes[original, variant, control, replicate])},
        )
        for index, (original, variant, control, replicate) in enumerate(np.ndindex(*outcomes.shape))
    ]


def calibrate_outcomes(noise: str, runs: int, originals: int) -> dict[str, Any]:
    """Compute the outcome results of many data sets."""
    generator, measure = np.random.default_rng(7), "counterfactual_outcomes"
    settings = CounterfactualOutcomes(outcomes=("length",), confidence_level=0.95, n_permutations=999, n_resamples=500)
    scorer = SensitivityScorer((measure,), settings)
    results = []
    for _ in range(runs):
        table = SensitivityTable(outcome_rows(*OUTCOME_NOISES[noise], originals, generator))
        results += ENGINE.scores[measure](ENGINE.sums_of(table, [measure], settings, scorer), settings).result({})[
            "outcomes"
        ]
    found = fair_results([each["p_value"] for each in results], [each["difference_ci"] for each in results])
    return {"noise": noise, **found}


def primacies(taken: int, n_sets: int) -> Floats:
    """Compute the score of each set."""
    rng, settings, measure = random.Random(50 + taken), OrderSensitivity(), "order_sensitivity"
    scorer = SensitivityScorer((measure,), settings)
    columns = in_orders(make_sets(n_sets, rng), by_weights(taken, rng), rng)
    found = ENGINE.sums_of(SensitivityTable(scorer.rows(scorer.read(columns))), [measure], settings, scorer)
    there = found.by_unit((f"{measure}.counts", settings.matcher, "primacy")) > 0
    return found.by_unit((f"{measure}.numbers", settings.matcher, "primacy"))[there]


def calibrate_orders(taken: int, runs: int, single: int) -> dict[str, Any]:
    """Compute order results and intervals for data sets from many sets."""
    rng, measure, results = random.Random(100 + taken), "order_sensitivity", []
    for _ in range(runs):
        columns = in_orders(make_sets(12, rng), by_weights(taken, rng), rng)
        results.append(score_columns(columns, metrics=measure, confidence_level=0.95, n_resamples=400)[measure])
    numbers, generator = primacies(taken, single), np.random.default_rng(taken)
    return {
        "sources_taken": taken,
        "mean": float(np.mean([each[measure] for each in results])),
        **fair_results([each["p_value"] for each in results], [each[f"{measure}_ci"] for each in results]),
        "gain_rejected": float(np.mean([each["first_values"][0]["p_value"] <= 0.05 for each in results])),
        "covers_by_sets": {
            str(n): held_by_size([generator.choice(numbers, n) for _ in range(DRAWN)], numbers.mean())
            for n in ORDER_SIZES
        },
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--runs", type=int, default=1_000, help="simulated data sets of each level of noise")
    parser.add_argument("--wrong-runs", type=int, default=300, help="of what goes wrong otherwise")
    parser.add_argument("--within-runs", type=int, default=300, help="of intervals over summaries")
    parser.add_argument("--single", type=int, default=40_000, help="originals whose gaps make intervals of some each")
    parser.add_argument("--single-sets", type=int, default=2_500, help="sets from which data sets are drawn")
    parser.add_argument("--originals", type=int, default=40, help="of each data set")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    chosen = parser.parse_args(arguments)
    report: dict[str, Any] = {"runs": chosen.runs, "originals": chosen.originals}
    if "gap" in chosen.only:
        report["rows"] = [
            calibrate(case, chosen.runs, chosen.wrong_runs, chosen.originals)
            | {
                "covers_within": calibrate_within(case, chosen.within_runs, chosen.originals),
                "covers_by_originals": calibrate_sizes(case, chosen.single),
            }
            for case in CASES
        ]
    if "outcomes" in chosen.only:
        report["outcomes"] = [calibrate_outcomes(noise, chosen.runs, chosen.originals) for noise in OUTCOME_NOISES]
    if "orders" in chosen.only:
        report["orders"] = [calibrate_orders(taken, chosen.runs, chosen.single_sets) for taken in (1, 3, 6)]
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
