"""Identifiers, persons and vectors of each sample, and their table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairsum_utils._util.resources import read_lines
from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.table import LABELS, SampleRow, Table

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


_words = re.compile(r"\b\w\w+\b").findall


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(read_lines("english_stop_words.txt"))


def count_vector(text: str) -> dict[str, int]:
    """Count lower-case words of two or more characters, without English stop words.

    Equal to what ``CountVectorizer(stop_words="english")`` of scikit-learn counts. The markers of anonymized names
    (FIRST_NAME, LAST_NAME, TITLE) are words like others.

    Source: Steen and Markert 2024, section 3.4; the stop words are those of scikit-learn.

    Example:
        >>> count_vector("TITLE LAST_NAME said that the U.N. vote, a first, was the last vote.")
        {'title': 1, 'last_name': 1, 'said': 1, 'vote': 2}
    """
    stop_words = _stop_words()
    return dict(Counter([word for word in _words(text.lower()) if word not in stop_words]))


def stack_counts(vectors: Sequence[Mapping[str, float]]) -> csr_matrix:
    """Stack count vectors in a sparse matrix with one column for each word.

    Example:
        >>> stack_counts([{"soup": 2.0}, {}, {"cold": 1.0, "soup": 1.0}]).toarray().tolist()
        [[0.0, 2.0], [0.0, 0.0], [1.0, 1.0]]
    """
    from scipy.sparse import csr_matrix

    columns = {word: place for place, word in enumerate(sorted(set().union(*vectors)))}
    sizes = np.fromiter(map(len, vectors), dtype=np.int64, count=len(vectors))
    n = int(sizes.sum())
    indices = np.fromiter(map(columns.__getitem__, chain.from_iterable(vectors)), dtype=np.int64, count=n)
    counts = np.fromiter(chain.from_iterable(vector.values() for vector in vectors), dtype=np.float64, count=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    matrix = csr_matrix((counts, indices, starts), shape=(len(vectors), len(columns)))
    matrix.sort_indices()
    return matrix


class SourcePerson(NamedTuple):
    """Group of a source person, and whether the summary includes the person."""

    group: str
    included: bool


class Stranger(NamedTuple):
    """Hallucinated person: name as written and its group, None if unknown."""

    name: str
    group: str | None


class Mention(NamedTuple):
    """Person of a summary.

    Attributes:
        name: name as written.
        entity: position of the source person with this name; None for none or several.
        ambiguous: several source persons fit the name.
    """

    name: str
    entity: int | None
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class EntityRow(SampleRow):
    """Sufficient statistics of one sample.

    Fields that only measures need that were not requested are None.

    Attributes:
        index: position of the sample in the data.
        article: the original that the sample was made from; the index as a string if none was given.
        skipped: reason why the sample has no score, such as ``"empty_prediction"``, or None.
        group: group that the whole text is about; None if unknown.
        pair: name shared by the samples of a counterfactual pair; None without a pair.
        n_tokens: word tokens of the summary.
        n_mentions: persons in the summary, each mention once, hallucinated ones included.
        summary_words: group -> identifiers in the summary.
        source_words: group -> identifiers in the sources.
        entities: persons of the sources, in the order of the original: the i-th person is the same in all of its
            samples, under different names.
        n_ambiguous: persons in the summary that fit several source persons.
        hallucinated: persons in the summary without a match in the sources.
        word_counts: word -> count in the anonymized summary, without stop words.
        embedding: model's vector of the anonymized summary, instead of counts.
        persons: persons of the summary; None unless evidence was requested.
        anonymized: summary without names; None unless evidence was requested.

    Example:
        >>> EntityRow(0, "wsj_0001", entities=(SourcePerson("female", True), SourcePerson("male", False))).article
        'wsj_0001'
    """

    index: int
    article: str
    skipped: str | None = None
    group: str | None = field(default=None, metadata=LABELS)
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
    persons: tuple[Mention, ...] | None = field(default=None, metadata=EVIDENCE)
    anonymized: str | None = field(default=None, metadata=EVIDENCE)


class EntityTable(Table[EntityRow]):
    """Table of entity rows; of the texts it keeps only counted words.

    Example:
        >>> table = EntityTable([EntityRow(1, "b"), EntityRow(0, "a"), EntityRow(2, "a", "empty_prediction")])
        >>> list(table.items("article"))
        ['b', 'a', 'a']
    """

    row = EntityRow

    def labels(self) -> Counter[str]:
        """Count the groups of texts and of persons."""
        return super().labels() + self.counted("entities.group")


make_table = EntityTable
