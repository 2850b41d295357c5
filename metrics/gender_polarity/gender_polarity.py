"""The module `gender_polarity` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Gender Polarity: the difference between groups of texts, for example on different professions, in how often they
express the male or female gender. It counts words or weighs their polarity, and needs no model.
"""

_INPUTS = fairsum_utils.modules.describe(
    "gender_polarity",
    returns="""
    dict: `gender_polarity` (in [0, 1], lower is fairer: the largest difference of a label's proportion between two
    groups); `n_ties`, `n_unknown` (texts without a known word), `n_male_words`, `n_female_words`, `n_known_words` and
    `n_unknown_words`;
    """,
    examples="""
    >>> gender_polarity = evaluate.load("fairsum/gender_polarity")
    >>> result = gender_polarity.compute(
    ...     predictions=["A nurse and her ward.", "A nurse cares.", "An engineer and his plan.", "He engineers."],
    ...     groups=["nurse", "nurse", "engineer", "engineer"],
    ... )
    >>> result["gender_polarity"]
    1.0
    >>> result["proportions_by_group"]["nurse"]
    {'male': 0.0, 'female': 0.5, 'neutral': 0.5}
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class GenderPolarity(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "gender_polarity", _DESCRIPTION, _INPUTS
