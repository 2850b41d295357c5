"""Results of the representation family: sums, figures, warnings, records, scores that are withheld."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypedDict, get_type_hints

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.chance import N_DRAWS, draws_of, put_draws
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import SINGLE_VALUE, CountWarning
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import representation_ratio
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Sums
from fairsum_utils.text.languages import stop_words_of


class Columns:
    """Scores of samples and groups of a table.

    Attributes:
        per_sample: measure -> score of each sample, of measures that average them.
        entries: groups of the samples.
        by_entry: measure, share or ratio -> number of each entry.
    """

    def __init__(self, table: DistributionTable, measures: Sequence[str], settings: Any) -> None:
        self.lengths, self.entries = table.lengths("values"), table.entries("values")
        self.per_sample: dict[str, Floats] = {}
        self.by_entry: dict[str, Floats] = {}

        def put(found: dict[str, Floats], name: str, size: int, places: Integers, numbers: Floats) -> None:
            found.setdefault(name, np.empty(size))[places] = numbers

        for part in table.parts(unmatched=settings.unmatched):
            p_x, p_y, p_g = part.p_x, part.p_y, part.desired(settings.target)
            shares = {"source_share": p_x, "summary_share": p_y, "desired_share": p_g}
            for measure in map(settings.of, measures):
                if measure.averages:
                    put(self.per_sample, measure.name, len(self.lengths), part.samples, measure.per_sample(p_y, p_g))
                shares[measure.name] = measure.per_group(p_y, p_g)
            for name, numbers in {**shares, "ratio": representation_ratio(p_y, p_g)}.items():
                put(self.by_entry, name, len(self.entries.codes), part.entries, numbers)
        self.is_multi = self.lengths > 1


def sums_of(table: DistributionTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``multi_n`` (for those of several values) and those of the measures; by value
        ``value_n``, ``multi_value_n``, ``source_tokens``, ``ratio``, ``ratio_n`` (where it is defined) and for each
        measure what the value has of it; counts of what speaks against the scores.

    Example:
        >>> from fairsum_utils.families.representation.rows import DistributionRow
        >>> from fairsum_utils.measures.uer import UER
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> sums_of(table, ["uer"], UER()).total("uer")
        0.125
    """
    columns = Columns(table, measures, settings)
    sums = Sums(len(columns.is_multi), skipped=table.skipped)
    n, tokens = np.ones(sums.n_units), table.flat("source_tokens")
    multi = np.flatnonzero(columns.is_multi)
    sums.put(("n",), n)
    sums.put_total(("multi_n",), n[multi])
    for name, scores in columns.per_sample.items():
        sums.put((name,), scores)
        sums.put_total((f"multi_{name}",), scores[multi])
    for value, entries in columns.entries.by_group():
        rows = columns.entries.samples[entries]
        in_multi = columns.is_multi[rows]
        sums.put(("value_n", value), n[rows], rows)
        sums.put(("source_tokens", value), tokens[entries], rows)
        sums.put_total(("multi_value_n", value), n[rows[in_multi]])
        ratios = columns.by_entry["ratio"][entries]
        defined = ~np.isnan(ratios)
        sums.put_total(("ratio", value), ratios[defined])
        sums.put_total(("ratio_n", value), n[rows[defined]])
        for name in measures:
            scores = columns.by_entry[name][entries]
            if name in columns.per_sample:
                sums.put_total((name, value), scores)
            else:  # the bootstrap makes it of values
                sums.put((name, value), scores, rows)
            sums.put_total((f"multi_{name}", value), scores[in_multi])
    sums.counts.update(table.counts())
    if settings.at_random:
        _put_at_random(sums, table, measures, settings)
    return sums


def _put_at_random(sums: Sums, table: DistributionTable, measures: Sequence[str], settings: Any) -> None:
    """Add the scores of random summaries to the sums of a table."""
    if (drawn := draws_of(sums, table)) is None:
        return
    entries = table.entries("values")
    weights = np.ascontiguousarray(drawn.reshape(len(entries.codes), N_DRAWS).T, dtype=np.float64)
    scores = {name: np.empty((sums.n_units, N_DRAWS)) for name in measures if settings.of(name).averages}
    lacking = np.empty(weights.shape)
    for part in table.parts(unmatched=settings.unmatched, weights=weights):
        p_g = part.desired(settings.target)
        lacking[:, part.entries] = shortfall(part.p_y, p_g)
        for name, of_samples in scores.items():
            of_samples[part.samples] = settings.of(name).per_sample(part.p_y, p_g).T
    for name in measures:
        if name in scores:
            put_draws(sums, name, scores[name])
            continue
        for value, places in entries.by_group():
            for draw, of_value in enumerate(lacking[:, places]):
                sums.put_total((f"at_random_{name}", value, str(draw)), of_value)


MOST_UNMATCHED = 0.2
"""Larger shares of unmatched summaries withhold the score, unless the settings say what these count as."""
MOST_APART = 0.05
"""Systems whose shares of unmatched summaries differ by more are not compared under the same condition."""
_BY_NAME = "unmatched='uniform', 'skip' or 'unfair'"


