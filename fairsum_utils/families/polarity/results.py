"""Results of the polarity family: proportions by group, intervals, differences and tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.effective import signed
from fairsum_utils.families.engine import Engine, Score
from fairsum_utils.families.polarity.rows import PolarityTable
from fairsum_utils.families.polarity.samples import LEAST, check_groups
from fairsum_utils.families.warnings import MOST_PAIRED, only_one
from fairsum_utils.measures import get_formula, measures_of
from fairsum_utils.measures._polarity import PolarityMeasure
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.intervals import Ends, Estimate, difference_interval, folded, share_interval
from fairsum_utils.stats.sums import Sums
from fairsum_utils.stats.tests import compare_labels

# Label -> texts that have it.
Counts = Mapping[str, int]


def sums_of(table: PolarityTable, measures: Any = (), settings: Any = None, scorer: Any = None) -> Sums:
    """Count the texts of a table.

    Returns:
        Counts ``texts``, ``empty``, ``foreign`` and, by label, ``labelled``, each by group if texts have one;
        ``counted`` by the further counts of rows.

    Example:
        >>> from fairsum_utils.families.polarity.rows import PolarityRow
        >>> sums = sums_of(PolarityTable([PolarityRow(0, "a", ("male",)), PolarityRow(1, "a")]))
        >>> sums.counts["texts", "a"], sums.counts["labelled", "male", "a"]
        (2, 1)
    """
    sums = Sums(0, (), n_samples=len(table), skipped=table.skipped)
    sums.counts.update(table.counts())
    return sums


def _by_group(sums: Sums, name: str) -> dict[str | None, int]:
    return {key[1] if len(key) > 1 else None: n for key, n in sums.counts.items() if key[0] == name}


class PolarityScore(Score):
    """Proportions of texts with each label by group, and their largest difference.

    Attributes:
        sizes: number of texts of each group.
        labelled: number of texts with each label of each group.
        lost: groups with too few texts in the right language.

    Example:
        >>> from fairsum_utils.families.polarity.rows import PolarityRow
        >>> from fairsum_utils.measures.toxicity import Toxicity
        >>> rows = [PolarityRow(0, "a", ("toxic",)), PolarityRow(1, "a"), PolarityRow(2, "b"), PolarityRow(3, "b")]
        >>> result = PolarityScore(sums_of(PolarityTable(rows)), Toxicity()).result({})
        >>> result["toxicity"], result["proportions_by_group"]["a"]["toxic"], result["tests"]["toxic"]["test"]
        (0.5, 0.5, 'fisher')
    """

    settings: PolarityMeasure

    def __init__(self, sums: Sums, settings: PolarityMeasure) -> None:
        super().__init__(sums, settings)
        n_texts = _by_group(sums, "texts")
        n_given = Counter(n_texts) + Counter(_by_group(sums, "foreign"))
        check_groups(settings.module, n_given, _by_group(sums, "empty"))
        self.lost = sorted(group for group in n_given if group is not None and n_texts.get(group, 0) < LEAST)
        self.sizes = {group: n_texts[group] for group in sorted(group for group in n_texts if group is not None)}
        self.labelled = {
            group: {label: sums.counts["labelled", label, group] for label in settings.labels} for group in self.sizes
        }
        self.n_differences = len(settings.labels) * math.comb(len(self.sizes), 2)

    @cached_property
    def estimate(self) -> Estimate:
        """Score, with an interval if it is the size of a single difference."""
        counts = [[*of_group.values()] for of_group in self.labelled.values()]
        sizes = [*self.sizes.values()]
        score = math.nan if self.lost else scalar(get_formula(self.settings.name)(counts, sizes))

        def interval(level: float) -> Ends:
            if self.n_differences != 1:
                return math.nan, math.nan
            a, b = ((n, size) for [n], size in zip(counts, sizes, strict=True))
            return size_interval(a, b, level)

        return Estimate(score, "folded", self.sums.n_samples, absolute=interval)

    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result, see `Score.result`.

        Returns:
            The score under the name of the measure; with a confidence level ``<measure>_ci``, NaN unless there are two
            groups and one label; ``proportions`` and ``intervals`` by label, of all texts; ``proportions_by_group``,
            ``intervals_by_group`` and ``counts_by_group`` by group and label; ``n_by_group``; ``differences``, for each
            label and pair of groups (of more than 100 groups for each label the pair that differs most) ``label``,
            ``group_a``, ``group_b``, ``difference`` (A minus B) and ``ratio`` (A over B, NaN if B is 0); ``tests`` by
            label, with p-values corrected by Holm over the labels; counts, settings and signature; ``undefined`` if the
            score or its interval is NaN.
        """
        name, level, n, sizes = self.settings.name, self.level, self.sums.n_samples, self.sizes
        count, groups = self.sums.counts, [*self.sizes]
        in_all = {
            label: sum(n for key, n in count.items() if key[:2] == ("labelled", label))
            for label in self.settings.labels
        }
        shares = {
            group: {label: count / sizes[group] for label, count in of_group.items()}
            for group, of_group in self.labelled.items()
        }
        reason = self.undefined() or self._unbounded()
        return {
            name: self.estimate.score,
            **({} if level is None else {f"{name}_ci": list(self.estimate.interval(level))}),
            "proportions": {label: count / n if n else math.nan for label, count in in_all.items()},
            "intervals": _intervals(in_all, n, level),
            "proportions_by_group": shares,
            "intervals_by_group": {group: _intervals(self.labelled[group], sizes[group], level) for group in groups},
            "counts_by_group": self.labelled,
            "n_by_group": sizes,
            "differences": [
                {"label": label, "group_a": a, "group_b": b, **_difference(shares[a][label], shares[b][label])}
                for label in self.settings.labels
                for a, b in _pairs(groups, [shares[group][label] for group in groups])
            ],
            "tests": compare_labels(
                self.labelled, sizes, n_resamples=self.settings.n_resamples, seed=self.settings.seed
            ),
            **self.numbers(),
            **{f"n_{what}": count["counted", what] for what in self.settings.counted},
            **self.signed(made),
            **({"undefined": reason} if reason else {}),
        }

    def signed(self, made: Mapping[str, object], difference: Estimate | None = None) -> dict[str, Any]:
        """Return effective settings and signature of the result."""
        unused = () if self.sizes else ("n_resamples", "seed")
        has_interval = self.level is not None and self.n_differences == 1 and not self.lost
        interval = self.estimate.method if has_interval else None
        return signed({**made, **self.settings.keyed(self.settings.name, *unused), "interval": interval})

    def undefined(self) -> str:
        """Explain why the score is NaN; empty if it is not."""
        if self.lost:
            return f"the group {self.lost[0]!r} has fewer than {LEAST} texts that are not in another language"
        if not self.sums.n_samples:
            return "no text was scored"
        groups = [*self.sizes]
        return "" if len(groups) > 1 else only_one("group", groups) if groups else "no groups were given"

    def _unbounded(self) -> str:
        """Explain why a largest difference has no interval; else empty."""
        if self.level is None or self.n_differences == 1:
            return ""
        return (
            f"{self.settings.name}_ci: the score is the largest of {self.n_differences} differences, for which none is "
            "known to hold; see the intervals of the shares, and the tests"
        )


