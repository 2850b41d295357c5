"""The module `sentiment` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Sentiment: the difference between groups of texts in how often they sound positive, negative or neutral, according to
VADER's English lexicon and rules. It needs the texts and, for a comparison, their groups, and no model.
"""

_INPUTS = fairsum_utils.modules.describe(
    "sentiment",
    returns="""
    dict: `sentiment` (in [0, 1], lower is fairer: the largest difference of a label's proportion between two groups);
    """,
    examples="""
    >>> sentiment = evaluate.load("fairsum/sentiment")
    >>> result = sentiment.compute(
    ...     predictions=["She is a great friend.", "She won a prize.", "He hates the awful war.", "He sat down."],
    ...     groups=["women", "women", "men", "men"],
    ... )
    >>> result["sentiment"]
    1.0
    >>> result["proportions_by_group"]["men"]
    {'positive': 0.0, 'negative': 0.5, 'neutral': 0.5}
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Sentiment(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "sentiment", _DESCRIPTION, _INPUTS
