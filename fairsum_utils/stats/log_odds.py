"""Words that one set of texts uses more than another: weighted log-odds with a Dirichlet prior ("Fightin' Words")."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import describe

__all__ = ["ALPHA", "log_odds"]

ALPHA = 0.01
"""The paper's prior: a hundredth of a count for every word."""


def log_odds(first: npt.ArrayLike, second: npt.ArrayLike, prior: float | npt.ArrayLike = ALPHA) -> Floats:
    """z-scores of the difference in log-odds of every word between two sets of texts.

    With counts y, their sums n and the prior a with its sum a0, for each word w::

        d = log((y1 + a) / (n1 + a0 - y1 - a)) - log((y2 + a) / (n2 + a0 - y2 - a))
        z = d / sqrt(1 / (y1 + a) + 1 / (y2 + a))

    Args:
        first: counts y1 of the words in the first set, shape (words,), not negative.
        second: counts y2 in the second set, the same shape and order.
        prior: a; one number above 0 for every word (an uninformative prior), or shape (words,).

    Returns:
        Shape (words,); above 0 for words that the first set uses more. NaN where there is no other word: such odds are
        infinite.

    Raises:
        InputError: shapes differ, a count is negative or not finite, or a prior is not above 0.

    Source: B. Monroe, M. Colaresi and K. Quinn, "Fightin' Words: Lexical Feature Selection and Evaluation for
    Identifying the Content of Political Conflict", Political Analysis 16(4), 2008;
    papers/news-summarization-bias, section 4 and footnote 5.

    Example:
        >>> log_odds([8, 2], [2, 8], prior=1.0).round(3).tolist()
        [3.296, -3.296]
    """
    y1, y2 = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if y1.ndim != 1 or y1.shape != y2.shape:
        raise InputError(
            f"log_odds: give two lists of counts of the same words, found shapes {y1.shape} and {y2.shape}"
        )
    for counts in (y1, y2):
        if not np.all((counts >= 0) & np.isfinite(counts)):
            wrong = counts[~((counts >= 0) & np.isfinite(counts))][0]
            raise InputError(f"log_odds: counts must be finite and not negative, found {describe(float(wrong))}")
    a = np.asarray(prior, dtype=float)
    if a.shape not in ((), y1.shape) or not np.all((a > 0) & np.isfinite(a)):
        raise InputError(
            f"log_odds: prior must be a number above 0, or one for each of the {len(y1)} words, found {describe(prior)}"
        )
    a = np.broadcast_to(a, y1.shape)
    if len(y1) < 2:
        return np.full(y1.shape, np.nan)
    return np.asarray((_log_odds(y1, a) - _log_odds(y2, a)) / np.sqrt(1 / (y1 + a) + 1 / (y2 + a)))


def _log_odds(y: Floats, a: Floats) -> Floats:
    """Of each word against all others."""
    return np.asarray(np.log(y + a) - np.log((y.sum() - y) + (a.sum() - a)))
