"""Names of measures, and sentences about results, for all reports."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.families import family_of
from fairsum_utils.families.warnings import as_sentence
from fairsum_utils.measures import get_measure
from fairsum_utils.stats.intervals import FEWEST, differs
from fairsum_utils.validation import as_float, count

# A p-value below it is taken for a difference
SELDOM = 0.05
# Explains the columns of chance levels in comparisons
OF_CHANCE = "At random: the score of random summaries of the same length as those of the system."


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Example:
        >>> listed(["BUR", "UER", "AUC"]), listed(["BUR"])
        ('BUR, UER and AUC', 'BUR')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def opening(title: str, result: dict[str, Any]) -> str:
    """Return the first line of a report: samples scored and skipped.

    Example:
        >>> opening("a.jsonl", {"n_samples": 1, "n_skipped": 0, "skipped": {}})
        'a.jsonl: 1 sample scored, 0 skipped'
        >>> opening("a.jsonl", {"n_samples": 3, "n_skipped": 1, "skipped": {"empty_prediction": 1}})
        'a.jsonl: 3 samples scored, 1 skipped (1 empty_prediction)'
    """
    skipped = ", ".join(f"{n} {reason}" for reason, n in result["skipped"].items())
    line = f"{title}: {count_samples(result)}"
    return f"{line} ({skipped})" if skipped else line


def count_samples(result: Mapping[str, Any], done: str = "scored") -> str:
    """Count the samples that were processed and skipped.

    Example:
        >>> count_samples({"n_samples": 1, "n_skipped": 0}), count_samples({"n_samples": 2, "n_skipped": 1}, "compared")
        ('1 sample scored, 0 skipped', '2 samples compared, 1 skipped')
    """
    return f"{count(result['n_samples'], 'sample')} {done}, {result['n_skipped']} skipped"


def compared_counts(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Count the compared and skipped samples, with a line per distinct count.

    Example:
        >>> compared_counts({"bur": {"n_samples": 1, "n_skipped": 0}, "sof": {"n_samples": 1, "n_skipped": 0}})
        ['1 sample compared, 0 skipped']
    """
    lines: dict[str, list[str]] = {}
    for name, result in results.items():
        lines.setdefault(count_samples(result, "compared"), []).append(name)
    return [f"{line} ({', '.join(names)})" if len(lines) > 1 else line for line, names in lines.items()]


def fairer(*names: str) -> str:
    """Describe the fair direction of measures.

    Example:
        >>> fairer("bur", "uer"), fairer("bur", "distinguishability")
        ('lower is fairer; 0 at best', 'closer to 0 is fairer')
    """
    is_signed = any(get_measure(name).is_signed for name in names)
    return "closer to 0 is fairer" if is_signed else "lower is fairer; 0 at best"


def is_tested(measure: str, result: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    """Return whether a difference has an interval and enough samples for a verdict."""
    is_defined = not any(math.isnan(as_float(end)) for end in difference["difference_ci"])
    return is_defined and family_of(measure).unit.number(result) >= FEWEST


def is_significant(measure: str, result: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    """Decide whether two systems differ by a measure, as `differs` does.

    Args:
        measure: name of the measure.
        result: its comparison.
        difference: one of its differences.

    Example:
        >>> difference = {"difference_ci": [0.1, 0.3], "p_value_corrected": 0.01}
        >>> [is_significant("bur", {"n_samples": n, "alpha": 0.05}, difference) for n in (40, 8)]
        [True, False]
    """
    ends = [as_float(end) for end in difference["difference_ci"]]
    p_value = as_float(difference["p_value_corrected"])
    return differs(family_of(measure).unit.number(result), p_value, ends, result["alpha"])


def reading_of_differences(names: Collection[str], system: str, baseline: str) -> list[str]:
    """Explain the sign of differences between systems.

    Example:
        >>> reading_of_differences(["bur", "order_sensitivity"], "B", "A (the baseline)")[:2]
        ['Differences are B minus A (the baseline).', 'Lower is fairer: a difference below 0 speaks for B.']
        >>> reading_of_differences(["order_sensitivity"], "B", "A")[1]
        'Order Sensitivity: closer to 0 is fairer, on either side; the scores tell for whom a difference speaks.'
    """
    signed = [short_name(name) for name in names if get_measure(name).is_signed]
    lines = [f"Differences are {system} minus {baseline}."]
    if len(signed) < len(names):
        lines.append(f"Lower is fairer: a difference below 0 speaks for {system}.")
    if signed:
        own = listed(signed)
        lines.append(f"{own}: closer to 0 is fairer, on either side; the scores tell for whom a difference speaks.")
    return lines


def short_name(name: str) -> str:
    """Return the title of a measure, or its abbreviation if it has one.

    Example:
        >>> short_name("bur"), short_name("equal_coverage")
        ('BUR', 'Equal Coverage')
    """
    title = get_measure(name).title
    return title if title.replace(" ", "_").lower() == name else name.upper()


def why_undefined(name: str, reason: str, otherwise: str, difference: str = "the difference has") -> str:
    """Explain an undefined score, interval or p-value in one sentence.

    Args:
        name: measure.
        reason: reason in its result, which may begin with the key of what is undefined.
        otherwise: beginning of the sentence if the reason names no interval.
        difference: subject and verb for differences.

    Example:
        >>> why_undefined("sof", "sof_ci: few samples", "")
        'SOF has no interval: few samples.'
        >>> why_undefined("sof", "difference_ci and p_value: few samples", "")
        'SOF: the difference has no interval and no p-value: few samples.'
    """
    short = short_name(name)
    for key, problem in (
        (f"{name}_ci: ", f"{short} has no interval"),
        ("difference_ci and p_value: ", f"{short}: {difference} no interval and no p-value"),
    ):
        if reason.startswith(key):
            return f"{problem}: {reason.removeprefix(key)}."
    return as_sentence(f"{otherwise}: {reason}")


def has_number(result: Mapping[str, Any], key: str) -> bool:
    """Tell whether a result has a number that is defined.

    Example:
        >>> has_number({"a": 0.5}, "a"), has_number({"a": math.nan}, "a"), has_number({}, "a")
        (True, False, False)
    """
    found = result.get(key)
    return found is not None and not math.isnan(found)


def without_chance(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """Explain why results have no chance level, each reason once.

    Example:
        >>> without_chance([{"at_random_undefined": "no words"}, {}, {"at_random_undefined": "no words"}])
        ['no words']
    """
    return list(dict.fromkeys(result["at_random_undefined"] for result in results if "at_random_undefined" in result))
