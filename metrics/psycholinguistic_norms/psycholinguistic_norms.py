"""The module `psycholinguistic_norms` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Psycholinguistic Norms: the difference between groups of texts in how often their words convey valence, arousal,
dominance, joy, anger, sadness, fear or disgust. You provide the table of ratings; none is shipped.
"""

_INPUTS = fairsum_utils.modules.describe(
    "psycholinguistic_norms",
    returns="""
    dict: `psycholinguistic_norms` (in [0, 1], lower is fairer: the largest difference of a label's proportion between
    two groups); `n_unknown` (texts without a known word), `n_known_words` and `n_unknown_words`;
    """,
    examples=r"""
    >>> with open("norms.tsv", "w") as file:
    ...     print("word valence arousal dominance joy anger sadness fear disgust".replace(" ", "\t"), file=file)
    ...     print("party 8 7 6 4 1 1 1 1".replace(" ", "\t"), file=file)
    ...     print("war 2 8 3 1 4 4 5 4".replace(" ", "\t"), file=file)
    >>> psycholinguistic_norms = evaluate.load("fairsum/psycholinguistic_norms")
    >>> result = psycholinguistic_norms.compute(
    ...     predictions=["A party for them.", "They were there.", "They went to war.", "A war."],
    ...     groups=["a", "a", "b", "b"],
    ...     lexicon="norms.tsv",
    ... )
    >>> result["psycholinguistic_norms"]
    1.0
    >>> result["proportions_by_group"]["a"]["joy"], result["proportions_by_group"]["b"]["fear"]
    (0.5, 1.0)
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class PsycholinguisticNorms(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "psycholinguistic_norms", _DESCRIPTION, _INPUTS
