"""Results of the framing family: sums, figures, warnings and records."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.chance import DRAWN, N_DRAWS, draws_of, put_draws
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.framing.rows import N_TENTHS, FramingRow, FramingTable
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import MOSTLY, CountWarning
from fairsum_utils.measures.framing import CLASSES, Framing, has_both, sentiment_class
from fairsum_utils.measures.position_bias import THIRDS, PositionBias
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.intervals import Ends, Estimate, Moments, mean_interval
from fairsum_utils.stats.sums import Sums


def sums_of(table: FramingTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table of one measure; the units are the samples.

    Example:
        >>> from fairsum_utils.families.framing.rows import FramingRow
        >>> table = FramingTable([FramingRow(0, source=0.5, summary=-0.5), FramingRow(1, source=0.5, summary=0.2)])
        >>> sums_of(table, ["framing"], Framing()).total("framing")
        1.0
    """
    sums = Sums(len(table), skipped=table.skipped)
    sums.put(("n",), np.ones(sums.n_units))
    (_put_framing if settings.name == "framing" else _put_positions)(sums, table, settings)
    return sums


def _classes(scores: Floats, threshold: float) -> Integers:
    """Return the class of each score, see `sentiment_class`."""
    return 1 + (scores >= threshold).astype(np.int64) - (scores <= -threshold)


