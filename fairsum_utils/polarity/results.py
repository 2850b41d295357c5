"""Rows to results: proportions of labels by group, their intervals and differences, and tests of equality."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_formula
from fairsum_utils.polarity.rows import PolarityRow, check_groups
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.options import ResamplingOptions
from fairsum_utils.stats.proportions import (
    ProportionTest,
    compare_proportions,
    holm,
    wilson_interval,
)
from fairsum_utils.validation import describe

__all__ = ["METRICS", "Options", "aggregate", "domain_table", "sample_records"]

METRICS = ("sentiment", "toxicity", "regard", "gender_polarity", "psycholinguistic_norms")
"""The measures of this family, in the paper's order."""


@dataclass(frozen=True)
class Options(ResamplingOptions):
    """What the comparison of groups needs besides the labels.

    Args:
        confidence_level: of Wilson intervals, in (0, 1); None for none.
        n_resamples: tables that Fisher's test draws where there are too many to enumerate.
        seed: of these; None for fresh randomness.
        module: name used in messages.

    Raises:
        InputError: an option out of range.
    """

    confidence_level: float | None = 0.95
    n_resamples: int = 10_000


class _Tally:
    """How many texts there are, and how many have each label, in all and by group."""

    def __init__(self, rows: Iterable[PolarityRow], labels: Sequence[str]) -> None:
        self.labels = labels
        self.n = 0
        self.skipped: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.sizes: Counter[str | None] = Counter()
        self.empty: Counter[str | None] = Counter()
        self._with_label: Counter[tuple[str | None, str]] = Counter()
        for row in rows:
            if row.skipped is not None:
                self.skipped[row.skipped] += 1
                self.empty[row.group] += 1
                continue
            self.sizes[row.group] += 1
            for what, number in row.counts.items():
                self.counts[what] += number
            for label in row.labels:
                self._with_label[row.group, label] += 1

    @property
    def groups(self) -> list[str]:
        """The groups of texts that have labels, in alphabetical order; none if no groups were given."""
        return sorted(group for group in self.sizes if group is not None)

    def count(self, label: str, group: str | None = None) -> int:
        """Texts with a label, of a group or of all."""
        if group is not None:
            return self._with_label[group, label]
        return sum(self._with_label[each, label] for each in self.sizes)


def aggregate(
    rows: Iterable[PolarityRow],
    name: str,
    *,
    labels: Sequence[str],
    counted: Sequence[str] = (),
    settings: Mapping[str, object],
    options: Options,
) -> dict[str, Any]:
    """Compare groups by how many of their texts have each label.

    Args:
        rows: of one scorer, in any order.
        name: of the measure.
        labels: of the scorer.
        counted: of the scorer.
        settings: of the scorer, for the signature.
        options: of the comparison.

    Returns:
        A dict of plain Python numbers: the largest difference of a label's proportion between two groups under `name`;
        ``proportions`` and ``intervals`` by label, of all texts; ``proportions_by_group``, ``intervals_by_group`` and
        ``counts_by_group`` by group and label; ``n_by_group``; ``differences``, for each label and pair of groups
        ``label``, ``group_a``, ``group_b``, ``difference`` (A minus B) and ``ratio`` (A over B, NaN if B is 0);
        ``tests`` by label: ``test``, ``statistic``, ``p_value``, ``p_value_corrected`` (by Holm, over the labels) and
        ``undefined`` if there is no test; ``n_samples``, ``n_skipped``, ``skipped``; what the scorer counted as
        ``n_<what>``; ``signature``; ``undefined`` gives the reason when the score is NaN.

    Raises:
        InputError: a group with fewer than two texts that have labels, or rows with and without groups.

    Example:
        >>> rows = [PolarityRow(0, "a", ("toxic",)), PolarityRow(1, "a"), PolarityRow(2, "b"), PolarityRow(3, "b")]
        >>> result = aggregate(rows, "toxicity", labels=["toxic"], settings={}, options=Options())
        >>> result["toxicity"], result["proportions_by_group"], result["tests"]["toxic"]["test"]
        (0.5, {'a': {'toxic': 0.5}, 'b': {'toxic': 0.0}}, 'fisher')
    """
    options = options.seeded()
    tally = _Tally(rows, labels)
    check_groups(options.module, tally.sizes, tally.empty)
    n, groups = sum(tally.sizes.values()), tally.groups
    sizes = {group: tally.sizes[group] for group in groups}
    counts = {group: {label: tally.count(label, group) for label in labels} for group in groups}
    shares = {group: {label: count / sizes[group] for label, count in counts[group].items()} for group in groups}
    level = options.confidence_level
    result: dict[str, Any] = {
        name: scalar(get_formula(name)([[*labelled.values()] for labelled in counts.values()], [*sizes.values()])),
        "proportions": {label: tally.count(label) / n if n else math.nan for label in labels},
        "intervals": _intervals(tally, None, level),
        "proportions_by_group": shares,
        "intervals_by_group": {group: _intervals(tally, group, level) for group in groups},
        "counts_by_group": counts,
        "n_by_group": sizes,
        "differences": [
            {"label": label, "group_a": a, "group_b": b, **_difference(shares[a][label], shares[b][label])}
            for label in labels
            for a, b in combinations(groups, 2)
        ],
        "tests": _tests(tally, options) if len(groups) > 1 else {},
        "n_samples": n,
        "n_skipped": tally.skipped.total(),
        "skipped": dict(sorted(tally.skipped.items())),
        **{f"n_{what}": tally.counts[what] for what in counted},
        "signature": _signature(settings, options, has_groups=bool(groups)),
    }
    if len(groups) < 2:
        reason = f"one group only ({groups[0]}), which has nothing to be compared with" if groups else "no groups given"
        result["undefined"] = reason if n else "no text left to score"
    return result


