"""Reasons why a number says less than it seems; results list them under ``warnings``."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairsum_utils.errors import ScoreWarning
from fairsum_utils.families.contract import ORIGINAL, SAMPLE, Unit
from fairsum_utils.validation import count as number_of

FEW = 30
"""Fewer scored samples than this are few; of measures that are made from originals, fewer of these."""
RARE = 10
"""A value in fewer samples than this is rare."""
MOST_PAIRED = 100
"""Of more groups or values than this a result does not hold every pair, of which there are half a million of 1,000."""
SAME_SUMMARIES, COPIES = "same_summaries", "copies"
"""Codes of what summaries are that do not depend on what is asked of them."""
MOSTLY = 0.5
"""Where so large a share of summaries is so, a score says nothing."""
NAMED = 20
"""So many names stand in a message; more would bury it."""
LOST = 0.01
"""A larger share of lost replicates is told."""


@dataclass(frozen=True)
class Caution:
    """One reason why a number says less than it seems.

    Attributes:
        code: a stable name of the reason: ``skipped``, ``few_samples``, ``few_originals``, ``rare_value``,
            ``many_groups``, ``many_values``, ``truncated``, ``unpaired``, ``many_names``, ``lost_replicates``; of a
            family also others, such as ``unmatched`` and ``single_value``.
        count: how many samples it concerns; of ``few_originals`` originals, of ``rare_value`` and ``many_values``
            values, of ``many_groups`` groups, of ``many_names`` persons, of ``lost_replicates`` replicates.
        share: of all there are, in [0, 1].
        message: a sentence for people, without its period.
        measure: the only one of the family that it concerns; None for all.
    """

    code: str
    count: int
    share: float
    message: str
    measure: str | None = None

    def told(self) -> dict[str, Any]:
        """Return the entry of a result.

        Example:
            >>> Caution("unmatched", 3, 0.5, "3 share no word", measure="uer").told()
            {'code': 'unmatched', 'count': 3, 'share': 0.5, 'message': '3 share no word'}
        """
        return {"code": self.code, "count": self.count, "share": self.share, "message": self.message}

    @classmethod
    def of(cls, code: str, count: int, total: int, message: str) -> list[Caution]:
        """The caution as a list; an empty one where nothing is concerned.

        Example:
            >>> Caution.of("unmatched", 3, 8, "{} scored summaries share no word with their sources")[0].message
            '3 of 8 (38 %) scored summaries share no word with their sources'
            >>> Caution.of("unmatched", 1, 1500, "{}")[0].message
            '1 of 1500 (< 1 %)'
            >>> Caution.of("unmatched", 0, 8, "{}")
            []
        """
        if not count:
            return []
        share = count / total
        percent = "< 1" if share < 0.005 else "> 99" if 0.995 <= share < 1 else f"{100 * share:.0f}"
        return [cls(code, count, share, message.replace("{}", f"{count} of {total} ({percent} %)", 1))]


def common_cautions(
    measure: str, result: Mapping[str, Any], n_scored: int, n_resamples: int, unit: Unit = SAMPLE
) -> list[Caution]:
    """List the reasons against a score that the figures of any result show.

    Example:
        >>> [caution.code for caution in common_cautions("uer", {"n_skipped": 1, "n_by_value": {"a": 3}}, 3, 0)]
        ['skipped', 'few_samples']
    """
    total = n_scored + result["n_skipped"]
    reasons = ", ".join(result.get("skipped", ()))
    found = Caution.of("skipped", result["n_skipped"], total, f"{{}} samples have no score{reasons and f': {reasons}'}")
    few = _few(result, n_scored, unit)
    found += few
    if not few:
        counts = result.get("n_by_value") or result.get("n_by_group") or {}
        rare = [value for value, count in counts.items() if count < RARE]
        message = f"{{}} values occur in fewer than {RARE} samples, and their figures say little: {some_of(rare)}"
        found += Caution.of("rare_value", len(rare), len(counts), message)
    found += _unpaired(result)
    found += Caution.of(
        "truncated", result.get("n_truncated", 0), n_scored, "{} samples have texts longer than the model reads"
    )
    message = (
        "{} samples have no pair_id, so that intervals within originals (s) draw them singly; these are far too wide "
        "where an assignment and its inversion were made together"
    )
    found += Caution.of("unpaired", result.get("n_unpaired", 0), n_scored, message)
    if result.get("n_hallucinated") and not result.get("most_frequent"):
        n = result["n_hallucinated"]
        message = f"the {n} hallucinated persons have too many different names to say which are the most frequent"
        found.append(Caution("many_names", n, result["hallucinated_share"], message))
    lost = result.get(f"{measure}_ci_lost", result.get("lost", math.nan))
    if lost > LOST:
        message = "{} bootstrap replicates lost a value and do not count in the interval"
        found += Caution.of("lost_replicates", round(lost * n_resamples), n_resamples, message)
    return found


_PAIRS = {
    "differences": ("n_by_group", "group", "for each label only the two that differ most"),
    "log_odds_ratios": ("counts_by_group", "group", "only the two that differ most"),
    "mean_extreme_by_value": (
        "n_by_value",
        "value",
        "beside each only those that are extreme in some sample that it dominates",
    ),
}
"""What of a result pairs groups or values -> of which, what they are, and what of many of them it holds."""


def _unpaired(result: Mapping[str, Any]) -> list[Caution]:
    """That not every pair of groups or values is there, for there are too many."""
    found = []
    for key, (counted, what, held) in _PAIRS.items():
        n = len(result.get(counted) or ()) if key in result else 0
        if n > MOST_PAIRED:
            place = "by_dominant_value" if what == "value" else key
            message = f"{n} {what}s are too many to pair all of them: {place} holds {held}"
            found.append(Caution(f"many_{what}s", n, 1.0, message))
    return found


def some_of(names: Sequence[str]) -> str:
    """Names for a message: all of a few, the first of many.

    Example:
        >>> some_of(["a", "b"]), some_of(["a"] * 22)[-16:]
        ('a, b', 'a, a, and 2 more')
    """
    told = ", ".join(names[:NAMED])
    return f"{told}, and {len(names) - NAMED} more" if len(names) > NAMED else told


def _few(result: Mapping[str, Any], n_scored: int, unit: Unit) -> list[Caution]:
    """That there are few samples, or originals, with a score."""
    n, total = n_scored, n_scored + result["n_skipped"]
    if unit is ORIGINAL:
        n, total = int(unit.number(result)), result["n_articles"]
    if n >= FEW:
        return []
    said = f"only {number_of(n, unit.name)} with a score: so few say little" if n else f"no {unit.name} has a score"
    return [Caution(unit.few, n, n / max(total, 1), said)]


def says_nothing(result: Mapping[str, Any]) -> str:
    """Why a score says nothing of what it is asked, whatever it is; empty where it does say something.

    Example:
        >>> says_nothing({"warnings": [{"code": "copies", "share": 0.9, "message": "90 of 100 seem to be copies"}]})
        '90 of 100 seem to be copies'
    """
    found = (
        str(caution["message"])
        for caution in result.get("warnings", ())
        if caution["code"] in (SAME_SUMMARIES, COPIES) and caution.get("share", 0) >= MOSTLY
    )
    return next(found, "")


def tell(results: Mapping[str, Mapping[str, Any]], *, told: Iterable[str] = (), stacklevel: int = 3) -> set[str]:
    """Warn once of everything that results have against them, for a caller who sees no table.

    Returns:
        The codes that have been told by now.
    """
    known = set(told)
    messages = unique_messages(results.values(), without=known)
    if messages:
        warnings.warn(f"{', '.join(results)}: {'; '.join(messages)}", ScoreWarning, stacklevel=stacklevel)
    return known.union(caution["code"] for result in results.values() for caution in result["warnings"])


def unique_messages(results: Iterable[Mapping[str, Any]], without: Iterable[str] = ()) -> list[str]:
    """Return the messages of results, each once."""
    skip = set(without)
    cautions = (caution for result in results for caution in result.get("warnings", ()) if caution["code"] not in skip)
    return list(dict.fromkeys(caution["message"] for caution in cautions))
