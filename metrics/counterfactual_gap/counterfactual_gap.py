"""The module `counterfactual_gap` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Counterfactual Gap: does the summary change more when the person changes than it does between runs, or after an edit
that should not matter? It needs summaries of several variants of each original.
"""

_INPUTS = fairsum_utils.modules.describe(
    "counterfactual_gap",
    returns="""
    dict: `counterfactual_gap` (in [-1, 1]; 0 if the variant makes no more difference than the floor); `floor`
    ("controls" or "replicates"), `between`, `within`, `p_value`, `p_method`, `p_undefined`; `pairs` (of variants);
    `n_articles_scored`, `left_out` (originals without a gap, with reasons), `remarks`, `n_wordless`;
    """,
    examples="""
    >>> counterfactual_gap = evaluate.load("fairsum/counterfactual_gap")
    >>> result = counterfactual_gap.compute(
    ...     predictions=["Ann won in Rome.", "Ann won in Oslo.", "Bob lost in Rome.", "Bob lost in Oslo."],
    ...     article_ids=["1"] * 4,
    ...     variants=["female", "female", "male", "male"],
    ...     controls=[None, "city", None, "city"],
    ...     changed=[["Ann", "Rome"], ["Ann", "Oslo"], ["Bob", "Rome"], ["Bob", "Oslo"]],
    ... )
    >>> round(result["counterfactual_gap"], 9), result["within"], result["floor"]
    (0.166666667, 0.0, 'controls')
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CounterfactualGap(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "counterfactual_gap", _DESCRIPTION, _INPUTS
