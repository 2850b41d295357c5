"""Results of the omission family: scores, figures, intervals and comparisons."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.chance import beside_scores, beside_systems
from fairsum_utils.families.effective import signed
from fairsum_utils.families.estimates import SampleScores, compared, mean_of, numbers_of
from fairsum_utils.families.omission.chance import at_random, not_found_at_random, put_at_random
from fairsum_utils.families.omission.rows import Matter, OmissionTable
from fairsum_utils.families.omission.scorer import NO_MATTER, NOT_ENGLISH
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.omission import LIST, Omission, sample_omission
from fairsum_utils.stats.intervals import METHODS, Estimate
from fairsum_utils.stats.sums import Sums, check_same_samples
from fairsum_utils.text.serious import LIST_PRECISION, LIST_RECALL

SCORES = SampleScores("matters", {})

# Numbers of texts behind a matter that results tell apart.
_MANY_TEXTS = 4
# Sentences to read in a result, at most.
_MOST_TO_READ = 20
_NO_JUDGE = (
    "the entailer does not read meaning, so that a paraphrase looks like an omission; choose an NLI model or a "
    "function as entailer, or read the sentences that a score lists"
)
_NO_SCORE = Estimate(math.nan, METHODS["scores"], 0)


def _n_texts(matter: Matter) -> str:
    return str(matter.n_texts) if matter.n_texts < _MANY_TEXTS else f"{_MANY_TEXTS} or more"


def sums_of(table: OmissionTable, measures: Sequence[str], settings: Omission, scorer: Any = None) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``omission``, ``ordinary_n``, ``ordinary`` and ``difference`` (samples with
        ordinary sentences) and, by category, ``matters``; totals by group and category; counts.

    Example:
        >>> table = OmissionTable([OmissionRow(0, (Matter("violence", "threat", True, 1, ("a",)),))])
        >>> sums_of(table, ["omission"], Omission()).total("omission")
        1.0
    """
    of_samples = list(table.matters())
    sums = Sums(len(of_samples), skipped=table.skipped)
    shares = np.array([_omission(matters) for matters in of_samples])
    sums.put(("n",), np.ones(sums.n_units))
    sums.put(("omission",), shares)
    n_ordinary, n_omitted = table.scored("n_ordinary"), table.scored("n_ordinary_omitted")
    has_some = n_ordinary > 0
    ordinary = n_omitted[has_some] / n_ordinary[has_some]
    sums.put(("ordinary_n",), has_some)
    sums.put(("ordinary",), ordinary, np.flatnonzero(has_some))
    sums.put(("difference",), shares[has_some] - ordinary, np.flatnonzero(has_some))
    _put_matters(sums, of_samples)
    for name in ("n_ordinary", "n_pairs"):
        sums.counts[name,] = int(table.scored(name).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    if settings.at_random:
        put_at_random(sums, table)
    return sums


def _omission(matters: Sequence[Matter]) -> float:
    return sample_omission(np.array([matter.is_omitted for matter in matters]))


def _put_matters(sums: Sums, of_samples: Sequence[Sequence[Matter]]) -> None:
    """Add figures by category, by group and by number of texts."""
    by_category: defaultdict[str, dict[int, int]] = defaultdict(dict)
    shares: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for place, matters in enumerate(of_samples):
        parts: defaultdict[tuple[str, str], list[Matter]] = defaultdict(list)
        for matter in matters:
            parts["category", matter.category].append(matter)
            for value in matter.values:
                parts["value", value].append(matter)
            sums.counts["by_n_texts", _n_texts(matter)] += 1
            sums.counts["omitted_by_n_texts", _n_texts(matter)] += matter.is_omitted
        for part, members in parts.items():
            shares[part].append(_omission(members))
            sums.counts["matters_by", *part] += len(members)
            if part[0] == "category":
                by_category[part[1]][place] = len(members)
        sums.counts["matters",] += len(matters)
        sums.counts["omitted",] += sum(matter.is_omitted for matter in matters)
        for matter in matters:
            if matter.to_read:
                sums.counts["to_read", matter.entry or matter.category, matter.to_read] += matter.n_texts
    for category, numbers in by_category.items():
        sums.put(("matters", category), list(numbers.values()), np.array(list(numbers)))
    for (what, name), of_part in shares.items():
        sums.put_total((f"omission_by_{what}", name), of_part)
        sums.counts[what, name] = len(of_part)


def results_of(
    sums: Sums, measures: Sequence[str], settings: Omission, scorer: Scorer, given: Collection[str]
) -> Results:
    """Compute measures from the sums of a data set.

    The card in ``metrics/omission`` lists every key.
    """
    judged = scorer.signature(measures[0], given)
    results: Results = {}
    for name in measures:
        results[name] = {
            **(_judged(sums, name, settings) if settings.reads_meaning else _not_found(sums, name, settings)),
            "n_matters": sums.counts["matters",],
            "n_ordinary": sums.counts["n_ordinary",],
            "n_pairs": sums.counts["n_pairs",],
            **numbers_of(sums),
            "n_truncated": sums.counts["truncated",],
            **_list_quality(settings),
            **_signed(name, settings, judged),
        }
        if not sums.n_samples:
            only = sums.skipped.keys() == {NO_MATTER}
            results[name]["undefined"] = "no source raises a serious matter" if only else "no sample left to score"
    return beside_scores(results, at_random(sums, measures, settings, given))


def _judged(sums: Sums, name: str, settings: Omission) -> dict[str, Any]:
    """Return the score and its figures by an entailer that reads meaning."""
    found = {
        name: SCORES.score(sums, name),
        **_by("value", sums),
        **_by("category", sums),
        "by_n_texts": {
            key: {"n_matters": n, "omission": sums.counts["omitted_by_n_texts", key] / n}
            for key, n in sums.counted("by_n_texts").items()
        },
        "n_omitted": sums.counts["omitted",],
        **_ordinary(sums, settings),
    }
    if settings.confidence_level is not None:
        found |= SCORES.estimate(sums, name).keys(name, settings.confidence_level)
    return found


def _not_found(sums: Sums, name: str, settings: Omission) -> dict[str, Any]:
    """Return the matters without a near-literal trace, and why they have no score."""
    to_read = [(n, key[1], key[2]) for key, n in sums.counts.items() if key[0] == "to_read"]
    found = {
        name: math.nan,
        f"{name}_by_value": {},
        "n_by_value": {},
        "not_found": SCORES.score(sums, name),
        **not_found_at_random(sums, settings),
        "n_not_found": sums.counts["omitted",],
        "n_to_read": len(to_read),
        "to_read": [
            {"matter": matter, "n_texts": n, "sentence": sentence}
            for n, matter, sentence in sorted(to_read, key=lambda each: (-each[0], *each[1:]))[:_MOST_TO_READ]
        ],
    }
    if settings.confidence_level is not None:
        found |= _NO_SCORE.keys(name, settings.confidence_level)
    return found | {"undefined": _NO_JUDGE}


def _by(what: str, sums: Sums) -> dict[str, Any]:
    """Return the figures by group or by category."""
    n_by = sums.counted(what)
    part = f"omission_by_{what}"
    n_matters = {name: sums.counts["matters_by", what, name] for name in n_by}
    return {
        part: {name: mean_of(sums, part, name, n=n) for name, n in n_by.items()},
        f"n_by_{what}": n_by,
        f"n_matters_by_{what}": n_matters,
    }


def _ordinary(sums: Sums, settings: Omission) -> dict[str, Any]:
    """Compare the score with the share of omitted ordinary sentences."""
    n = sums.total("ordinary_n")
    difference = mean_of(sums, "difference", n=n)
    found: dict[str, Any] = {"ordinary_omission": mean_of(sums, "ordinary", n=n), "ordinary_difference": difference}
    if settings.confidence_level is not None:
        totals, sizes = sums.by_unit(("difference",)), sums.by_unit(("ordinary_n",))
        estimate = Estimate(difference, "two-point", n, totals=totals, sizes=sizes, limits=(-1.0, 1.0))
        found["ordinary_difference_ci"] = list(estimate.interval(settings.confidence_level))
    return found


def _list_quality(settings: Omission) -> dict[str, float]:
    """Return precision and recall of the shipped list, unless there is another finder."""
    if settings.finder != LIST:
        return {}
    return {"list_precision": LIST_PRECISION, "list_recall": LIST_RECALL}


def quality(sums: Sums) -> dict[str, float]:
    """Return the share of ordinary sentences that the summary entails, averaged over samples."""
    return {"ordinary_traced": 1 - mean_of(sums, "ordinary", n=sums.total("ordinary_n"))}


def warnings_of(sums: Sums, settings: Omission) -> list[WarningRecord]:
    """Warn about texts that the list cannot read."""
    n = sums.n_samples + sums.skipped.total()
    unread = (
        "{} samples have sources that are not recognized as English, in which the list finds nothing; give serious or "
        "serious_spans, or choose a finder"
    )
    return WarningRecord.of(NOT_ENGLISH, sums.skipped[NOT_ENGLISH], n, unread)


def _signed(name: str, settings: Omission, judged: Mapping[str, object], *, paired: bool = False) -> dict[str, Any]:
    """Return the effective settings and the signature of a result."""
    is_given = settings.confidence_level is not None
    unused = () if paired else ("n_resamples", "seed") if is_given else ("n_resamples", "seed", "bootstrap")
    interval = METHODS["scores"] if is_given else None
    return signed({**judged, **settings.keyed(name, *unused), "interval": interval})


def draw_systems(
    systems: Sequence[Sums], measures: Sequence[str], settings: Omission, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples with the same bootstrap draws."""
    check_same_samples(systems, "matters")
    if not settings.reads_meaning:
        return [System(sums, dict.fromkeys(measures, _NO_SCORE)) for sums in systems]
    return [System(sums, SCORES.estimates(sums, measures, settings, paired=True)) for sums in systems]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: Omission,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B omits less), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost``, ``n_samples``, ``n_skipped`` and ``signature``; ``undefined`` gives
        the reason when there is no interval.
    """
    judged = scorer.signature(measures[0], given)
    signed_of = partial(_signed, settings=settings, judged=judged, paired=True)
    results = compared(a, b, measures, settings, n_skipped, signed_of)
    if not settings.reads_meaning:
        results = {name: {**result, "undefined": _NO_JUDGE} for name, result in results.items()}
    levels = (at_random(system.sums, measures, settings, given) for system in (a, b))
    return beside_systems(results, *levels)
