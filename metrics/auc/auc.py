"""The module `auc` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
AUC, Area Under the BUR Curve: the Binary Unfair Rate, averaged over all tolerances from 0 to 1, so that no tolerance
has to be chosen. It needs the sources and their groups, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "auc",
    returns="""
    dict: `auc` (in [0, 1], lower is fairer) and `auc_by_value` (the same, for each group alone);
    """,
    examples="""
    >>> auc = evaluate.load("fairsum/auc")
    >>> result = auc.compute(
    ...     predictions=["Great soup and friendly staff."],
    ...     sources=[["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]],
    ...     values=[["positive", "positive", "negative"]],
    ... )
    >>> result["auc"]
    0.5
    >>> result["signature"]
    'matcher:ngram|k:1|norm:fairsumm|points:exact|target:ratio|empty:skip|v:0.1.0'
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class AUC(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "auc", _DESCRIPTION, _INPUTS
