"""Entities family: treatment of groups of persons in news summaries (papers/news-summarization-bias)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import ARTICLE_IDS, GROUPS, PAIR_IDS, PREDICTIONS, SOURCES
from fairsum_utils.families.reading import Reads
from fairsum_utils.measures._entities import EntityMeasure

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


class EntitiesFamilyFamily(Family):
    """Texts -> `EntityScorer` -> rows -> `EntityTable` -> results."""

    name = "entities"
    by_sample = False
    place = 4
    columns = (
        PREDICTIONS._replace(needed=True),
        SOURCES._replace(
            kind=str | list[str],
            help="the source text of the summary, or a list of source texts",
            needed=(_WORDS, _HALLUCINATION),
            taken=(_WORDS, _HALLUCINATION),
            label="source text",
        ),
        Column(
            name="entities",
            entry="entities",
            kind=list[Person],
            help="people in the sources, each with group and first_name, last_name or both; people with is_modified "
            "False are not counted; all samples of an original need the same order",
            needed=(_INCLUSION,),
            taken=(_INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY),
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
            taken=(_INCLUSION, _HALLUCINATION, _DISTINGUISHABILITY),
            of_system=True,
            label="names of people in the summary",
        ),
        ARTICLE_IDS._replace(needed=(_DISTINGUISHABILITY,)),
        GROUPS._replace(needed=(_DISTINGUISHABILITY,), taken=(_DISTINGUISHABILITY,)),
        PAIR_IDS._replace(taken=(_WORDS, _INCLUSION, _HALLUCINATION)),
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

    def reads(self, measure: str, settings: Mapping[str, Any]) -> Reads:
        """Return whether words between spaces are counted, and whether the word lists are English."""
        counts_words = measure == _WORDS
        return Reads(words=counts_words, english=counts_words and isinstance(settings["word_lists"], str))

    def uses_model(self, measures: Collection[str], settings: EntityMeasure, given: Collection[str]) -> bool:
        """Check whether a neural model embeds the summaries."""
        return getattr(settings, "embedding", "count") == "dense"

    def needs_all_rows(self, measures: Collection[str]) -> bool:
        """Check whether summaries are compared with those of other samples."""
        return _DISTINGUISHABILITY in measures


FAMILY = EntitiesFamilyFamily()
