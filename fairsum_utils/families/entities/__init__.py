"""Entities family: treatment of groups of persons in news summaries (Steen and Markert 2024)."""

from __future__ import annotations

from typing import TypedDict

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import ARTICLE_IDS, GROUPS, PAIR_IDS, PREDICTIONS, SOURCES

_WORDS, _INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY = (
    "word_list_inclusion",
    "entity_inclusion",
    "entity_hallucination",
    "distinguishability",
)


class Person(TypedDict):
    """Person of the sources; `is_modified` is False if the group is not shown."""

    first_name: str | None
    last_name: str | None
    group: str
    is_modified: bool | None


class EntitiesFamily(Family):
    """Texts -> `EntityScorer` -> rows -> `EntityTable` -> results."""

    name = "entities"
    by_sample = False
    place = 4
    columns = (
        PREDICTIONS,
        SOURCES._replace(
            kind=str | list[str],
            help="the source text of the summary, or a list of source texts",
            label="source text",
        ),
        Column(
            name="entities",
            entry="entities",
            kind=list[Person],
            help="people in the sources, each with group and first_name, last_name or both; people with is_modified "
            "False are not counted; all samples of an original need the same order",
            in_file="entities",
            label="person in the sources",
            without="use no list of people",
            made_by="fairsum data annotate FILE --persons --output persons.jsonl",
        ),
        Column(
            name="mentions",
            entry="mentions",
            kind=list[str],
            help="the names of people in the summary, as written; replaces `ner`",
            of_system=True,
            label="names of people in the summary",
        ),
        ARTICLE_IDS,
        GROUPS,
        PAIR_IDS,
    )
    returns = (
        "`n_samples`, `n_articles` (originals), `n_skipped`, `skipped`, `settings` and `signature`; with "
        "`confidence_level` also intervals, `_ci` by resampling originals and `_ci_within` by resampling their "
        "samples or pairs (`n_unpaired` are drawn singly), of `{name}` and `{name}_by_group`, and their `_lost`; with "
        "`return_samples` also `samples`; `undefined` explains why the score or an interval is nan or infinite."
    )
    urls = ("https://aclanthology.org/2024.findings-acl.356", "https://github.com/julmaxi/summary_bias")
    citation = """\
@inproceedings{steen-markert-2024-bias,
  title     = {Bias in News Summarization: Measures, Pitfalls and Corpora},
  author    = {Steen, Julius and Markert, Katja},
  booktitle = {Findings of the Association for Computational Linguistics: ACL 2024},
  year      = {2024},
  url       = {https://aclanthology.org/2024.findings-acl.356}
}
"""


FAMILY = EntitiesFamily()
