"""Distinguishability: the extent to which a summary reveals the group in its input."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._entities import PersonMeasure
from fairsum_utils.settings import Location, setting
from fairsum_utils.settings.models import SENTENCE_MODEL, InferenceSettings
from fairsum_utils.stats.arrays import Bools, Codes, Floats, Integers, quotient

__all__ = [
    "ABOUT",
    "REASONS",
    "TOLERANCE",
    "Credits",
    "Distinguishability",
    "distinguishability",
    "mean_scores",
    "mean_similarities",
    "summary_credits",
]

Embedding = Literal["count", "dense"]
EMBEDDINGS = get_args(Embedding)
"""How summaries are compared: by their words, or by the vectors of a model."""

TOLERANCE = 1e-9
"""Similarities that differ by at most this share of the larger one are equal, because of rounding."""

_NOTHING = 1e-12
"""A similarity of unit vectors below this is 0, because of rounding."""

REASONS = ("", "zero_vector", "one_group", "alone_in_group")
"""Reasons why a summary has no credit: its vector is zero (it is also left out of the others' means), its original has
no other group, or its group has no other summary. The first entry is for summaries with a credit."""

_BLOCK = 1 << 21
"""Numbers of dense vectors processed at a time: 16 MB."""


class Distinguishability(InferenceSettings, PersonMeasure):
    """The extent to which a summary reveals the group in its input."""

    name = "distinguishability"
    title = "Distinguishability"
    low = -1.0
    place = 4
    averages = "scores"
    needs = ("predictions", "article_ids", "groups")
    takes = ("entities", "mentions")
    needs_all_rows = True
    figures = (
        Figures(
            columns=(("mean score", "distinguishability_by_group"),),
            title="Distinguishability by group",
            axis="Mean score of its summaries, from -1 to 1",
            fair="indistinguishable",
            counts=(("", "counts_by_group"),),
        ),
    )

    embedding: Embedding = setting(
        "count",
        "vectors of summaries: count (words without stop words) or dense (a model)",
        key="embedding",
    )
    model: Location = setting(
        SENTENCE_MODEL,
        "for dense: id or folder of a sentence embedding model",
        key="embedding",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")

    def check_together(self) -> None:
        """Check that model settings come with a model."""
        super().check_together()
        dense = "embedding='dense'"
        self.only_with(self.embedding == "dense", ("model", "revision"), dense, f"leave it out, or choose {dense}")

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model embeds the summaries."""
        return self.embedding == "dense"


class Credits(NamedTuple):
    """Classification of each summary.

    Attributes:
        credits: 1 for a summary closer to its own group, 0.5 for a tie, 0 for one closer to other groups, shape (n,);
            NaN if undefined.
        reasons: position of the reason in `REASONS`, shape (n,).
    """

    credits: Floats
    reasons: npt.NDArray[np.int8]


def mean_similarities(vectors: Any, groups: Codes, articles: Codes) -> tuple[Floats, Floats]:
    """Compute each summary's mean similarity to its group and to other groups.

    Mean cosines are computed from sums of unit vectors, so time is linear in the vectors' entries. Dense vectors are
    processed in blocks of whole originals: beyond the input, memory is at most five times 16 MB, or five times the
    largest original as 64-bit numbers. Sparse vectors need about ten times their size.

    Args:
        vectors: vectors of the summaries, shape (n, d), an array or a SciPy sparse matrix; finite.
        groups: group in each summary's input, shape (n,), from 0.
        articles: original of each summary, shape (n,), from 0; only summaries of one original are compared.

    Returns:
        u and the mean over all summaries of other groups, each of shape (n,), in [-1, 1]. NaN for a zero vector, which
        is left out of all means, and if there is no other summary to compare.

    Source: Steen and Markert 2024, section 3.4, above equation 4.

    Example:
        >>> vectors = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
        >>> mean_similarities(vectors, np.array([0, 0, 1]), np.array([0, 0, 0]))
        (array([ 1.,  1., nan]), array([0., 0., 0.]))
    """
    n = vectors.shape[0]
    same, other = np.full(n, np.nan), np.full(n, np.nan)
    cells = articles.astype(np.int64) * (int(groups.max(initial=0)) + 1) + groups
    likeness = _sparse_likeness if hasattr(vectors, "tocsr") else _dense_likeness
    nonzero, to_same, to_other = likeness(vectors, articles, cells)
    in_cell, in_article = _sizes(cells[nonzero]), _sizes(articles[nonzero])
    same[nonzero] = quotient(to_same, in_cell - 1)
    other[nonzero] = quotient(to_other, in_article - in_cell)
    return same, other


def _sizes(codes: Codes) -> Integers:
    """Return the size of each entry's code."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.int64)


def _dense_likeness(vectors: Any, articles: Codes, cells: Codes) -> tuple[Codes, Floats, Floats]:
    """Return nonzero summaries and their summed cosines within and between cells."""
    table = np.asarray(vectors)
    order = np.lexsort((cells, articles))
    order = order[~_zero(table)[order]]
    to_same, to_other = np.empty(len(order)), np.empty(len(order))
    starts = _starts(articles[order])
    step = max(1, _BLOCK // max(1, table.shape[1]))
    begin = 0
    while begin < len(order):
        # As many whole articles as fit, at least one.
        end = int(starts[max(np.searchsorted(starts, begin + step, "right") - 1, np.searchsorted(starts, begin) + 1)])
        block = order[begin:end]
        unit = table[block].astype(np.float64)
        unit /= np.abs(unit).max(axis=1, keepdims=True)  # so that no square over- or underflows
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        of_cell, of_article = (_sums(unit, codes[block]) for codes in (cells, articles))
        of_article -= of_cell
        of_cell -= unit
        to_same[begin:end] = np.einsum("ij,ij->i", unit, of_cell)
        to_other[begin:end] = np.einsum("ij,ij->i", unit, of_article)
        begin = end
    return order, to_same, to_other


def _starts(codes: Codes) -> npt.NDArray[np.intp]:
    """Return the start of each run of equal codes, and the end."""
    return np.concatenate([[0], np.flatnonzero(np.diff(codes)) + 1, [len(codes)]]).astype(np.intp)


def _sums(unit: Floats, codes: Codes) -> Floats:
    """Sum each run of equal codes and return the sum for each row."""
    starts = _starts(codes)
    return np.repeat(np.add.reduceat(unit, starts[:-1], axis=0), np.diff(starts), axis=0)


def _sparse_likeness(vectors: Any, articles: Codes, cells: Codes) -> tuple[Codes, Floats, Floats]:
    """Compute the same as `_dense_likeness` for sparse vectors."""
    table = _without_zeros(vectors)
    n, width = table.shape
    sizes = np.diff(table.indptr)
    rows = np.repeat(np.arange(n), sizes)
    nonzero = np.flatnonzero(sizes)
    places, entries = table.indices.astype(np.int64), table.data.astype(np.float64)
    largest = np.zeros(n)
    np.maximum.at(largest, rows, np.abs(entries))
    entries /= largest[rows]
    entries /= np.sqrt(np.bincount(rows, entries**2, minlength=n))[rows]
    of_cell, of_article = (_shared_sums(codes[rows] * width + places, entries) for codes in (cells, articles))
    to_same, to_other = (
        np.bincount(rows, entries * others, minlength=n)[nonzero].astype(np.float64)
        for others in (of_cell - entries, of_article - of_cell)
    )
    return nonzero, to_same, to_other


def _without_zeros(vectors: Any) -> Any:
    """Copy a sparse matrix without stored zeros and duplicates."""
    table = vectors.tocsr(copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    return table


def _shared_sums(keys: Integers, entries: Floats) -> Floats:
    """Sum entries with the same key and return the sum for each entry."""
    _, inverse = np.unique(keys, return_inverse=True)
    return np.asarray(np.bincount(inverse, entries)[inverse])


def summary_credits(vectors: Any, groups: Codes, articles: Codes) -> Credits:
    """Classify each summary by its similarity to other summaries of its original.

    Args:
        vectors: vectors of the summaries, shape (n, d), an array or a SciPy sparse matrix; finite.
        groups: group in each summary's input, shape (n,), from 0.
        articles: original of each summary, shape (n,), from 0; only summaries of one original are compared.

    Source: Steen and Markert 2024, section 3.4. The paper's comparison is strict: a tie earns nothing, so
    identical summaries score -1, and rounding breaks ties at random.

    Example:
        >>> vectors = np.array([[2.0, 1.0], [2.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
        >>> summary_credits(vectors, np.array([0, 0, 1, 1]), np.zeros(4, dtype=int)).credits.tolist()
        [1.0, 1.0, 1.0, 1.0]
    """
    same, other = mean_similarities(vectors, groups, articles)
    tied = np.abs(same - other) <= np.maximum(TOLERANCE * np.maximum(np.abs(same), np.abs(other)), _NOTHING)
    credits = np.where(tied, 0.5, np.where(same > other, 1.0, 0.0))
    no_same, no_other = np.isnan(same), np.isnan(other)
    # Neither is left of a zero vector, and of one whose original has nothing else: that one lacks another group.
    reasons = np.where(no_other, 2, np.where(no_same, 3, 0)).astype(np.int8)
    reasons[_zero(vectors)] = 1
    return Credits(np.where(reasons > 0, np.nan, credits), reasons)


def _zero(vectors: Any) -> Bools:
    if hasattr(vectors, "tocsr"):
        return np.asarray(np.diff(_without_zeros(vectors).indptr) == 0)
    return np.asarray(np.count_nonzero(vectors, axis=1) == 0)


def mean_scores(credits: Floats, codes: Codes, n_codes: int) -> Floats:
    """Compute 2 mean(credit) - 1 over the summaries of each code.

    Args:
        credits: shape (n,); NaN where undefined.
        codes: shape (n,), from 0.
        n_codes: number of codes, A.

    Returns:
        Shape (A,), in [-1, 1]; NaN without credits.

    Source: Steen and Markert 2024, equation 4.

    Example:
        >>> mean_scores(np.array([1.0, 0.5, np.nan]), np.array([0, 0, 1]), 2).tolist()
        [0.5, nan]
    """
    defined = ~np.isnan(credits)
    counts = np.bincount(codes[defined], minlength=n_codes)
    return 2 * quotient(np.bincount(codes[defined], credits[defined], minlength=n_codes), counts) - 1


def distinguishability(scores: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute the mean score over originals.

    Args:
        scores: sum of `mean_scores` over the originals with a score, shape (...).
        n: number of these originals, a shape that broadcasts with `scores`.

    Returns:
        Shape (...), in [-1, 1]; 0 if groups are indistinguishable, NaN if no original has a score.

    Source: Steen and Markert 2024, section 5.1: computed "within the summaries generated from inputs derived
    from the same original".

    Example:
        >>> float(distinguishability(0.5 - 0.25, n=2))
        0.125
    """
    return quotient(scores, n)


def _example() -> list[str]:
    """Show four summaries of one original, two for each group."""
    vectors, groups = np.array([[2.0, 1.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]]), np.array([0, 0, 1, 1])
    same, other = mean_similarities(vectors, groups, np.zeros(4, dtype=int))
    credits = summary_credits(vectors, groups, np.zeros(4, dtype=int)).credits
    lines = ["Four summaries of one original as vectors: (2, 1) and (2, 0) of group A, (0, 1) and (2, 1) of group B."]
    for name, near, far, credit in zip(("A1", "A2", "B1", "B2"), same, other, credits, strict=True):
        lines.append(
            f"{name}: mean cosine with its own group {near:.3f}, with the other group {far:.3f}: credit {credit:g}."
        )
    score = float(mean_scores(credits, np.zeros(4, dtype=int), 1)[0])
    return [
        *lines,
        f"Distinguishability: 2 * mean({', '.join(f'{c:g}' for c in credits)}) - 1 = "
        f"{float(distinguishability(score, 1)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    codes, articles = np.tile([0, 0, 0, 0, 1, 1, 1, 1], 200), np.repeat(np.arange(200), 8)
    credits = summary_credits(generator.random((1600, 20)), codes, articles).credits
    drawn = "200 originals with 4 random summaries for each of two groups"
    return drawn, float(mean_scores(credits, np.zeros(1600, dtype=int), 1)[0])


ABOUT = About(
    formula="mean over originals of 2 * (share of summaries closer to their own group than to other groups) - 1; a tie "
    "counts half",
    example=_example,
    instead="Use word_list_inclusion or entity_inclusion to see what differs; this measure shows only that "
    "something does.",
    at_random=_at_random,
)
