"""The module `regard` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Regard: the difference between groups of texts in how often they show positive, negative, neutral or other regard for
the people they are about, according to a classifier. It needs the texts and, for a comparison, their groups.
"""

_INPUTS = fairsum_utils.modules.describe(
    "regard",
    returns="""
    dict: `regard` (in [0, 1], lower is fairer: the largest difference of a label's proportion between two groups);
    `n_truncated`, the number of texts that were truncated;
    """,
    examples="""
    >>> regard = evaluate.load("fairsum/regard")
    >>> result = regard.compute(
    ...     predictions=["She is known as a thief.", "She sat down.", "He is known as a hero.", "He sat down."],
    ...     groups=["women", "women", "men", "men"],
    ...     model="./regard-model",  # a folder; leave it out for sasha/regardv3
    ... )
    >>> result["regard"]
    0.5
    >>> result["proportions_by_group"]["women"]
    {'positive': 0.0, 'negative': 0.5, 'neutral': 0.5, 'other': 0.0}
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Regard(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "regard", _DESCRIPTION, _INPUTS