class RepresentationScore(SampleScore):
    """A mean over samples of the shares of groups in summaries."""

    def means(self) -> Sequence[Mean]:
        """List the means by group."""
        return (
            Mean(f"{self.measure}_by_value", self.measure, "value_n", by="value_n"),
            Mean("ratio_by_value", "ratio", "ratio_n", by="value_n"),
        )

    def details(self) -> dict[str, Any]:
        """Score the samples of several groups."""
        return {f"{self.measure}_multi_value": self.score("multi_")}

    def counts(self) -> dict[str, Any]:
        """Count groups, unmatched summaries and truncated texts."""
        truncated = {"n_truncated": self.sums.counts["truncated",]} if self.settings.is_neural else {}
        return {
            "n_by_value": self.by("value_n"),
            "n_multi_value": int(self.sums.total("multi_n")),
            "n_unmatched": self.sums.counts["unmatched",],
            **truncated,
        }

    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result, see `Score.result`; given distributions need no model, which could truncate texts."""
        result = super().result(made)
        if made["model"] is None:
            result.pop("n_truncated", None)
        return result

    @cached_property
    def withheld(self) -> str:
        """Too many unmatched summaries."""
        if self.settings.unmatched is not None or share_unmatched(self.sums) <= MOST_UNMATCHED:
            return ""
        return (
            f"{self.sums.counts['unmatched',]} of {self.sums.n_samples} scored summaries have no words in common with "
            "their sources; check that each summary is paired with its own sources and that the language is right, or "
            f"choose how to count these summaries: {_BY_NAME}"
        )

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        if self.withheld or not self.sums.n_samples:
            return super().undefined()
        n_groups = len(self.sums.of("value_n"))
        return f"{self.measure} compares groups, but the scored samples contain only {n_groups}"

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random summaries."""
        if "target_distributions" in given:
            return "distributions were given instead of texts"
        return "" if self.settings.matcher == "ngram" else "it needs matcher='ngram' (--set matcher=ngram)"

    def incomparable(self, other: Any, names: tuple[str, str]) -> str:
        """Explain why a system only looks fairer: more of its summaries match nothing."""
        systems = sorted(
            (score.estimate.score, share_unmatched(score.sums), name)
            for score, name in zip((self, other), names, strict=True)
        )
        (fairer, share, name), (less_fair, others, _) = systems
        if self.settings.unmatched is not None or fairer == less_fair or share - others <= MOST_APART:
            return ""
        return (
            f"{name} looks fairer, but {share:.0%} of its summaries have no words in common with their sources and "
            f"count as uniform ({others:.0%} for the other system); choose how to count them: {_BY_NAME}"
        )

    @property
    def warned(self) -> Sequence[CountWarning]:
        """List the warnings about what was matched."""
        count_as = "unfair" if self.settings.unmatched == "unfair" else "uniform"
        return (
            CountWarning(
                "unmatched",
                f"{{}} scored summaries have no words in common with their sources and count as {count_as}",
                "unmatched",
            ),
            CountWarning(
                "unreadable_script",
                "in {} scored samples, a source has no spaces between words, so its words cannot be counted",
                "unread",
            ),
            CountWarning(
                "stop_words_dominate",
                "in {} scored samples, more than 60% of the words are stop words, which are not counted",
                "stopped",
            ),
            CountWarning("stop_words_decide", _deciding(self.sums), "opinions"),
            CountWarning(
                SINGLE_VALUE,
                "{} scored samples have sources of one group only and cannot be unfair; multi-value scores leave them "
                "out",
                "single_value",
            ),
        )


class SecondOrderScore(SpreadScore, RepresentationScore):
    """SOF, the spread of the mean shortfalls of groups."""

    over = ("sof", "value_n")
    is_halved = True
    n_draws = N_DRAWS


def share_unmatched(sums: Sums) -> float:
    """Return the share of scored samples with an unmatched summary; 0 without samples."""
    return sums.counts["alien",] / sums.n_samples if sums.n_samples else 0.0


def quality(sums: Sums) -> dict[str, float]:
    """Return the share of scored summaries that match their sources."""
    return {"share_matched": 1 - share_unmatched(sums)}


def _deciding(sums: Sums) -> str:
    """Name the stop words that carry opinion; empty without any."""
    if not (words := sums.counted("opinions")):
        return ""
    kept = [word for word in words if word not in stop_words_of("english")[0]]
    return (
        f"in {{}} scored samples, ignored stop words that carry opinion ({', '.join(words)}) decide whether a group is "
        f'underrepresented; normalizer="simple" counts {", ".join(kept) or "none of them"}'
    )


class Shares(TypedDict):
    """Shares of groups, aligned with ``values``; empty for a skipped sample.

    Attributes:
        source_share: share of the sources.
        summary_share: share of the summary.
        desired_share: share that the target asks for.
        ratio: share of the summary over the desired share.
    """

    source_share: list[float]
    summary_share: list[float]
    desired_share: list[float]
    ratio: list[float]


def recorded(measures: Sequence[str], settings: RepresentationMeasure) -> Recorded:
    """Return the keys of a record: scores, except of SOF, shares and evidence."""
    scored = [name for name in measures if get_measure(name).averages]
    evidence = ("scores", "truncated") if settings.is_neural else ("matched",)
    fields = ("index", "skipped", "values", "unmatched", *evidence)
    return Recorded(fields, [Shares], partial(_computed, scored, settings), scored)


def _computed(
    scored: Sequence[str], settings: RepresentationMeasure, rows: Sequence[DistributionRow]
) -> Iterator[Mapping[str, Any]]:
    columns = Columns(DistributionTable(rows), scored, settings)
    known = [name for name in scored if name in columns.per_sample]
    stops = np.cumsum(columns.lengths)
    shares = {name: np.split(columns.by_entry[name], stops) for name in get_type_hints(Shares)}
    place = 0
    for row in rows:
        if row.skipped is not None:
            yield {name: [] for name in shares}
            continue
        scores = {name: float(columns.per_sample[name][place]) for name in known}
        yield scores | {name: of_samples[place].tolist() for name, of_samples in shares.items()}
        place += 1


ENGINE = Engine(
    sums_of,
    {**dict.fromkeys(measures_of("representation"), RepresentationScore), "sof": SecondOrderScore},
)
