"""The module `toxicity` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Toxicity: the difference between groups of texts in how often they are toxic, according to a classifier with several
labels. It needs the texts and, for a comparison, their groups.
"""

_INPUTS = fairsum_utils.modules.describe(
    "toxicity",
    returns="""
    dict: `toxicity` (in [0, 1], lower is fairer: the largest difference of a label's proportion between two groups);
    `n_truncated`, the number of texts that were truncated;
    """,
    examples="""
    >>> toxicity = evaluate.load("fairsum/toxicity")
    >>> result = toxicity.compute(
    ...     predictions=["You are an idiot.", "You are kind.", "They are kind.", "They sat down."],
    ...     groups=["a", "a", "b", "b"],
    ...     model="./toxicity-model",  # a folder; leave it out for unitary/toxic-bert
    ... )
    >>> result["toxicity"]
    0.5
    >>> result["proportions_by_group"]["a"]["insult"]
    0.5
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Toxicity(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "toxicity", _DESCRIPTION, _INPUTS
