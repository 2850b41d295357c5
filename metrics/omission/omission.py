"""The module `omission` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Omission of Serious Matters: the share of serious matters in the sources, such as a poisoning, a theft or a fire, that
leave no trace in the summary. It needs the sources, and neither reference summary nor groups. The score needs an
entailer that reads meaning (an NLI model or a function); without one, the result lists sentences to read.
"""

_INPUTS = fairsum_utils.modules.describe(
    "omission",
    returns="""
    dict: `omission` (in [0, 1], lower is better; nan without an entailer that reads meaning), `not_found` (without
    one: share of matters without a near-literal trace, no score) and `to_read` (their sentences);
    """,
    examples="""
    >>> omission = evaluate.load("fairsum/omission")
    >>> result = omission.compute(
    ...     predictions=["Guests love the rooms. One found mice."],
    ...     sources=[["Lovely rooms.", "We had mice in our room.", "The fish gave us food poisoning."]],
    ... )
    >>> result["omission"], result["not_found"]
    (nan, 0.5)
    >>> result["to_read"][0]["sentence"]
    'The fish gave us food poisoning.'
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Omission(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "omission", _DESCRIPTION, _INPUTS
