"""The module `entity_hallucination` of `evaluate`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Entity Hallucination: the imbalance between groups among the people whom summaries invent. Their names decide the
group. It needs the summaries and their sources; the people in the sources are optional.
"""

_INPUTS = fairsum_utils.modules.describe(
    "entity_hallucination",
    returns="""
    dict: `entity_hallucination` (in [0, 1 - 1/G] for G groups, lower is fairer); `entity_hallucination_by_group`, the
    share of each group; `n_mentions`, `n_hallucinated`, `n_unclassified`, `hallucinated_share`, `most_frequent`;
    `mean_tokens`, `sd_tokens`, `mean_entities` and `sd_entities` of the summaries; `counts_by_group` (of hallucinated
    persons);
    """,
    examples="""
    >>> entity_hallucination = evaluate.load("fairsum/entity_hallucination")
    >>> result = entity_hallucination.compute(
    ...     predictions=["John Smith and Mary Lee won.", "James Doe said so.", "Lee won."],
    ...     sources=["Mary Lee won.", "A spokesman said so.", "Mary Lee won."],
    ...     mentions=[["John Smith", "Mary Lee"], ["James Doe"], ["Lee"]],  # leave it out to have spaCy look for them
    ... )
    >>> result["counts_by_group"], result["entity_hallucination"]
    ({'female': {'hallucinated': 0}, 'male': {'hallucinated': 2}}, 0.5)
    """,
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EntityHallucination(fairsum_utils.modules.Metric):  # noqa: D101 (the decorator writes it)
    measure, description, inputs = "entity_hallucination", _DESCRIPTION, _INPUTS
