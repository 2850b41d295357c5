"""What scoring says of one sample: the sufficient statistics of every measure of the family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fairsum_utils.families.table import evidence

__all__ = ["EntityRow", "Mention", "SourcePerson", "Stranger"]


class SourcePerson(NamedTuple):
    """The group of a person of the sources, and whether the summary includes the person."""

    group: str
    included: bool


class Stranger(NamedTuple):
    """A hallucinated person: the name as written, and its group, or None where the classifier knows none."""

    name: str
    group: str | None


class Mention(NamedTuple):
    """A person of a summary.

    Attributes:
        name: as written.
        entity: position of the source's person whom the name tells; None for none, or for several.
        ambiguous: whether the name fits several.
    """

    name: str
    entity: int | None
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class EntityRow:
    """The sufficient statistics of one sample. Rows from any number of processes may be put together.

    What only a measure needs that was not asked for is None.

    Attributes:
        index: position of the sample in the data.
        article: the original that the sample was made from; the index as a string if none was given.
        skipped: why the sample is not scored, such as ``"empty_prediction"``, or None.
        group: that the whole text is about; None if not given.
        pair: the samples of the original that were made together with it; None for none.
        n_tokens: word tokens of the summary.
        n_mentions: persons that the summary names, each mention once; the hallucinated ones are among them.
        summary_words: group -> identifiers in the summary.
        source_words: group -> identifiers in the sources.
        entities: the persons of the sources. They stand in the order of the original, so that the i-th persons of its
            samples are the same one under different names.
        n_ambiguous: persons named in the summary that fit several source entities.
        hallucinated: persons named in the summary without a match in the sources.
        word_counts: of the anonymized summary: word -> count, without stop words.
        embedding: of the anonymized summary by a model, instead of counts.
        persons: the persons of the summary; None unless evidence was asked for.
        anonymized: the summary without names; None unless evidence was asked for.
        content: digest of what the sample is, whatever the system; 0 if not known.

    Example:
        >>> EntityRow(0, "wsj_0001", entities=(SourcePerson("female", True), SourcePerson("male", False))).article
        'wsj_0001'
    """

    index: int
    article: str
    skipped: str | None = None
    group: str | None = None
    pair: str | None = None
    n_tokens: int = 0
    n_mentions: int | None = None
    summary_words: Mapping[str, int] | None = None
    source_words: Mapping[str, int] | None = None
    entities: tuple[SourcePerson, ...] | None = None
    n_ambiguous: int = 0
    hallucinated: tuple[Stranger, ...] | None = None
    word_counts: Mapping[str, int] | None = None
    embedding: tuple[float, ...] | None = None
    persons: tuple[Mention, ...] | None = field(default=None, metadata=evidence())
    anonymized: str | None = field(default=None, metadata=evidence())
    content: int = field(default=0, compare=False)
