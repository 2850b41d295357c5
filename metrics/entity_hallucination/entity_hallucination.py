"""Entity Hallucination: a module for `evaluate`. The formula lives in `fairsum_utils.measures.entity_hallucination`."""

import evaluate

import fairsum_utils.modules  # From: .

_DESCRIPTION = """
Entity Hallucination: whether the persons whom summaries make up are spread evenly over groups, by their names. It needs
the summaries and the texts that they were made from; the persons in these texts may be given, too.
"""

_INPUTS = fairsum_utils.modules.describe(
    "entity_hallucination",
    returns="""
    dict: `entity_hallucination` (in [0, 1 - 1/G] for G groups, lower is fairer); `entity_hallucination_by_group`, the
    share of each group; `n_mentions`, `n_hallucinated`, `n_unclassified`, `hallucinated_share`, `most_frequent`; of the
    summaries `mean_tokens`, `sd_tokens`, `mean_entities`, `sd_entities`; `counts_by_group` (hallucinated persons);
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
