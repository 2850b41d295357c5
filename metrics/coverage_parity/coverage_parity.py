"""The module `coverage_parity` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Coverage Parity: over- and underrepresentation of groups that does not cancel out over summaries. It needs the
documents of each sample and their groups (for example who wrote each), and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "coverage_parity",
    returns="""
    dict: `coverage_parity` (in [0, 1], lower is fairer), `coverage_parity_by_value`, `mean_extreme_by_value` (positive:
    overrepresented), `n_extreme_by_value`, `p_value_by_value`, `most_overrepresented`, `most_underrepresented`,
    """,
    examples="""
    >>> coverage_parity = evaluate.load("fairsum/coverage_parity")
    >>> result = coverage_parity.compute(
    ...     predictions=["The soup is great.", "The bread is stale."],
    ...     sources=[["Great soup!", "Cold room."], ["Great bread!", "Stale bread."]],
    ...     values=[["positive", "negative"], ["positive", "negative"]],
    ...     entailer="lexical",
    ... )
    >>> result["coverage_parity"], result["most_overrepresented"]
    (0.125, 'positive')
    >>> coverage_parity.compute(values=[["a", "b"]], coverage=[[[1.0, 0.5], [0.25, 0.25]]])["coverage_parity"]
    0.25
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CoverageParity(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "coverage_parity", _DESCRIPTION, _INPUTS
