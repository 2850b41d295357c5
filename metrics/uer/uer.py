"""The module `uer` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
UER, Unfair Error Rate: the share of the summary that a group lacks, on average over groups and samples. It needs the
sources and their groups, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "uer",
    returns="""
    dict: `uer` (in [0, 0.5], lower is fairer) and `uer_by_value` (the mean shortfall of each group);
    """,
    examples="""
    >>> uer = evaluate.load("fairsum/uer")
    >>> result = uer.compute(
    ...     predictions=["Great soup and friendly staff."],
    ...     sources=[["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]],
    ...     values=[["positive", "positive", "negative"]],
    ... )
    >>> result["uer"]
    0.1
    >>> result["uer_by_value"]["negative"]
    0.2
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class UER(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "uer", _DESCRIPTION, _INPUTS
