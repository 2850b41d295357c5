"""The module `bur` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
BUR, Binary Unfair Rate: the share of summaries that give some group less than tau times its desired share. It needs
the sources and their groups (for example who wrote each), and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "bur",
    returns="""
    dict: `bur` (in [0, 1], lower is fairer) and `bur_by_value` (the rate at which each group is underrepresented);
    """,
    examples="""
    >>> bur = evaluate.load("fairsum/bur")
    >>> result = bur.compute(
    ...     predictions=["Great soup and friendly staff."],
    ...     sources=[["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]],
    ...     values=[["positive", "positive", "negative"]],
    ... )
    >>> result["bur"]
    1.0
    >>> result["bur_by_value"]["positive"]
    0.0
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class BUR(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "bur", _DESCRIPTION, _INPUTS