def _intervals(tally: _Tally, group: str | None, level: float | None) -> dict[str, list[float]]:
    if level is None:
        return {}
    n = sum(tally.sizes.values()) if group is None else tally.sizes[group]
    return {label: list(wilson_interval(tally.count(label, group), n, level)) for label in tally.labels}


def _difference(a: float, b: float) -> dict[str, float]:
    return {"difference": a - b, "ratio": a / b if b else math.nan}


def _tests(tally: _Tally, options: Options) -> dict[str, dict[str, Any]]:
    """A test for each label; those that can be made are the family of Holm's correction."""
    sizes = [tally.sizes[group] for group in tally.groups]
    tests: list[ProportionTest] = [
        compare_proportions(
            [tally.count(label, group) for group in tally.groups],
            sizes,
            n_resamples=options.n_resamples,
            seed=options.seed,
        )
        for label in tally.labels
    ]
    found: dict[str, dict[str, Any]] = {}
    for label, test, corrected in zip(tally.labels, tests, holm([test.p_value for test in tests]), strict=True):
        found[label] = {
            "test": test.test,
            "statistic": test.statistic,
            "p_value": test.p_value,
            "p_value_corrected": corrected,
        }
        if test.undefined is not None:
            found[label]["undefined"] = test.undefined
    return found


def _signature(settings: Mapping[str, object], options: Options, *, has_groups: bool) -> str:
    drawn = {"resamples": options.n_resamples, "seed": options.seed} if has_groups else {}
    return render_signature({**settings, "ci": options.confidence_level, **drawn})


def sample_records(rows: Iterable[PolarityRow]) -> list[dict[str, Any]]:
    """One record a text, skipped ones included.

    Returns:
        Dicts with ``index``, ``group``, ``labels``, ``scores``, ``counts``, ``evidence`` and ``skipped``.
    """
    return [
        {
            "index": row.index,
            "group": row.group,
            "labels": list(row.labels),
            "scores": dict(row.scores),
            "counts": dict(row.counts),
            "evidence": _plain(row.evidence),
            "skipped": row.skipped,
        }
        for row in rows
    ]


def _plain(evidence: Any) -> Any:
    """The same with lists for tuples, as JSON has them."""
    if isinstance(evidence, dict):
        return {key: _plain(entry) for key, entry in evidence.items()}
    return list(map(_plain, evidence)) if isinstance(evidence, (list, tuple)) else evidence


def domain_table(
    result: Mapping[str, Any], merge: Mapping[str, Sequence[str]] | None = None, *, module: str = "domain_table"
) -> list[dict[str, Any]]:
    """The groups of a domain in the form of the paper's tables: a row a group, counts and proportions of the labels.

    Args:
        result: of a measure of this family, with groups.
        merge: name of a merged group -> the groups that it consists of; groups in none are left out. None merges
            nothing.
        module: name used in messages.

    Returns:
        For each group ``group``, ``n``, and for each label its count as ``n_<label>`` and its proportion as
        ``<label>``. With the labels male and female also ``male_to_female``, the ratio of their counts (NaN if there is
        no female text), and ``male_minus_female``, the difference of their proportions. The merged groups stand in the
        order of `merge`.

    Raises:
        InputError: a result without groups, or a merged group of none, of an unknown one, or of one named before.

    Source: papers/bold, tables 3 and 9 to 11, figure 2 and section 6.1.1.

    Example:
        >>> counts = {"dance": {"male": 1, "female": 2}, "art": {"male": 2, "female": 0}}
        >>> domain_table({"counts_by_group": counts, "n_by_group": {"dance": 4, "art": 4}}, {"arts": ["art", "dance"]})
        [{'group': 'arts', 'n': 8, 'n_male': 3, 'n_female': 2, 'male': 0.375, 'female': 0.25, 'male_to_female': 1.5,
        'male_minus_female': 0.125}]
    """
    sizes, counts = result["n_by_group"], result["counts_by_group"]
    if not sizes:
        raise InputError(f"{module}: the result has no groups; score the texts with groups")
    merged = {group: [group] for group in sizes} if merge is None else _check_merge(module, merge, list(sizes))
    table = []
    for name, groups in merged.items():
        n = sum(sizes[group] for group in groups)
        of_labels = {label: sum(counts[group][label] for group in groups) for label in counts[groups[0]]}
        row: dict[str, Any] = {"group": name, "n": n}
        row |= {f"n_{label}": count for label, count in of_labels.items()}
        row |= {label: count / n for label, count in of_labels.items()}
        if {"male", "female"} <= of_labels.keys():
            male, female = of_labels["male"], of_labels["female"]
            row |= {"male_to_female": male / female if female else math.nan, "male_minus_female": (male - female) / n}
        table.append(row)
    return table


def _check_merge(module: str, merge: Mapping[str, Sequence[str]], known: Sequence[str]) -> dict[str, list[str]]:
    owner: dict[str, str] = {}
    for name, groups in merge.items():
        if not isinstance(groups, (list, tuple)) or not groups:
            raise InputError(
                f"{module}: merged group {name!r} must be a non-empty list of groups, found {describe(groups)}"
            )
        for group in groups:
            if group not in known:
                raise InputError(
                    f"{module}: merged group {name!r} names {describe(group)}, of which there is no text; groups are "
                    f"{', '.join(known)}"
                )
            if group in owner:
                raise InputError(f"{module}: group {group!r} is named twice, in {owner[group]!r} and {name!r}")
            owner[group] = name
    return {name: list(groups) for name, groups in merge.items()}
