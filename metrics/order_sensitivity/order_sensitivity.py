"""The module `order_sensitivity` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Order Sensitivity: the preference of summaries for the sources that come first. Each set of sources is summarized in
several orders, so that differences between the sources cancel out.
"""

_INPUTS = fairsum_utils.modules.describe(
    "order_sensitivity",
    returns="""
    dict: `order_sensitivity` (in [-1, 1]; above 0 if summaries prefer early sources, below 0 if late ones);
    `matcher`, `p_value`, `p_method`, `by_matcher` (the matchers side by side), `parts` (thirds by place),
    `first_values` (the gain of a group from coming first), `scores_by_order` (bur, uer and equal_coverage of each
    variant), `n_articles_scored`, `n_one_order`, `n_unmatched`;
    """,
    examples="""
    >>> order_sensitivity = evaluate.load("fairsum/order_sensitivity")
    >>> result = order_sensitivity.compute(
    ...     predictions=["Tasty soup.", "Slow staff."],
    ...     article_ids=["1", "1"],
    ...     variants=["good first", "bad first"],
    ...     sources=[["Tasty soup.", "Slow staff."], ["Slow staff.", "Tasty soup."]],
    ...     values=[["good", "bad"], ["bad", "good"]],
    ... )
    >>> result["order_sensitivity"], [(each["value"], each["gain"]) for each in result["first_values"]]
    (1.0, [('bad', 1.0), ('good', 1.0)])
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class OrderSensitivity(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "order_sensitivity", _DESCRIPTION, _INPUTS
