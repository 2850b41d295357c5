"""The module `position_bias` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Position Bias: the unevenness with which the content of summaries comes from the first, middle and last third of their
sources. It needs the sources in the order of the input, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "position_bias",
    returns="""
    dict: `position_bias` (in [0, 2/3], lower is fairer), `share_by_third`, `most_by_third` (share of summaries that
    take most from a third), `curve` (share from each tenth of the source words), `mean_position` (in [0, 1]),
    `n_sentences`, `n_unmatched_sentences`; with `confidence_level` also `share_by_third_ci`, `mean_position_ci`,
    `mean_position_ci_lost` and `mean_position_sd`; with `at_random` also `share_by_third_at_random`,
    `most_by_third_at_random`, `curve_at_random` and `mean_position_at_random`;
    """,
    examples="""
    >>> position_bias = evaluate.load("fairsum/position_bias")
    >>> result = position_bias.compute(
    ...     predictions=["The soup is great. The soup is cold."],
    ...     sources=[["Great soup!", "Friendly staff.", "Cold soup."]],
    ... )
    >>> result["share_by_third"]
    {'first': 0.5, 'middle': 0.0, 'last': 0.5}
    >>> round(result["position_bias"], 4)  # half of 1/6 + 1/3 + 1/6
    0.3333
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class PositionBias(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "position_bias", _DESCRIPTION, _INPUTS
