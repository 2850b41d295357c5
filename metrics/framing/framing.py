"""The module `framing` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Framing: the share of summaries whose sentiment (negative, neutral or positive) differs from that of their sources. It
needs the sources and no reference summary; with groups, it also compares the summary with each group.
"""

_INPUTS = fairsum_utils.modules.describe(
    "framing",
    returns="""
    dict: `framing` (in [0, 1], lower is fairer), `framing_by_value`, `framing_mixed` (over the `n_mixed` samples with
    positive and negative source sentences), `from_to` (class of the sources -> class of the summary -> number), `shift`
    (in classes; positive: the summaries are more positive), `shift_by_value`, `source_sentiment`, `summary_sentiment`;
    with `at_random` also `framing_by_value_at_random`, `framing_mixed_at_random`, `from_to_at_random` and
    `shift_at_random`;
    """,
    examples="""
    >>> framing = evaluate.load("fairsum/framing")
    >>> result = framing.compute(
    ...     predictions=["Great soup and friendly staff.", "The food was awful."],
    ...     sources=[["Great soup!", "Cold soup, slow service."], ["The bread was nice.", "The food was awful."]],
    ... )
    >>> result["framing"]
    0.5
    >>> result["from_to"]["neutral"]
    {'negative': 1, 'neutral': 0, 'positive': 0}
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Framing(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "framing", _DESCRIPTION, _INPUTS
