"""What counterfactual outcomes say of a summarizer that treats variants alike.

    nice python benchmarks/calibrate_outcomes.py [--runs 1000] [--output results.json]

An outcome of a summary is drawn: what its original has, what each edit of the input adds, of the person as of what
should not matter, and what each summary adds. For three levels of noise p-values are to be uniform (the
Kolmogorov-Smirnov test, and how many are at most 0.05), and 95 % intervals over originals are to hold 0. How bias is
found, `power_of_sensitivity.py` says. No text is made, nothing is read from disk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser
from scipy.stats import kstest

from fairsum_utils.families.sensitivity.results import aggregate, sums_of
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.stats.arrays import Floats

MEASURE = "counterfactual_outcomes"
VARIANTS, CONTROLS = ("female", "male"), ("", "place", "date")


class Case(NamedTuple):
    """How noisy the summarizer is.

    Attributes:
        noise: its name.
        edit: what edits of an input add, in standard deviations of originals.
        summary: what summaries of one input add.
    """

    noise: str
    edit: float
    summary: float


CASES = (Case("low", 0.1, 0.1), Case("medium", 0.5, 0.3), Case("high", 1.0, 2.0))


def score(outcomes: Floats, settings: SensitivitySettings) -> dict[str, Any]:
    """The outcome of a data set, shape (originals, variants, controls, replicates)."""
    rows = (
        SensitivityRow(
            index,
            f"original {original}",
            VARIANTS[variant],
            control=CONTROLS[control],
            replicate=str(replicate),
            outcomes={"length": float(outcomes[original, variant, control, replicate])},
        )
        for index, (original, variant, control, replicate) in enumerate(np.ndindex(*outcomes.shape))
    )
    scorer = SensitivityScorer((MEASURE,), settings)
    sums = sums_of(SensitivityTable(rows), [MEASURE], settings, scorer)
    found: dict[str, Any] = aggregate(sums, MEASURE, settings, {})["outcomes"][0]
    return found


def fair(case: Case, originals: int, generator: np.random.Generator) -> Floats:
    """Outcomes to which the person adds what any edit does."""
    inputs = originals, len(VARIANTS), len(CONTROLS)
    has = generator.normal(size=(originals, 1, 1, 1))
    edits = case.edit * generator.normal(size=(*inputs, 1))
    return np.asarray(has + edits + case.summary * generator.normal(size=(*inputs, 2)))


def calibrate(case: Case, runs: int, originals: int) -> dict[str, Any]:
    """What many data sets without bias are like."""
    generator = np.random.default_rng(7)
    settings = SensitivitySettings(outcomes=("length",), confidence_level=0.95, n_permutations=999, n_resamples=500)
    told = [score(fair(case, originals, generator), settings) for _ in range(runs)]
    p_values = np.array([each["p_value"] for each in told])
    ends = [each["difference_ci"] for each in told]
    return {
        **case._asdict(),
        "rejected": float(np.mean(p_values <= 0.05)),
        "kolmogorov_smirnov_p": float(kstest(p_values, "uniform").pvalue),
        "covers": float(np.mean([low <= 0 <= high for low, high in ends])),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--runs", type=int, default=1_000, help="simulated data sets of each level of noise")
    parser.add_argument("--originals", type=int, default=40, help="of a data set")
    options = parser.parse_args(arguments)
    report = {
        "runs": options.runs,
        "originals": options.originals,
        "rows": [calibrate(case, options.runs, options.originals) for case in CASES],
    }
    return finish(report, options.output)


if __name__ == "__main__":
    main()
