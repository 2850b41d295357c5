"""Records of samples and columns of scores, checked, and their means.

Records of two runs belong together when they are as many and their ``index`` agrees, one by one; a sample that either
run left without a score is left out and counted. Undefined numbers are NaN, and ``undefined`` gives the reason.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.settings import Resampling
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.stats.bootstrap import bootstrap_sums, paired_p_value
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.validation import as_float, check_columns, count, describe

Record: TypeAlias = Mapping[str, Any]
"""What scoring says of a sample, under names such as ``index``, ``skipped`` and that of the measure."""


def record_entries(module: str, name: str, samples: Sequence[Record], key: str) -> list[Any]:
    """Return one entry of each record.

    Args:
        module: name used in messages.
        name: name of the records in messages.
        samples: the records.
        key: name of the entry.

    Raises:
        InputError: a record has no such entry.

    Example:
        >>> record_entries("dominance", "gpt4", [{"p_value": 0.5}, {"p_value": None}], "p_value")
        [0.5, None]
    """
    for place, record in enumerate(samples):
        if not isinstance(record, Mapping) or key not in record:
            raise InputError(
                f"{module}: {name}[{place}] has no {key!r}, found {_entries_of(record)}; give records of a measure "
                "that has it, as scoring adds them with return_samples=True"
            )
    return [record[key] for record in samples]


_SHOWN = 8
"""Entries of a record that a message names."""


def _entries_of(record: object) -> str:
    """List a record's entries for a message."""
    if not isinstance(record, Mapping) or not record:
        return describe(record)
    more = len(record) - _SHOWN
    return ", ".join(map(str, list(record)[:_SHOWN])) + (f" and {more} more" if more > 0 else "")


def check_paired(module: str, /, **runs: Sequence[Record]) -> None:
    """Check that the records of several runs cover the same samples.

    Args:
        module: name used in messages.
        **runs: name, for messages -> records.

    Raises:
        InputError: records are missing, differ in number, or differ in ``index``.

    Example:
        >>> check_paired("entailers", roberta=[{"index": 3}], deberta=[{"index": 4}])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: entailers: roberta[0] is of sample 3 but deberta[0] of sample 4; give the
        records of the same samples in the same order
    """
    for name, run in runs.items():
        check_columns(module, **{name: run})
    (first, reference), *others = ((name, record_entries(module, name, run, "index")) for name, run in runs.items())
    for name, indices in others:
        if len(indices) != len(reference):
            raise InputError(
                f"{module}: {first} has {count(len(reference), 'sample')} but {name} has {len(indices)}; give the "
                "records of the same samples in the same order"
            )
        for place, (expected, index) in enumerate(zip(reference, indices, strict=True)):
            if index != expected:
                raise InputError(
                    f"{module}: {first}[{place}] is of sample {expected} but {name}[{place}] of sample {index}; "
                    "give the records of the same samples in the same order"
                )


def as_score(where: str, entry: object) -> float:
    """Convert a score to a float.

    Args:
        where: opening words of the message, such as ``"relative_change: before[3]"``.
        entry: a finite number; None or NaN where the score is undefined.

    Returns:
        NaN for an undefined score.

    Raises:
        InputError: anything else.

    Example:
        >>> as_score("relative_change: before[0]", 1), as_score("relative_change: before[1]", None)
        (1.0, nan)
    """
    number = as_float(entry)
    absent = entry is None or (isinstance(entry, float) and math.isnan(entry))
    if not absent and not math.isfinite(number):
        raise InputError(f"{where} must be a finite number, or None where undefined, found {describe(entry)}")
    return number


def as_column(where: str, entries: Sequence[object]) -> Floats:
    """Convert scores to an array of floats, NaN if undefined.

    Args:
        where: opening words of messages, such as ``"relative_change: before"``.
        entries: finite numbers; None or NaN where a score is undefined.

    Raises:
        InputError: anything else; the message gives the place.

    Example:
        >>> as_column("relative_change: before", [0.5, None]).tolist()
        [0.5, nan]
    """
    return np.array([as_score(f"{where}[{place}]", entry) for place, entry in enumerate(entries)])


def leading(numbers: Mapping[str, float]) -> str | None:
    """Return the name with the largest number; None for ties (1e-12).

    Example:
        >>> leading({"neg": 2, "pos": 1}), leading({"neg": 0.25, "pos": 0.25})
        ('neg', None)
    """
    most = max(numbers.values())
    names = [name for name, number in numbers.items() if number >= most - TOLERANCE]
    return names[0] if len(names) == 1 else None


def mean_difference(
    differences: Floats, options: Resampling, limits: tuple[float, float] = (-1.0, 1.0)
) -> dict[str, Any]:
    """Compute the mean of paired differences, with interval and p-value.

    Args:
        differences: difference of each sample, shape (n,); finite.
        options: resampling options, with a confidence level.
        limits: least and largest difference that a sample can have.

    Returns:
        ``difference``, ``difference_ci``, ``p_value`` (two-sided, never 0), ``n_samples`` and, where some of it is
        NaN, ``undefined``.

    Example:
        >>> mean_difference(np.array([0.5, 0.5]), Resampling(confidence_level=0.95, n_resamples=99))
        {'difference': 0.5, 'difference_ci': [-1.0, 1.0], 'p_value': 0.01, 'n_samples': 2}
    """
    n = len(differences)
    replicates = np.empty(0)
    if n > 1:
        sums = bootstrap_sums(differences[:, None], n_resamples=options.n_resamples, seed=options.seed)
        replicates = sums[:, 0] / n
    assert options.confidence_level is not None
    difference = exact_mean(differences)
    result: dict[str, Any] = {
        "difference": difference,
        "difference_ci": list(mean_interval(Moments.of(differences), options.confidence_level, limits)),
        "p_value": paired_p_value(difference, replicates),
        "n_samples": n,
    }
    if n < 2:
        missing = "difference_ci and p_value: a bootstrap needs at least two samples"
        result["undefined"] = missing if n else "no sample left to compare"
    elif math.isnan(result["difference_ci"][0]):
        result["undefined"] = "difference_ci: all differences are equal, so their spread is unknown"
    return result
