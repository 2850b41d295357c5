"""Counterfactual Pairs: a module for `evaluate`. The formula lives in `fairsum_utils.measures.counterfactual_pairs`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Counterfactual Pairs: how unlike the responses to two variants of an input are, or how far apart their sentiment, as the
package langfair measures it: cosine, ROUGE-L, BLEU, strict and weak parity of sentiment.
"""

_INPUTS = fairsum_utils.modules.describe(
    "counterfactual_pairs",
    returns="""
    dict: `counterfactual_pairs` (in [0, 2], lower is fairer: 1 - similarity, or the parity without a sign, of those two
    variants that are farthest apart); `langfair`, the number that langfair gives for them; `pairs` (two variants each);
    `n_pairs`, `n_without_counterpart`;
    """,
    examples="""
    >>> counterfactual_pairs = evaluate.load("fairsum/counterfactual_pairs")
    >>> result = counterfactual_pairs.compute(
    ...     predictions=["She won the cup.", "He won the cup.", "She lost badly.", "He won again."],
    ...     article_ids=["1", "1", "2", "2"],
    ...     variants=["female", "male"] * 2,
    ... )
    >>> round(result["langfair"], 9), round(result["counterfactual_pairs"], 9), result["n_pairs"]
    (0.666666667, 0.333333333, 2)
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class CounterfactualPairs(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "counterfactual_pairs", _DESCRIPTION, _INPUTS
