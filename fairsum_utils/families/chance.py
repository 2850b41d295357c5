"""Chance levels: scores of random summaries of the same samples.

Each family draws random summaries while it scores, seeded by the texts of a sample, and keeps them in its rows. So
every figure here comes from rows or their sums, and parts of a data set add up to the whole. The number of draws of a
sample is fixed, and the error that they leave is stated.
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import accumulate
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import get_measure
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import Sums

if TYPE_CHECKING:
    from fairsum_utils.families.table import Table

RANGE = f"{100 * USUAL_LEVEL:g}%"
"""Share of random data sets whose score lies in the range of a chance level."""
_REACH = NormalDist().inv_cdf((1 + USUAL_LEVEL) / 2)
"""Standard errors that this range reaches to each side."""

DRAWN = ("at_random",)
"""Count of the samples that have random summaries."""
N_DRAWS = 20
"""Random summaries of a sample."""
N_JUDGED = 5
"""The same if their sentences are judged for them alone."""
_EDGES = f"{string.punctuation}…"
_MEAN, _VARIANCE, _ERROR = "at_random", "at_random_variance", "at_random_error"
"""Names of sums: of the mean over a sample's draws, of the variance of one draw, and of that of the mean."""
_NOT_ALL = "some samples have no random summaries"


class ChanceLevel(NamedTuple):
    """Mean score of random summaries.

    Attributes:
        score: mean over the draws; NaN if not available.
        error: its standard error, because the number of draws is limited.
        ends: range of 95% of the scores of random data sets; None if unknown.
        reason: reason why the level is not available; empty if it is.
    """

    score: float = math.nan
    error: float = math.nan
    ends: tuple[float, float] | None = None
    reason: str = ""

    def keys(self, name: str) -> dict[str, Any]:
        """Return the entries of a result.

        Example:
            >>> ChanceLevel(0.25, 0.125).keys("uer")
            {'uer_at_random': 0.25, 'uer_at_random_error': 0.125}
            >>> ChanceLevel(reason="no sample was scored").keys("uer")
            {'uer_at_random': nan, 'at_random_undefined': 'no sample was scored'}
        """
        found: dict[str, Any] = {f"{name}_at_random": self.score}
        if self.reason:
            return {**found, "at_random_undefined": self.reason}
        found[f"{name}_at_random_error"] = self.error
        return found if self.ends is None else {**found, f"{name}_at_random_range": list(self.ends)}


def generator_of(sources: Iterable[str], summary: str) -> np.random.Generator:
    """Make the generator of a sample from its texts alone.

    Several summaries of the same sources draw independently.
    """
    seed: Any = _Seed([summary, *sorted(sources)])  # NumPy documents this interface, but its types do not have it
    return np.random.Generator(np.random.PCG64(seed))


class _Seed(np.random.bit_generator.ISeedSequence):
    """Seed made of a digest of texts, which needs no mixing."""

    def __init__(self, texts: Iterable[str]) -> None:
        content = "".join([f"{len(text)} {text}" for text in texts])
        self._digest = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=32).digest()

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> npt.NDArray[Any]:
        """Return the state that a bit generator begins with."""
        return np.frombuffer(self._digest, dtype=dtype, count=n_words)


def draw_sentences(
    documents: Sequence[Sequence[str]], summary: Sequence[str], n_draws: int = N_DRAWS
) -> list[list[int]]:
    """Draw random summaries.

    A sentence is added while that brings the length nearer to that of the real summary; the first always is. Summaries
    that differ in white space and marks around their sentences have the same draws, as do a list and its prose.

    Args:
        documents: sentences of each document.
        summary: sentences of the summary.
        n_draws: number of random summaries.

    Returns:
        For each random summary a list of places among the sentences of all documents.

    Example:
        >>> documents = [["It was good.", "--"], ["It was bad."]]
        >>> sorted(draw_sentences(documents, ["Some liked it,", "some not."])[0])
        [0, 2]
    """
    starts = [0, *accumulate(map(len, documents))]
    ordered = sorted(range(len(documents)), key=lambda place: list(documents[place]))
    spoken = [
        (place, len(sentence))
        for document in ordered
        for place, sentence in enumerate(documents[document], starts[document])
        if any(map(str.isalnum, sentence))
    ]
    if not spoken:
        return [[] for _ in range(n_draws)]
    places, lengths = np.array(spoken).T
    prose = " ".join(f"{' '.join(sentence.split()).strip(_EDGES)}." for sentence in summary)
    generator = generator_of(map(" ".join, documents), prose)
    orders = generator.random((n_draws, len(places))).argsort(axis=1)
    so_far = lengths[orders].cumsum(axis=1)
    n_drawn = 1 + np.count_nonzero(so_far[:, 1:] + so_far[:, :-1] <= 2 * len(prose), axis=1)
    return [places[order[:n]].tolist() for order, n in zip(orders, n_drawn.tolist(), strict=True)]


def draws_of(sums: Sums, table: Table[Any], column: str = "at_random") -> Floats | None:
    """Count the samples with random summaries, and return what rows hold of these.

    Returns:
        Numbers of all samples, end to end; None unless all have some.
    """
    sums.counts[DRAWN] = n_drawn = int(np.count_nonzero(table.lengths(column)))
    return table.flat(column) if 0 < n_drawn >= sums.n_units else None


def put_draws(sums: Sums, name: str, scores: Floats) -> None:
    """Add the scores of random summaries for a mean over samples."""
    sums.put_total((_MEAN, name), scores.mean(axis=1))
    variance = scores.var(axis=1, ddof=1)
    sums.put_total((_VARIANCE, name), variance)
    sums.put_total((_ERROR, name), variance / scores.shape[1])


def mean_level(sums: Sums, name: str) -> ChanceLevel:
    """Compute the chance level of a mean over samples.

    The samples are drawn independently, so the variance of the mean is the sum of their variances over n squared.

    Example:
        >>> sums = Sums(2)
        >>> put_draws(sums, "bur", np.array([[0.0, 1.0], [1.0, 1.0]]))
        >>> level = mean_level(sums, "bur")
        >>> level.score, [round(end, 2) for end in level.ends]
        (0.75, [0.06, 1.0])
    """
    n, measure = sums.n_samples, get_measure(name)
    score = sums.total(_MEAN, name) / n
    error, spread = (math.sqrt(sums.total(part, name)) / n for part in (_ERROR, _VARIANCE))
    reach = _REACH * spread
    return ChanceLevel(score, error, (max(measure.low, score - reach), min(measure.high, score + reach)))


def level_of_draws(scores: Sequence[float]) -> ChanceLevel:
    """Compute the chance level of a score that is no mean.

    Example:
        >>> level_of_draws([0.0, 0.5, 0.0, 0.5])[:2]
        (0.25, 0.14433756729740643)
    """
    return ChanceLevel(math.fsum(scores) / len(scores), float(np.std(scores, ddof=1)) / math.sqrt(len(scores)))


def missing_draws(sums: Sums, reason: str) -> str:
    """Explain why not all samples have random summaries; `reason` explains why none has."""
    n_drawn = sums.counts[DRAWN]
    if not sums.n_samples:
        return "no sample was scored"
    return "" if n_drawn >= sums.n_samples else (not n_drawn and reason) or _NOT_ALL
