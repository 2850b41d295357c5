"""Chance levels: scores of random summaries of the same samples.

Each family draws random summaries while it scores, seeded by the content of a sample, and keeps them in its rows. So
every figure here comes from rows or their sums, and parts of a data set add up to the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.measures import get_measure
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import reach_of
from fairsum_utils.stats.sums import AnySums, Sums, content_digest

RANGE = f"{100 * USUAL_LEVEL:g}%"
"""Share of random data sets whose score lies in the range of a chance level."""

DRAWN = ("at_random",)
"""Count of the samples that have random summaries."""
N_DRAWS = 2
"""Random summaries of a sample, if they consist of sentences."""
_MEAN, _VARIANCE = "at_random", "at_random_variance"
"""Names of sums: of the mean over a sample's draws, and of the variance of one draw."""
_NOT_ALL = "some samples have no random summaries"


class ChanceLevel(NamedTuple):
    """Mean score of random summaries.

    Attributes:
        score: mean over the draws; NaN if not available.
        ends: range of 95% of the scores of random data sets; None if unknown.
        reason: reason why the level is not available; empty if it is.
    """

    score: float = math.nan
    ends: tuple[float, float] | None = None
    reason: str = ""


def generator_of(sources: Sequence[str], values: Sequence[str], summary: str) -> np.random.Generator:
    """Make the generator of a sample, independent of the order of its sources.

    Several summaries of the same sources draw independently.
    """
    pairs = sorted(zip(values, sources, strict=True))
    return np.random.Generator(np.random.PCG64(content_digest(chain([summary], *pairs))))


def draw_sentences(documents: Sequence[Sequence[str]], values: Sequence[str], summary: str) -> list[list[str]]:
    """Draw random summaries.

    A sentence is added while that brings the length nearer to the real one; the first always is.

    Returns:
        `N_DRAWS` lists of sentences.

    Example:
        >>> sorted(draw_sentences([["It was good."], ["It was bad."]], ["pos", "neg"], "Some liked it, some not.")[0])
        ['It was bad.', 'It was good.']
    """
    ordered = sorted(zip(values, documents, strict=True))
    sentences = [sentence for _, document in ordered for sentence in document]
    generator = generator_of([" ".join(document) for document in documents], values, summary)
    length = len(summary)
    drawn = []
    for _ in range(N_DRAWS):
        chosen: list[str] = []
        so_far = 0
        for place in generator.permutation(len(sentences)).tolist():
            more = len(sentences[place])
            if not any(map(str.isalnum, sentences[place])):
                continue
            if chosen and so_far + more - length > length - so_far:
                break
            chosen.append(sentences[place])
            so_far += more
            if so_far >= length:
                break
        drawn.append(chosen)
    return drawn


def put_draws(sums: Sums, name: str, scores: Floats) -> None:
    """Add the scores of random summaries for a mean over samples."""
    sums.put_total((_MEAN, name), scores.mean(axis=1))
    sums.put_total((_VARIANCE, name), scores.var(axis=1, ddof=1))


def mean_level(sums: AnySums, name: str) -> ChanceLevel:
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
    reach = reach_of(USUAL_LEVEL) * math.sqrt(sums.total(_VARIANCE, name)) / n
    return ChanceLevel(score, (max(measure.low, score - reach), min(measure.high, score + reach)))


def levels_of(
    sums: AnySums,
    measures: Collection[str],
    reason: str,
    of_spread: Mapping[str, Callable[[AnySums], ChanceLevel]],
) -> dict[str, ChanceLevel]:
    """Compute the chance level of each measure; `reason` explains missing draws."""
    n_drawn, missing = sums.counts[DRAWN], ""
    if not sums.n_samples:
        missing = "no sample was scored"
    elif n_drawn < sums.n_samples:
        missing = (not n_drawn and reason) or _NOT_ALL
    if missing:
        return {name: ChanceLevel(reason=missing) for name in measures}
    return {name: of_spread[name](sums) if name in of_spread else mean_level(sums, name) for name in measures}


def beside_scores(results: dict[str, dict[str, Any]], levels: Mapping[str, ChanceLevel]) -> dict[str, dict[str, Any]]:
    """Add chance levels to results."""
    for name, level in levels.items():
        results[name][f"{name}_at_random"] = level.score
        if level.ends is not None:
            results[name][f"{name}_at_random_range"] = list(level.ends)
        if level.reason:
            results[name]["at_random_undefined"] = level.reason
    return results


def beside_systems(
    results: dict[str, dict[str, Any]], a: Mapping[str, ChanceLevel], b: Mapping[str, ChanceLevel]
) -> dict[str, dict[str, Any]]:
    """Add the chance levels of two systems to their comparison."""
    for name, result in results.items():
        if name in a and name in b:
            result |= {"a_at_random": a[name].score, "b_at_random": b[name].score}
            if reason := a[name].reason or b[name].reason:
                result["at_random_undefined"] = reason
    return results
