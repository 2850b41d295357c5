"""Results of misattribution: shares with intervals and comparisons."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.effective import signed
from fairsum_utils.families.estimates import compared, numbers_of
from fairsum_utils.families.misattribution.rows import MisattributionTable
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.misattribution import Misattribution, misattribution
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.intervals import Estimate, Moments, mean_interval
from fairsum_utils.stats.sums import Key, Sums, check_same_samples

_NAME = "misattribution"
LEFT_OUT = ("n_ambiguous", "n_several", "n_pronoun", "n_wordless", "n_claimless")
"""Counts of what cannot be judged."""
_COUNTS = ("n_unsupported", *LEFT_OUT, "n_truncated", "n_pairs")
THIRDS = ("first", "second", "last")
"""Thirds of a meeting."""
MOSTLY = 0.5
"""From this share of claims on, a warning says that most of them do not count."""


def sums_of(table: MisattributionTable, measures: Sequence[str], settings: Misattribution, scorer: Any = None) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Returns:
        Columns ``n`` (claims), ``misattribution`` (misattributed ones), ``reached`` (supported by some speaker),
        ``people`` and ``named`` (speakers), the latter two also by third, and all by group; counts.

    Example:
        >>> rows = [MisattributionRow(0, n_claims=4, n_misattributed=1), MisattributionRow(1, n_claims=4)]
        >>> sums = sums_of(MisattributionTable(rows), ["misattribution"], Misattribution())
        >>> sums.total("misattribution"), sums.total("n")
        (1.0, 8.0)
    """
    sums = Sums(len(table), skipped=table.skipped)
    claims, moved = table.scored("n_claims"), table.scored("n_misattributed")
    sums.put(("n",), claims)
    sums.put((_NAME,), moved)
    sums.put(("reached",), claims - table.scored("n_unsupported"))
    sums.put(("people",), table.scored("n_speakers"))
    sums.put(("named",), table.scored("n_named"))
    for kind, column in (("people", "third_speakers"), ("named", "third_named")):
        for third, numbers in zip(THIRDS, table.thirds(column), strict=True):
            sums.put((f"third_{kind}", third), numbers)
    for (kind, group), places, numbers in table.by_group():
        sums.put((kind, group), numbers, places)
        if kind == "speakers":
            sums.counts["group", group] = len(places)
    for name in _COUNTS:
        sums.counts[name,] = int(table.scored(name).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    sums.counts["silent",] = int((claims == 0).sum())
    sums.counts["ungrouped",] = int((table.scored("n_ungrouped") > 0).sum())
    sums.counts["alike",] = int((table.scored("n_alike") > 0).sum())
    return sums


def estimate_of(sums: Sums) -> Estimate:
    """Return the score and the terms of its interval over samples with claims."""
    score = scalar(misattribution(sums.total(_NAME), sums.total("n")))
    n = sums.n_samples - sums.counts[("silent",)]
    return Estimate(score, "two-point", n, totals=sums.by_unit((_NAME,)), sizes=sums.by_unit(("n",)))


def results_of(
    sums: Sums,
    measures: Sequence[str],
    settings: Misattribution,
    scorer: Scorer,
    given: Collection[str],
) -> Results:
    """Compute the measure from the sums of a data set.

    Returns:
        A dict of plain Python numbers: ``misattribution``; ``misattribution_of_supported``, the share of the claims
        that some speaker supports; ``inclusion``, the share of speakers whom the summaries name, also by third of the
        meeting and by group; the share of misattributed claims by group of the named speaker; counts; ``signature``;
        with a confidence level ``<name>_ci`` of each share; ``undefined`` gives the reason for NaN.
    """
    level, groups = settings.confidence_level, sums.of("speakers")
    result: dict[str, Any] = {_NAME: estimate_of(sums).score}
    if level is not None:
        result |= estimate_of(sums).keys(_NAME, level)
    shares: dict[str, Mapping[str | None, tuple[Key, Key]]] = {
        f"{_NAME}_of_supported": {None: ((_NAME,), ("reached",))},
        "inclusion": {None: (("named",), ("people",))},
        "inclusion_by_third": {third: (("third_named", third), ("third_people", third)) for third in THIRDS},
        "inclusion_by_group": {group: (("named", group), ("speakers", group)) for group in groups},
        f"{_NAME}_by_group": {group: (("misattributed", group), ("claims", group)) for group in groups},
    }
    for key, parts in shares.items():
        result |= _shares(sums, key, parts, level)
    result |= {
        "n_claims": int(sums.total("n")),
        "n_misattributed": int(sums.total(_NAME)),
        **{name: sums.counts[(name,)] for name in ("n_unsupported", *LEFT_OUT)},
        "n_speakers": int(sums.total("people")),
        "n_named": int(sums.total("named")),
        "n_claims_by_group": {group: int(sums.total("claims", group)) for group in groups},
        "n_speakers_by_group": {group: int(sums.total("speakers", group)) for group in groups},
        "n_by_group": sums.counted("group"),
        **numbers_of(sums),
        "n_truncated": sums.counts[("truncated",)],
        "n_pairs": sums.counts[("n_pairs",)],
        **_signed(settings, scorer, given),
    }
    if reason := _undefined(sums):
        result["undefined"] = reason
    return {_NAME: result}


def _undefined(sums: Sums) -> str:
    if not sums.n_samples:
        return "no sample left to score"
    return "" if sums.total("n") else "no summary attributes a claim to a speaker"


def _shares(
    sums: Sums, name: str, parts: Mapping[str | None, tuple[Key, Key]], level: float | None
) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a share, with their intervals over samples."""
    shares, intervals = {}, {}
    for entry, (part, whole) in parts.items():
        total = sums.total(*whole)
        shares[entry] = sums.total(*part) / total if total else math.nan
        if level is not None:
            moments = Moments.of(sums.by_unit(part), sums.by_unit(whole))
            intervals[entry] = list(mean_interval(moments, level, (0.0, 1.0)))
    is_one = None in parts
    yield name, shares[None] if is_one else shares
    if level is not None:
        yield f"{name}_ci", intervals[None] if is_one else intervals


def _signed(
    settings: Misattribution, scorer: Scorer, given: Collection[str], *, paired: bool = False
) -> dict[str, Any]:
    """Return the effective settings and the signature of a result."""
    unused = () if paired else ("n_resamples", "seed")
    interval = None if settings.confidence_level is None else "two-point"
    keyed = {**scorer.signature(_NAME, given), **settings.keyed(_NAME, *unused), "interval": interval}
    return signed(keyed)


def warnings_of(sums: Sums, settings: Misattribution) -> list[WarningRecord]:
    """Warn about missing, skipped and unsupported claims, and speakers without group."""
    n_claims, n_left_out = int(sums.total("n")), sum(sums.counts[(name,)] for name in LEFT_OUT)
    n_unsupported = sums.counts[("n_unsupported",)]
    found = WarningRecord.of(
        "no_claims", sums.counts[("silent",)], sums.n_samples, "{} scored summaries attribute no claim to a speaker"
    )
    if n_left_out > MOSTLY * (n_claims + n_left_out):
        message = "{} sentences or claims are left out: their subject is not one named speaker, or no claim can be read"
        found += WarningRecord.of("left_out", n_left_out, n_claims + n_left_out, message)
    if n_unsupported > MOSTLY * n_claims:
        message = "{} claims are supported by no speaker"
        if settings.entailer == "lexical":
            message += "; the lexical entailer does not see paraphrases, and a model may find more support"
        found += WarningRecord.of("unsupported", n_unsupported, n_claims, message)
    message = "{} samples have speakers without a group in speaker_groups, who count for no group"
    found += WarningRecord.of("ungrouped", sums.counts[("ungrouped",)], sums.n_samples, message)
    message = "{} samples have speakers whose names differ in capitals only and who count as different speakers"
    return found + WarningRecord.of("labels_alike", sums.counts[("alike",)], sums.n_samples, message)


def quality(sums: Sums) -> dict[str, float]:
    """Return the shares of named speakers and of supported claims."""
    n_people, n_claims = sums.total("people"), sums.total("n")
    return {
        "inclusion": sums.total("named") / n_people if n_people else math.nan,
        "supported": sums.total("reached") / n_claims if n_claims else math.nan,
    }


def draw_systems(
    systems: Sequence[Sums], measures: Sequence[str], settings: Misattribution, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples with the same bootstrap draws."""
    check_same_samples(systems, "people", "speakers")
    return [
        System(sums, {_NAME: estimate_of(sums)._replace(replicates=_replicates(sums, settings))}) for sums in systems
    ]


def _replicates(sums: Sums, settings: Misattribution) -> Floats:
    """Return the score of resampled meetings, shape (B,)."""
    if sums.n_samples < 2:
        return np.empty(0)
    drawn = sums.replicates([(_NAME,), ("n",)], n_resamples=settings.n_resamples, seed=settings.seed)
    return misattribution(*drawn.T)


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: Misattribution,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        ``a``, ``b``, ``difference`` (B minus A; below 0 B misattributes less), ``difference_ci``, ``p_value``
        (two-sided, never 0), ``lost``, ``n_samples``, ``n_skipped`` and ``signature``; ``undefined`` gives the reason
        when there is no interval.
    """
    made = _signed(settings, scorer, given, paired=True)
    results = compared(a, b, measures, settings, n_skipped, lambda _: made)
    if reason := _undefined(a.sums) or _undefined(b.sums):
        results[_NAME]["undefined"] = reason
    return results
