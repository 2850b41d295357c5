"""The module `equal_coverage` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Equal Coverage: the difference between a summary's coverage of each group's documents and its coverage of all
documents. It needs the documents and their groups (for example who wrote each), and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "equal_coverage",
    returns="""
    dict: `equal_coverage` (in [0, 1], lower is fairer), `equal_coverage_by_value`, `difference_by_value` (positive:
    overrepresented), `expected_equal_coverage` (under random labels), `r_ec` (share of samples with a significant
    difference; with `confidence_level` also `r_ec_ci` and `r_ec_ci_lost`), `n_can_reach_significance`,
    """,
    examples="""
    >>> equal_coverage = evaluate.load("fairsum/equal_coverage")
    >>> result = equal_coverage.compute(
    ...     predictions=["The soup is great. The staff is friendly."],
    ...     sources=[["Great soup!", "Friendly staff, great soup.", "Cold soup, slow service."]],
    ...     values=[["positive", "positive", "negative"]],
    ...     entailer="lexical",
    ... )
    >>> result["equal_coverage"]
    0.25
    >>> equal_coverage.compute(values=[["a", "b"]], coverage=[[[1.0, 0.5], [0.25, 0.25]]])["equal_coverage"]
    0.25
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EqualCoverage(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "equal_coverage", _DESCRIPTION, _INPUTS
