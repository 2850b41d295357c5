"""Results of the framing family: figures, warnings, and the interval of position bias."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from fairsum_utils.families.chance import DRAWN, N_DRAWS
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.framing.rows import N_TENTHS
from fairsum_utils.families.framing.sums import sums_of
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import MOSTLY, CountWarning
from fairsum_utils.measures.framing import CLASSES
from fairsum_utils.measures.position_bias import THIRDS
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Ends, Estimate, Moments, mean_interval


class SourceScore(SampleScore):
    """A measure with random extracts of its sources."""

    @property
    def is_drawn(self) -> bool:
        """True if all scored samples have random extracts."""
        return bool(self.settings.at_random) and 0 < self.sums.n_samples <= self.sums.counts[DRAWN]


class FramingScore(SourceScore):
    """A mean over samples: the share with another class."""

    def means(self) -> Sequence[Mean]:
        """List shares, shifts and sentiments, also of random extracts."""
        found = (
            Mean("framing_by_value", "framing", "value_n", by="value_n", averages="shares"),
            Mean("framing_mixed", "mixed_framing", "mixed", averages="shares"),
            Mean("shift", "shift", averages="scores", limits=(-2.0, 2.0), in_full=True),
            Mean("shift_by_value", "shift", "value_n", by="value_n"),
            Mean("source_sentiment", "source_score"),
            Mean("summary_sentiment", "summary_score"),
        )
        at_random = (
            Mean("framing_by_value_at_random", "at_random_framing", "value_n", by="value_n"),
            Mean("framing_mixed_at_random", "at_random_mixed", "mixed"),
            Mean("shift_at_random", "at_random_shift"),
        )
        return found + at_random if self.is_drawn else found

    def details(self) -> dict[str, Any]:
        """Return the table of classes, also of random extracts."""
        found: dict[str, Any] = {
            "from_to": {start: {end: self.sums.counts["from_to", start, end] for end in CLASSES} for start in CLASSES}
        }
        if self.is_drawn:
            found["from_to_at_random"] = {
                start: {end: self.sums.total("at_random_from_to", start, end) for end in CLASSES} for start in CLASSES
            }
        return found

    def counts(self) -> dict[str, Any]:
        """Count groups, samples of both polarities, and truncated texts."""
        truncated = {} if self.settings.model == "vader" else {"n_truncated": self.sums.counts["truncated",]}
        return {"n_by_value": self.by("value_n"), "n_mixed": self.sums.counts["mixed",], **truncated}

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warn about samples without sentiment."""
        message = "in {} scored samples no sentence has any sentiment, so that sources and summary count as neutral"
        return (CountWarning("no_sentiment", message, "no_sentiment"),)


class PositionScore(SpreadScore, SourceScore):
    """The distance of the mean shares of thirds from equal shares."""

    over = ("third", "third_n")
    fair = 1 / len(THIRDS)
    n_draws = N_DRAWS

    def means(self) -> Sequence[Mean]:
        """List the shares of thirds and the mean position, also of random extracts."""
        found = (
            Mean("share_by_third", "third", "third_n", by=THIRDS, averages="scores"),
            Mean("most_by_third", "most", "third_n", by=THIRDS),
            Mean("mean_position", "mean_position", averages="scores", in_full=True),
        )
        at_random = (
            Mean("most_by_third_at_random", "at_random_most", "third_n", by=THIRDS),
            Mean("mean_position_at_random", "at_random_mean_position"),
        )
        return found + at_random if self.is_drawn else found

    def details(self) -> dict[str, Any]:
        """Return the curve of tenths; of random extracts also the shares of thirds."""
        found: dict[str, Any] = {"curve": self._curve("tenth")}
        if self.is_drawn:
            of_draws = [self.random_sums(str(draw))[0] for draw in range(N_DRAWS)]
            shares = [math.fsum(of_third) / (N_DRAWS * self.sums.n_samples) for of_third in zip(*of_draws, strict=True)]
            found["share_by_third_at_random"] = dict(zip(THIRDS, shares, strict=True))
            found["curve_at_random"] = self._curve("at_random_tenth")
        return found

    def random_sums(self, draw: str) -> tuple[Floats, Floats]:
        """Return the sums and counts of random extracts, third by third."""
        totals = [self.sums.total("at_random_third", third, draw) for third in THIRDS]
        return np.array(totals), np.full(len(THIRDS), self.sums.n_samples)

    def _curve(self, name: str) -> list[float]:
        n = self.sums.n_samples
        return [self.sums.total(name, str(tenth)) / n if n else math.nan for tenth in range(N_TENTHS)]

    def counts(self) -> dict[str, Any]:
        """Count the sentences of summaries."""
        counts = self.sums.counts
        return {"n_sentences": counts["n_sentences",], "n_unmatched_sentences": counts["n_unmatched",]}

    @cached_property
    def shown(self) -> Estimate:
        """Estimate with the interval of the distance, which needs no draws."""
        sizes = self.sums.by_unit(("n",))

        def interval(level: float) -> Ends:
            shares = [self.sums.by_unit(("third", third)) for third in THIRDS]
            return distance_interval(np.column_stack(shares), sizes, level)

        return self.estimate._replace(method="bounds", absolute=interval, totals=sizes, fewest=2)

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warn if most sentences have no match."""
        message = "{} summary sentences match no source sentence, so the score tells nothing about them"
        return (CountWarning("unmatched_sentences", message, "n_unmatched", "n_sentences", MOSTLY),)


def distance_interval(shares: Floats, sizes: Floats, level: float) -> Ends:
    """Compute an interval of the distance of mean shares from equal shares.

    The distance is the largest excess of some thirds together over their equal share. The upper end is the largest
    upper end of these six means. The lower end is their largest lower end, with a third of the error for each,
    because the largest of several errs upwards. ``benchmarks/calibrate_position.py`` measures its coverage and width.

    Args:
        shares: sums of each unit's shares, shape (units, 3).
        sizes: samples of each unit, shape (units,).
        level: confidence level, in (0, 1).

    Example:
        >>> ends = distance_interval(np.tile([0.75, 0.25, 0.0], (50, 1)), np.ones(50), 0.95)
        >>> [round(end, 2) for end in ends]
        [0.34, 0.44]
    """
    n_parts, lows, highs = shares.shape[1], [0.0], []
    for size in range(1, n_parts):
        for chosen in combinations(range(n_parts), size):
            moments = Moments.of(shares[:, chosen].sum(axis=1), sizes)
            lows.append(mean_interval(moments, 1 - (1 - level) / 3, (0.0, 1.0))[0] - size / n_parts)
            highs.append(mean_interval(moments, level, (0.0, 1.0))[1] - size / n_parts)
    return max(lows), max(highs)


ENGINE = Engine(sums_of, {"framing": FramingScore, "position_bias": PositionScore})
