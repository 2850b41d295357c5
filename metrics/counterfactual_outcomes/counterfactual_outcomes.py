"""The module `counterfactual_outcomes` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Counterfactual Outcomes: the largest difference in length, sentiment, reading level or another outcome of a summary
when only the person in its input changes, in standard deviations. It needs summaries of several variants of each
original.
"""

_INPUTS = fairsum_utils.modules.describe(
    "counterfactual_outcomes",
    returns="""
    dict: `counterfactual_outcomes` (at least 0, lower is fairer: the largest mean difference between two variants, in
    standard deviations of the outcome); `largest` (outcome and variants of this difference), `p_value`, `floor`;
    `outcomes` (signed difference, test and floor of each outcome and pair of variants); `n_articles_scored`;
    """,
    examples="""
    >>> counterfactual_outcomes = evaluate.load("fairsum/counterfactual_outcomes")
    >>> result = counterfactual_outcomes.compute(
    ...     predictions=["Ann won.", "Bob won. He may run again.", "Eve left.", "Tom left, perhaps. He was great."],
    ...     article_ids=["1", "1", "2", "2"],
    ...     variants=["female", "male"] * 2,
    ...     changed=[["Ann"], ["Bob"], ["Eve"], ["Tom"]],
    ...     outcomes=["units", "length"],
    ... )
    >>> [(each["outcome"], each["mean_a"], each["mean_b"], each["difference"]) for each in result["outcomes"]]
    [('units', 1.0, 2.0, -1.0), ('length', 2.0, 6.0, -4.0)]
    >>> round(result["counterfactual_outcomes"], 9), result["largest"]["outcome"], result["outcomes"][0]["p_value"]
    (2.0, 'units', 0.5)
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CounterfactualOutcomes(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "counterfactual_outcomes", _DESCRIPTION, _INPUTS
