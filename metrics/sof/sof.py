"""The module `sof` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
SOF, Second-Order Fairness: the spread of the mean shortfalls of groups over the whole data set. It shows whether the
same groups always lose. It needs the sources and their groups, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "sof",
    returns="""
    dict: `sof` (in [0, 0.5], lower is fairer) and `sof_by_value` (m_v, the mean shortfall of each group);
    """,
    examples="""
    >>> sof = evaluate.load("fairsum/sof")
    >>> result = sof.compute(
    ...     predictions=["Great soup and friendly staff."],
    ...     sources=[["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]],
    ...     values=[["positive", "positive", "negative"]],
    ... )
    >>> result["sof"]
    0.1
    >>> result["sof_by_value"]["negative"]
    0.2
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class SOF(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "sof", _DESCRIPTION, _INPUTS
