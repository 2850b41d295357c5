"""Coverage Parity: a module for `evaluate`. The formula lives in `fairsum_utils.measures.coverage_parity`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Coverage Parity: whether the same value of a social attribute is the most over- or underrepresented one in summary after
summary. It needs the documents of each sample and the value of each (who wrote it, say), and no reference summary.
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