def _put_framing(sums: Sums, table: FramingTable, settings: Framing) -> None:
    """Add what framing needs.

    The columns are ``framing``, ``shift`` and ``source_score``; there are totals of samples with both polarities and by
    group, and counts of the classes from and to.
    """
    classify: Callable[[Floats], Integers] = partial(_classes, threshold=settings.threshold)
    source, summary = table.scored("source"), table.scored("summary")
    of_source, of_summary = classify(source), classify(summary)
    changed = (of_source != of_summary).astype(np.float64)
    sums.put(("framing",), changed)
    sums.put(("shift",), of_summary - of_source)
    sums.put(("source_score",), source)
    sums.put_total(("summary_score",), summary)
    lowest, highest = table.scored("lowest"), table.scored("highest")
    is_mixed = (lowest <= -settings.threshold) & (highest >= settings.threshold)
    sums.counts["mixed",] = int(is_mixed.sum())
    sums.put_total(("mixed_framing",), changed[is_mixed])
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            sums.counts["from_to", of_start, of_end] = int(((of_source == start) & (of_summary == end)).sum())
    sums.counts["no_sentiment",] = int(((lowest == 0) & (highest == 0) & (summary == 0)).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    groups, of_groups = table.entries("values"), classify(table.flat("by_value"))
    for name, places in groups.by_group():
        samples = groups.samples[places]
        steps = of_summary[samples] - of_groups[places]
        sums.put(("value_n", name), np.ones(len(steps)), samples)
        sums.put_total(("framing", name), steps != 0)
        sums.put_total(("shift", name), steps)
    if settings.at_random:
        _put_random_framing(sums, table, of_source, of_groups, is_mixed, classify)


def _put_positions(sums: Sums, table: FramingTable, settings: PositionBias) -> None:
    """Add what position bias needs.

    The columns are ``mean_position``, ``source_words`` and by third ``third`` and ``third_n``; there are totals by
    tenth and of summaries that take most from a third, and counts of sentences.
    """
    found = table.positions()
    sums.put(("mean_position",), found.mean)
    sums.put(("source_words",), table.scored("n_words"))
    for third, shares in zip(THIRDS, found.thirds.T, strict=True):
        sums.put(("third", third), shares)
        sums.put(("third_n", third), np.ones(sums.n_units))
    for tenth, shares in enumerate(found.tenths.T):
        sums.put_total(("tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(found.thirds).T, strict=True):
        sums.put_total(("most", third), is_most)
    for name in ("n_sentences", "n_unmatched"):
        sums.counts[name,] = int(table.scored(name).sum())
    if settings.at_random:
        _put_random_positions(sums, table)


def _put_random_framing(
    sums: Sums,
    table: FramingTable,
    source: Integers,
    groups: Integers,
    is_mixed: Bools,
    classify: Callable[[Floats], Integers],
) -> None:
    """Add the classes of random extracts, which consist of sentences of the sources.

    Args:
        sums: sums of the table.
        table: rows of framing.
        source: class of the sources of each scored sample.
        groups: class of each entry of the column of groups.
        is_mixed: scored samples with a positive and a negative source sentence.
        classify: score -> class, element by element.
    """
    if (drawn := draws_of(sums, table, "drawn")) is None:
        return
    classes = classify(drawn.reshape(sums.n_units, -1))
    shift = classes - source[:, None]
    changed = (shift != 0).astype(np.float64)
    put_draws(sums, "framing", changed)
    sums.put_total(("at_random_shift",), shift.mean(axis=1))
    sums.put_total(("at_random_mixed",), changed[is_mixed].mean(axis=1))
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            is_pair = (source[:, None] == start) & (classes == end)
            sums.put_total(("at_random_from_to", of_start, of_end), is_pair.mean(axis=1))
    entries = table.entries("values")
    of_groups = (classes[entries.samples] != groups[:, None]).mean(axis=1)
    for name, places in entries.by_group():
        sums.put_total(("at_random_framing", name), of_groups[places])


def _put_random_positions(sums: Sums, table: FramingTable) -> None:
    """Add the positions of random extracts.

    They have at most as many sentences as the summary has matched ones: fewer sentences are spread less evenly.
    """
    if (of_draws := draws_of(sums, table, "drawn")) is None:
        return
    drawn, thirds = table.positions("drawn_positions"), of_draws.reshape(-1, N_DRAWS, len(THIRDS))
    for place, third in enumerate(THIRDS):
        for draw in range(N_DRAWS):
            sums.put_total(("at_random_third", third, str(draw)), thirds[:, draw, place])
    for tenth, shares in enumerate(drawn.tenths.T):
        sums.put_total(("at_random_tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(thirds.reshape(-1, len(THIRDS))).T, strict=True):
        sums.put_total(("at_random_most", third), is_most / N_DRAWS)
    sums.put_total(("at_random_mean_position",), drawn.mean)


def most_from(thirds: Floats) -> Floats:
    """Mark the third with the largest share of each summary; none if several tie.

    Example:
        >>> most_from(np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    is_most = thirds >= thirds.max(axis=1, keepdims=True, initial=0.0) - 1e-12
    return np.asarray(is_most & (is_most.sum(axis=1, keepdims=True) == 1), dtype=np.float64)


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


class Classes(TypedDict):
    """Sentiment classes of a sample; None for a skipped sample.

    Attributes:
        framing: 1 if the classes of sources and summary differ, else 0.
        source_class: class of the sources.
        summary_class: class of the summary.
        source_sentiment: mean sentiment of the source sentences.
        summary_sentiment: mean sentiment of the summary's sentences.
        is_mixed: the sources have positive and negative sentences.
        class_by_value: class of each group's sources.
    """

    framing: float | None
    source_class: str | None
    summary_class: str | None
    source_sentiment: float | None
    summary_sentiment: float | None
    is_mixed: bool | None
    class_by_value: dict[str, str]


class Places(TypedDict):
    """Positions of a summary's content in the sources; None for a skipped sample.

    Attributes:
        thirds: share from each third of the source words.
        tenths: share from each tenth of the source words.
        mean_position: mean position, from 0 (beginning) to 1 (end).
    """

    thirds: list[float] | None
    tenths: list[float] | None
    mean_position: float | None


def recorded(measures: Sequence[str], settings: Any) -> Recorded:
    """Return the keys of a record of framing, or of position bias."""
    [name] = measures
    fields = ("index", "skipped", "n_sentences")
    if name == "framing":
        evidence = ("n_truncated", "summary_scores", "source_scores")
        return Recorded((*fields, *evidence), [Classes], partial(_classes_of_rows, settings))
    return Recorded((*fields, "n_unmatched", "matches"), [Places], _places_of_rows)


def _classes_of_rows(settings: Framing, rows: Sequence[FramingRow]) -> Iterator[dict[str, Any]]:
    def named(score: float) -> str:
        return CLASSES[sentiment_class(score, settings.threshold)]

    for row in rows:
        by_value = {name: named(score) for name, score in zip(row.values, row.by_value, strict=True)}
        if row.skipped is not None:
            yield {"class_by_value": by_value}
            continue
        source, summary = named(row.source), named(row.summary)
        yield {
            "framing": float(source != summary),
            "source_class": source,
            "summary_class": summary,
            "source_sentiment": row.source,
            "summary_sentiment": row.summary,
            "is_mixed": has_both((row.lowest, row.highest), settings.threshold),
            "class_by_value": by_value,
        }


def _places_of_rows(rows: Sequence[FramingRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        found = row.positions
        if found is None:
            yield {}
        else:
            yield {"thirds": found.thirds, "tenths": found.tenths, "mean_position": found.mean}


ENGINE = Engine(sums_of, {"framing": FramingScore, "position_bias": PositionScore})
