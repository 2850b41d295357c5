"""Results of the polarity family: proportions by group, intervals, differences and tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from fairsum_utils.families import Results
from fairsum_utils.families.effective import signed
from fairsum_utils.families.engine import numbers_of
from fairsum_utils.families.polarity.rows import PolarityTable
from fairsum_utils.families.polarity.samples import LEAST, check_groups
from fairsum_utils.families.polarity.scorer import PolarityScorer
from fairsum_utils.families.warnings import MOST_PAIRED, only_one
from fairsum_utils.measures import get_formula
from fairsum_utils.measures._polarity import PolarityMeasure
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.intervals import Ends, difference_interval, folded, share_interval
from fairsum_utils.stats.sums import Sums
from fairsum_utils.stats.tests import compare_labels

# Label -> texts that have it.
Counts = Mapping[str, int]


def sums_of(table: PolarityTable, measures: Any = (), settings: Any = None, scorer: Any = None) -> Sums:
    """Count the texts of a table for `aggregate`.

    Returns:
        Of each group, and without one of texts that have none, the counts ``texts``, ``empty``, ``foreign`` and by
        label ``labelled``; ``counted`` by what else rows count.

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


def results_of(
    sums: Sums,
    measures: Sequence[str],
    settings: PolarityMeasure,
    scorer: PolarityScorer,
    given: Collection[str],
) -> Results:
    """Compute the measure from the sums of a data set, see `aggregate`."""
    [name] = measures
    made = scorer.signature(name, given)
    return {name: aggregate(sums, settings, labels=scorer.labels, counted=scorer.counted, made=made)}


def aggregate(
    sums: Sums,
    settings: PolarityMeasure,
    *,
    labels: Sequence[str],
    counted: Sequence[str] = (),
    made: Mapping[str, object],
) -> dict[str, Any]:
    """Compare groups by the share of texts with each label.

    Returns:
        A dict of plain Python numbers: the largest difference of a label's proportion between two groups under the name
        of the measure; with a confidence level ``<measure>_ci``, NaN unless there are two groups and one label;
        ``proportions`` and ``intervals`` by label, of all texts; ``proportions_by_group``,
        ``intervals_by_group`` and ``counts_by_group`` by group and label; ``n_by_group``; ``differences``, for each
        label and pair of groups (of more than 100 groups for each label the pair that differs most) ``label``,
        ``group_a``, ``group_b``, ``difference`` (A minus B) and ``ratio`` (A over B, NaN if B is 0); ``tests`` by
        label: ``test``, ``statistic``, ``p_value``, ``p_value_corrected`` (by Holm, over the labels) and ``undefined``
        if there is no test; ``n_samples``, ``n_skipped``, ``skipped``; what else
        rows count as ``n_<what>``; ``signature``; ``undefined`` gives the reason when the score or its interval is NaN.

    Example:
        >>> from fairsum_utils.families.polarity.rows import PolarityRow
        >>> from fairsum_utils.measures.toxicity import Toxicity
        >>> rows = [PolarityRow(0, "a", ("toxic",)), PolarityRow(1, "a"), PolarityRow(2, "b"), PolarityRow(3, "b")]
        >>> result = aggregate(sums_of(PolarityTable(rows)), Toxicity(), labels=["toxic"], made={})
        >>> result["toxicity"], result["proportions_by_group"], result["tests"]["toxic"]["test"]
        (0.5, {'a': {'toxic': 0.5}, 'b': {'toxic': 0.0}}, 'fisher')
    """
    n_texts, count = _by_group(sums, "texts"), sums.counts
    n_given = Counter(n_texts) + Counter(_by_group(sums, "foreign"))
    check_groups(settings.module, n_given, _by_group(sums, "empty"))
    lost = sorted(group for group in n_given if group is not None and n_texts.get(group, 0) < LEAST)
    groups = sorted(group for group in n_texts if group is not None)
    n, sizes = sums.n_samples, {group: n_texts[group] for group in groups}
    in_all = {label: sum(n for key, n in count.items() if key[:2] == ("labelled", label)) for label in labels}
    counts = {group: {label: count["labelled", label, group] for label in labels} for group in groups}
    shares = {group: {label: count / sizes[group] for label, count in counts[group].items()} for group in groups}
    level, name, labelled = settings.confidence_level, settings.name, [[*of.values()] for of in counts.values()]
    unused = () if groups else ("n_resamples", "seed")
    n_differences = len(labels) * math.comb(len(groups), 2)
    is_one = n_differences == 1 and not lost
    ends = {} if level is None else {f"{name}_ci": [math.nan, math.nan]}
    if level is not None and is_one:
        a, b = ((n, size) for [n], size in zip(labelled, sizes.values(), strict=True))
        ends = {f"{name}_ci": list(size_interval(a, b, level))}
    reason = _undefined(sums, groups, lost) or ("" if level is None or is_one else _several(name, n_differences))
    return {
        name: math.nan if lost else scalar(get_formula(name)(labelled, [*sizes.values()])),
        **ends,
        "proportions": {label: count / n if n else math.nan for label, count in in_all.items()},
        "intervals": _intervals(in_all, n, level),
        "proportions_by_group": shares,
        "intervals_by_group": {group: _intervals(counts[group], sizes[group], level) for group in groups},
        "counts_by_group": counts,
        "n_by_group": sizes,
        "differences": [
            {"label": label, "group_a": a, "group_b": b, **_difference(shares[a][label], shares[b][label])}
            for label in labels
            for a, b in _pairs(groups, [shares[group][label] for group in groups])
        ],
        "tests": compare_labels(counts, sizes, n_resamples=settings.n_resamples, seed=settings.seed),
        **numbers_of(sums),
        **{f"n_{what}": count["counted", what] for what in counted},
        **signed({**made, **settings.keyed(name, *unused), "interval": "folded" if ends and is_one else None}),
        **({"undefined": reason} if reason else {}),
    }


def _undefined(sums: Sums, groups: Sequence[str], lost: Sequence[str]) -> str:
    """Explain why the score is NaN; empty if it is not."""
    if lost:
        return f"the group {lost[0]!r} has fewer than {LEAST} texts that are not in another language"
    if not sums.n_samples:
        return "no text was scored"
    return "" if len(groups) > 1 else only_one("group", groups) if groups else "no groups were given"


def _several(name: str, n_differences: int) -> str:
    """Explain why the interval of a largest difference is NaN."""
    return (
        f"{name}_ci: the score is the largest of {n_differences} differences, for which none is known to hold; see the "
        "intervals of the shares, and the tests"
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