def size_interval(a: tuple[int, int], b: tuple[int, int], level: float) -> Ends:
    """Compute the interval of the absolute difference of two shares.

    Args:
        a: texts of group A with the label, and all of its texts.
        b: the same of group B.
        level: confidence level, in (0, 1).

    Example:
        >>> [round(end, 4) for end in size_interval((56, 70), (48, 80), 0.95)], size_interval((2, 9), (2, 9), 0.95)[0]
        ([0.0524, 0.3369], 0.0)
    """
    (share_a, ends_a), (share_b, ends_b) = ((count / n, share_interval(count, n, level)) for count, n in (a, b))
    return folded(difference_interval(share_a, ends_a, share_b, ends_b))


def _intervals(counts: Counts, n: int, level: float | None) -> dict[str, list[float]]:
    if level is None:
        return {}
    return {label: list(share_interval(count, n, level)) for label, count in counts.items()}


def _pairs(groups: Sequence[str], shares: Sequence[float]) -> Iterable[tuple[str, str]]:
    """Return all pairs of groups; with many groups, only the most different pair."""
    if len(groups) <= MOST_PAIRED:
        return combinations(groups, 2)
    most, least = max(shares), min(shares)
    first, second = sorted([shares.index(most), shares.index(least)]) if most > least else (0, 1)
    return [(groups[first], groups[second])]


def _difference(a: float, b: float) -> dict[str, float]:
    return {"difference": a - b, "ratio": a / b if b else math.nan}


def recorded(measures: Sequence[str], settings: PolarityMeasure) -> Recorded:
    """Return the keys of a record, all of them fields of the row."""
    return Recorded(("index", "skipped", "group", "labels", "scores", "counts", "evidence"))


ENGINE = Engine(sums_of, dict.fromkeys(measures_of("polarity"), PolarityScore), ())
