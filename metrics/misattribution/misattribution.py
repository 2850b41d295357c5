"""The module `misattribution` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Misattribution: the share of claims in the summary of a meeting or debate that name one speaker, although only another
speaker's turns support them. It needs the turns and their speakers, and no reference summary.
"""

_INPUTS = fairsum_utils.modules.describe(
    "misattribution",
    returns="""
    dict: `misattribution` (in [0, 1], lower is fairer), `n_claims`, `n_misattributed`, `n_unsupported`, `inclusion`
    (share of speakers whom the summaries name),
    """,
    examples="""
    >>> misattribution = evaluate.load("fairsum/misattribution")
    >>> result = misattribution.compute(
    ...     predictions=["Ms Lee said that costs rose. Mr Park said that rents fell."],
    ...     sources=[["Costs rose again.", "Rents fell.", "We should meet again."]],
    ...     values=[["Mr Park", "Mr Park", "Ms Lee"]],
    ... )
    >>> result["misattribution"]
    0.5
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Misattribution(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "misattribution", _DESCRIPTION, _INPUTS
