"""UER, Unfair Error Rate: a module for `evaluate`. The formula lives in `fairsum_utils.measures.uer`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
UER, Unfair Error Rate: how much of its desired share a value of a social attribute lacks in the summary, on average
over the values and the samples. It needs the source texts and the value of each, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "uer",
    returns="""
    dict: `uer` (in [0, 0.5], lower is fairer) and `uer_by_value` (the mean shortfall of each value);
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
