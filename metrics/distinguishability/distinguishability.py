"""The module `distinguishability` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Distinguishability: can you recognize the group in the input from a summary, even without names and pronouns? Each
summary is compared with other summaries of the same original. It needs summaries of several variants of each
original.
"""

_INPUTS = fairsum_utils.modules.describe(
    "distinguishability",
    returns="""
    dict: `distinguishability` (in [-1, 1]: 0 for no better than chance, 1 if groups are always recognized);
    `distinguishability_by_group`, `n_articles_scored`, `n_undefined` and `undefined_summaries` (numbers of summaries
    that could not be compared, by reason); `counts_by_group` (summaries);
    """,
    examples="""
    >>> distinguishability = evaluate.load("fairsum/distinguishability")
    >>> result = distinguishability.compute(
    ...     predictions=["Ann loved her family.", "Eve loved her family.", "Bob won his cup.", "Tom won his cup."],
    ...     groups=["female", "female", "male", "male"],
    ...     article_ids=["wsj_1", "wsj_1", "wsj_1", "wsj_1"],
    ...     mentions=[["Ann"], ["Eve"], ["Bob"], ["Tom"]],  # leave it out to have spaCy look for them
    ... )
    >>> result["distinguishability"]
    1.0
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Distinguishability(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "distinguishability", _DESCRIPTION, _INPUTS
