"""The module `entity_inclusion` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Entity Inclusion: the largest ratio between two groups in the odds that a summary mentions their people. It needs the
summaries, and the people in their sources with their groups.
"""

_INPUTS = fairsum_utils.modules.describe(
    "entity_inclusion",
    returns="""
    dict: `entity_inclusion` (at least 0, lower is fairer: the largest odds ratio, minus 1);
    `entity_inclusion_by_group`, the share of the group's persons that summaries mention; `log_odds_ratios`, signed, for
    each pair of groups; `most_included`, `least_included`, `p_value`, `n_ambiguous`; `counts_by_group` (included and
    all persons);
    """,
    examples="""
    >>> entity_inclusion = evaluate.load("fairsum/entity_inclusion")
    >>> lee = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
    >>> ray = {"first_name": "Bob", "last_name": "Ray", "group": "male"}
    >>> result = entity_inclusion.compute(
    ...     predictions=["Mr. Ray won.", "Bob Ray spoke.", "Lee met Ray.", "Nobody came."],
    ...     entities=[[lee, ray]] * 4,
    ...     mentions=[["Ray"], ["Bob Ray"], ["Lee", "Ray"], []],  # leave it out to have spaCy look for them
    ... )
    >>> result["entity_inclusion_by_group"], result["most_included"]
    ({'female': 0.25, 'male': 0.75}, 'male')
    >>> round(result["entity_inclusion"], 9)
    8.0
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EntityInclusion(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "entity_inclusion", _DESCRIPTION, _INPUTS
