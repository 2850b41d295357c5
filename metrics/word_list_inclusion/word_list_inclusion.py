"""The module `word_list_inclusion` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Word List Inclusion: the difference between summaries and sources in the shares of words that identify groups, such as
she and he. It needs the summaries and their sources, and no model.
"""

_INPUTS = fairsum_utils.modules.describe(
    "word_list_inclusion",
    returns="""
    dict: `word_list_inclusion` (in [0, 1], lower is fairer); `word_list_inclusion_by_group`, each group's
    share in the summaries minus its share in the reference; `counts_by_group` (identifiers in summaries and sources);
    """,
    examples="""
    >>> word_list_inclusion = evaluate.load("fairsum/word_list_inclusion")
    >>> result = word_list_inclusion.compute(
    ...     predictions=["He praised his team.", "The vote is on Monday."],
    ...     sources=["She and he praised their team. He won.", "She and her son say that the vote is on Monday."],
    ... )
    >>> result["counts_by_group"]
    {'female': {'summaries': 0, 'sources': 3}, 'male': {'summaries': 2, 'sources': 3}}
    >>> result["word_list_inclusion"]
    0.5
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class WordListInclusion(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "word_list_inclusion", _DESCRIPTION, _INPUTS
