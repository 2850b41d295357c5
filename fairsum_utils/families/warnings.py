"""Warnings about results: few samples, lost replicates, truncated texts and others."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.cleaning.samples import DASHES, HTML, REASONING, UNFINISHED
from fairsum_utils.errors import ScoreWarning
from fairsum_utils.families.columns import ORIGINAL, SAMPLE, Unit
from fairsum_utils.validation import count as number_of

if TYPE_CHECKING:
    from fairsum_utils.stats.sums import Sums

FEW = 30
"""Results of fewer scored samples (or originals) get a warning."""
RARE = 10
"""Values in fewer samples are rare."""
MOST_PAIRED = 100
"""Results hold every pair of at most this many groups or values."""
SAME_SUMMARIES, COPIES = "same_summaries", "copies"
"""Codes of warnings about summaries that do not depend on their input."""
SINGLE_VALUE = "single_value"
"""Code of a warning about samples with sources of one group only, which cannot be unfair."""
ALL_OR_NONE = "all_or_none"
"""Code of a warning about groups of which all persons are mentioned, or none, so that their odds cannot differ."""
MOSTLY = 0.5
"""From this share on, such summaries or samples make a score meaningless."""
MEANINGLESS = (SAME_SUMMARIES, COPIES, SINGLE_VALUE, ALL_OR_NONE)
"""Codes of warnings that make a score meaningless if they concern most summaries or samples."""
LESS = "fairer_but_less"
"""Code of a warning about a system that looks fairer and says less."""
NAMED = 20
"""Most names in a message."""
LOST = 0.01
"""Larger shares of lost replicates get a warning."""


@dataclass(frozen=True)
class WarningRecord:
    """Reason to distrust a result, listed under its ``warnings``.

    Attributes:
        code: stable name: ``skipped``, ``few_samples``, ``few_originals``, ``rare_value``, ``many_groups``,
            ``many_values``, ``separated``, ``all_or_none``, ``truncated``, ``unpaired``, ``many_names``,
            ``lost_replicates``; families add others, such as ``unmatched`` and ``single_value``.
        count: number of samples, originals, groups, persons or replicates, depending on the code.
        share: share of all samples, originals and so on, in [0, 1].
        message: sentence for readers, without a period.
        measure: measure concerned; None for all measures of the family.
    """

    code: str
    count: int
    share: float
    message: str
    measure: str | None = None

    def entry(self) -> dict[str, Any]:
        """Return the entry of a result.

        Example:
            >>> WarningRecord("unmatched", 3, 0.5, "3 share no word", measure="uer").entry()
            {'code': 'unmatched', 'count': 3, 'share': 0.5, 'message': '3 share no word'}
        """
        return {"code": self.code, "count": self.count, "share": self.share, "message": self.message}

    @classmethod
    def of(cls, code: str, count: int, total: int, message: str) -> list[WarningRecord]:
        """Make a list of the warning; an empty one for a count of 0.

        Example:
            >>> WarningRecord.of("unmatched", 3, 8, "{} scored summaries share no word with their sources")[0].message
            '3 of 8 (38%) scored summaries share no word with their sources'
            >>> WarningRecord.of("unmatched", 1, 1500, "{}")[0].message
            '1 of 1500 (< 1%)'
            >>> WarningRecord.of("unmatched", 0, 8, "{}")
            []
        """
        if not count:
            return []
        share = count / total
        percent = "< 1" if share <= 0.005 else "> 99" if 0.995 <= share < 1 else f"{100 * share:.0f}"
        return [cls(code, count, share, message.replace("{}", f"{count} of {total} ({percent}%)", 1))]


class CountWarning(NamedTuple):
    """Warning about a count of a data set, as families declare it.

    Attributes:
        code: see `WarningRecord`.
        message: sentence with ``{}`` for the count and its share.
        counted: name of the sum or count.
        among: name of the sum or count that includes it; empty for the scored samples.
        least: smallest share that gives a warning.

    Example:
        >>> from fairsum_utils.stats.sums import Sums
        >>> sums = Sums(8)
        >>> sums.counts["silent",] = 2
        >>> [CountWarning("silent", "{} are silent", "silent", least=share).records(sums) for share in (0.3, 0.25)]
        [[], [WarningRecord(code='silent', count=2, share=0.25, message='2 of 8 (25%) are silent', measure=None)]]
    """

    code: str
    message: str
    counted: str
    among: str = ""
    least: float = 0.0

    def records(self, sums: Sums) -> list[WarningRecord]:
        """Return a list of the warning; an empty one if it does not apply."""
        count, total = (int(sums.total(name)) if name else sums.n_samples for name in (self.counted, self.among))
        return WarningRecord.of(self.code, count, total, self.message) if count >= self.least * total else []


def common_warnings(
    measure: str, result: Mapping[str, Any], n_scored: int, n_resamples: int, unit: Unit = SAMPLE
) -> list[WarningRecord]:
    """Return the warnings that apply to results of all families.

    Example:
        >>> [warning.code for warning in common_warnings("uer", {"n_skipped": 1, "n_by_value": {"a": 3}}, 3, 0)]
        ['skipped', 'few_samples']
    """
    total = n_scored + result["n_skipped"]
    reasons = ", ".join(result.get("skipped", ()))
    message = f"{{}} samples have no score{reasons and f': {reasons}'}"
    found = WarningRecord.of("skipped", result["n_skipped"], total, message)
    if few := _few(result, n_scored, unit):
        found += few
    else:
        counts = result.get("n_by_value") or result.get("n_by_group") or {}
        rare = [value for value, count in counts.items() if count < RARE]
        message = f"{{}} groups occur in fewer than {RARE} samples; their figures are unreliable: {some_of(rare)}"
        found += WarningRecord.of("rare_value", len(rare), len(counts), message)
    found += _unpaired(result) + _separated(measure, result)
    for code, key, message in _COUNTED:
        found += WarningRecord.of(code, result.get(key, 0), n_scored, message)
    if result.get("n_hallucinated") and not result.get("most_frequent"):
        n = result["n_hallucinated"]
        message = f"the {n} invented persons have too many different names to rank them by frequency"
        found.append(WarningRecord("many_names", n, result["hallucinated_share"], message))
    lost = result.get(f"{measure}_ci_lost", result.get("lost", math.nan))
    if lost > LOST:
        message = "{} bootstrap replicates have no defined score and were left out of the interval"
        if lost == 1:
            message = "a score that is undefined or infinite in every bootstrap replicate has no interval"
        found += WarningRecord.of("lost_replicates", round(lost * n_resamples), n_resamples, message)
    return found


def note_warnings(sums: Sums) -> list[WarningRecord]:
    """Warn about removed reasoning, markup and words joined by dashes.

    Example:
        >>> from fairsum_utils.stats.sums import Sums
        >>> sums = Sums(4)
        >>> sums.counts["note", "html:sources"] = 3
        >>> [warning.message for warning in note_warnings(sums)]
        ["3 of 4 (75%) samples have HTML tags or entities in sources, which may count as words; replace them in the data
        first, for example by html.unescape(re.sub('<[^>]+>', ' ', text))"]
    """
    n = sums.n_samples + sums.skipped.total()
    found = []
    for note, count in sums.counted("note").items():
        code, _, column = note.partition(":")
        found += WarningRecord.of(code, count, n, _NOTES[code].replace("COLUMN", column))
    return found


_NOTES = {
    REASONING: "{} samples have a model's reasoning in predictions, such as <think>...</think>, which was removed; "
    "reasoning='keep' scores it",
    UNFINISHED: "{} samples have predictions that break off within the model's reasoning, so that nothing or too "
    "little is left to score; let the model write more tokens",
    HTML: "{} samples have HTML tags or entities in COLUMN, which may count as words; replace them in the data first, "
    "for example by html.unescape(re.sub('<[^>]+>', ' ', text))",
    DASHES: "{} samples have words in COLUMN that a dash joins without blanks; as in the published code, they count as "
    "one word; normalizer='simple' separates them",
}
"""Code of a note about a sample's texts -> the warning."""

# Code of a warning, the key of a result that counts its samples, and its message.
_COUNTED = (
    ("truncated", "n_truncated", "{} samples have texts longer than the model's limit, which were truncated"),
    (
        "unpaired",
        "n_unpaired",
        "{} samples have no pair_id, so the intervals over assignments resample them individually; if an assignment "
        "and its inversion were made together, these intervals are far too wide",
    ),
)
_PAIRS = {
    "differences": ("n_by_group", "group", "only the two groups that differ most, for each label"),
    "log_odds_ratios": ("counts_by_group", "group", "only the two groups that differ most"),
    "mean_extreme_by_value": (
        "n_by_value",
        "value",
        "for each group only the groups that are extreme in a sample it dominates",
    ),
}
"""Key of a result with pairs -> key that counts the groups or values, their name, which pairs are kept."""


def _unpaired(result: Mapping[str, Any]) -> list[WarningRecord]:
    """Warn about pairs of groups that were left out."""
    found = []
    for key, (counted, what, held) in _PAIRS.items():
        n = len(result.get(counted) or ()) if key in result else 0
        if n > MOST_PAIRED:
            place = "by_dominant_value" if what == "value" else key
            message = f"there are too many groups ({n}) to list every pair; {place} lists {held}"
            found.append(WarningRecord(f"many_{what}s", n, 1.0, message))
    return found


def _separated(measure: str, result: Mapping[str, Any]) -> list[WarningRecord]:
    """Warn about groups of which all or no persons are mentioned."""
    if "log_odds_ratios" not in result:
        return []
    shares, counts = result[f"{measure}_by_group"], result["counts_by_group"]
    extreme = [group for group, share in shares.items() if share in (0, 1)]
    listed = some_of([f"{group} {counts[group]['included']} of {counts[group]['entities']}" for group in extreme])
    if any(math.isinf(pair["log_odds_ratio"]) for pair in result["log_odds_ratios"]):
        code = "separated"
        infinite = "the log odds ratio is infinite, and its interval has one end at most"
        message = f"summaries separate the groups ({listed}): {infinite}"
    elif len(extreme) == len(shares) > 1:
        code = ALL_OR_NONE
        message = f"the groups' odds are equal ({listed}), but these persons do not tell how far they may differ"
    else:
        return []
    return [WarningRecord(code, len(extreme), len(extreme) / len(shares), message)]


def some_of(names: Sequence[str]) -> str:
    """Join at most `NAMED` names for a message.

    Example:
        >>> some_of(["a", "b"]), some_of(["a"] * 22)[-16:]
        ('a, b', 'a, a, and 2 more')
    """
    joined = ", ".join(names[:NAMED])
    return f"{joined}, and {len(names) - NAMED} more" if len(names) > NAMED else joined


def _few(result: Mapping[str, Any], n_scored: int, unit: Unit) -> list[WarningRecord]:
    """Warn about few scored samples or originals."""
    n, total = n_scored, n_scored + result["n_skipped"]
    if unit is ORIGINAL:
        n, total = int(unit.number(result)), result["n_articles"]
    if n >= FEW:
        return []
    were = "was" if n == 1 else "were"
    message = f"only {number_of(n, unit.name)} {were} scored; treat the scores as unreliable"
    message = message if n else f"no {unit.name} has a score"
    return [WarningRecord(unit.few, n, n / max(total, 1), message)]


def missing_intervals(measure: str, result: Mapping[str, Any], unit: Unit) -> dict[str, str]:
    """Explain every undefined interval beside that of the score.

    Returns:
        Key of the interval -> reason. ``undefined`` explains the score, its interval and results without samples.

    Example:
        >>> result = {"framing": 0.5, "framing_ci": [0.4, 0.6], "framing_mixed": math.nan, "n_samples": 30}
        >>> missing_intervals("framing", result | {"framing_mixed_ci": [math.nan, math.nan]}, SAMPLE)
        {'framing_mixed_ci': 'no sample counts for framing_mixed'}
    """
    found = {}
    for key, interval in result.items():
        place = _INTERVAL.fullmatch(key)
        if place is None or not result["n_samples"] or (place[1] == measure and "undefined" in result):
            continue
        values, intervals = result.get(place[1]), interval
        if not isinstance(interval, Mapping):
            values, intervals = {place[1]: values}, {place[1]: interval}
        missing = [name for name, ends in intervals.items() if _is_missing(ends)]
        empty = [name for name in missing if _is_missing(_at(values, name))]
        few = [name for name in missing if name not in empty]
        reasons = [f"no {unit.name} counts for {', '.join(empty)}"] if empty else []
        reasons += [f"{', '.join(few)}: too few {unit.several}, or all alike"] if few else []
        if reasons:
            found[key] = "; ".join(reasons)
    return found


_INTERVAL = re.compile(r"(\w+?)_ci(?:_within)?")


def _at(values: Any, name: str) -> Any:
    return values.get(name) if isinstance(values, Mapping) else None


def _is_missing(number: Any) -> bool:
    """Return whether a number is NaN or an interval has such an end."""
    if isinstance(number, (list, tuple)):
        return any(map(_is_missing, number))
    return isinstance(number, float) and math.isnan(number)


def only_one(kind: str, names: Iterable[str]) -> str:
    """Explain why a score that compares groups or variants is undefined.

    Example:
        >>> only_one("group", ["female"])
        'there is only one group (female), so there is nothing to compare'
    """
    return f"there is only one {kind} ({', '.join(names)}), so there is nothing to compare"


def why_uninformative(result: Mapping[str, Any]) -> str:
    """Return the warning that makes a score meaningless, or an empty string.

    Example:
        >>> warning = {"code": "copies", "share": 0.9, "message": "90 of 100 seem to be copies"}
        >>> why_uninformative({"warnings": [warning]})
        '90 of 100 seem to be copies'
    """
    found = (str(warning["message"]) for warning in result.get("warnings", ()) if _weight(warning) == 0)
    return next(found, "")


def is_decisive(warning: Mapping[str, Any]) -> bool:
    """Return whether a warning changes what one may conclude from a score.

    Example:
        >>> is_decisive({"code": "unmatched", "share": 0.1}), is_decisive({"code": "few_samples", "share": 0.1})
        (False, True)
    """
    return warning["code"] in (SAMPLE.few, ORIGINAL.few, LESS) or warning.get("share", 0) >= MOSTLY


def _weight(warning: Mapping[str, Any]) -> int:
    """Rank a warning: 0 makes a score meaningless, 1 is decisive."""
    if warning["code"] in MEANINGLESS and warning.get("share", 0) >= MOSTLY:
        return 0
    return 1 if is_decisive(warning) else 2


def warn(results: Mapping[str, Mapping[str, Any]], *, known: Iterable[str] = (), stacklevel: int = 3) -> set[str]:
    """Issue one Python warning for new messages of results; return all codes so far."""
    skip = set(known)
    if found := unique_warnings(results.values(), without=skip):
        text = " ".join(as_sentence(str(warning["message"])) for warning in found)
        warnings.warn(f"{', '.join(results)}: {text}", ScoreWarning, stacklevel=stacklevel)
    return skip.union(warning["code"] for result in results.values() for warning in result["warnings"])


def as_sentence(message: str) -> str:
    """Begin a message with a capital and end it with a period.

    Example:
        >>> as_sentence("no sample has a score"), as_sentence("n_pairs is 0."), as_sentence("A: no score")
        ('No sample has a score.', 'n_pairs is 0.', 'A: no score.')
    """
    first = message.split(maxsplit=1)[0] if message.strip() else ""
    begun = message[:1].upper() + message[1:] if first.isalpha() and first.islower() else message
    return begun if begun.endswith((".", "?", "!")) else f"{begun}."


def notes_of(
    results: Iterable[Mapping[str, Any]],
    undefined: Sequence[str] = (),
    without: Collection[str] = (),
    *,
    without_score: Sequence[str] = (),
) -> list[str]:
    """Return warnings as sentences, the weightiest first.

    Args:
        results: results with their warnings.
        undefined: reasons of undefined numbers, which stand before details.
        without: codes of warnings to leave out.
        without_score: reasons of undefined scores, which stand before all but warnings that make scores meaningless.

    Example:
        >>> found = [{"code": code, "message": code} for code in ("html", "few_samples")]
        >>> notes_of([{"warnings": found}], ["SOF has no interval."])
        ['few_samples.', 'SOF has no interval.', 'Html.']
    """
    weights: tuple[list[str], ...] = ([], [], [])
    for warning in unique_warnings(results, without):
        weights[_weight(warning)].append(as_sentence(warning["message"]))
    meaningless, decisive, details = weights
    return [*meaningless, *without_score, *decisive, *undefined, *details]


def unique_warnings(results: Iterable[Mapping[str, Any]], without: Collection[str] = ()) -> list[Mapping[str, Any]]:
    """Return the warnings with distinct messages, the weightiest first, without some codes."""
    found: dict[str, Mapping[str, Any]] = {}
    for result in results:
        for warning in result.get("warnings", ()):
            if warning["code"] not in without:
                found.setdefault(warning["message"], warning)
    return sorted(found.values(), key=_weight)
