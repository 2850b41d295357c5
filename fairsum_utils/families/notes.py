"""Notes about what was read: languages, labels that look alike, texts without a label."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.families.reading import FOREIGN
from fairsum_utils.families.warnings import WarningRecord, some_of
from fairsum_utils.text.languages import FEWEST_WORDS, LANGUAGES

if TYPE_CHECKING:
    from fairsum_utils.families.table import Table
    from fairsum_utils.stats.sums import Sums

MOST_LEFT_OUT = 0.5
"""If more samples than this share are left out for their language, the score is withheld."""

# Keys of counts in the sums of a data set.
_LEFT_OUT, _LOOKS_LIKE, _LABELS, _DROPPED = (f"reading.{what}" for what in ("out", "looks_like", "labels", "dropped"))


def count_rows(table: Table[Any]) -> Counter[tuple[str, ...]]:
    """Count notes, languages, labels and dropped texts of a table."""
    counts = Counter[tuple[str, ...]]({(_LABELS, label): n for label, n in table.labels().items()})
    counts.update({("note", note): n for note, n in table.counted("notes").items()})
    if table.counted("language"):
        for reason, language in zip(table.items("skipped"), table.items("language"), strict=True):
            if language is not None and reason in (None, FOREIGN):
                counts[left_out_key(language) if reason == FOREIGN else (_LOOKS_LIKE, language)] += 1
    if dropped := int(table.numbers("n_dropped").sum()):
        counts[(_DROPPED,)] = dropped
    return counts


def left_out_key(language: str) -> tuple[str, str]:
    """Return the key that counts samples left out for their language."""
    return _LEFT_OUT, language


def withheld(sums: Sums, n_rows: int) -> str:
    """Return why a score is withheld, or an empty string."""
    languages = sums.counted(_LEFT_OUT)
    n = sum(languages.values())
    if n <= MOST_LEFT_OUT * n_rows:
        return ""
    return f"{n} of {n_rows} samples are in {_named(languages)}, which this measure cannot read"


def _named(languages: Mapping[str, int]) -> str:
    return some_of(sorted(languages, key=lambda language: (-languages[language], language)))


def withhold(result: dict[str, Any], measure: str, reason: str) -> None:
    """Replace a score and what depends on it by NaN.

    Example:
        >>> result = {"uer": 0.5, "uer_ci": [0.25, 0.75], "n_samples": 3}
        >>> withhold(result, "uer", "too few")
        >>> result
        {'uer': nan, 'uer_ci': [nan, nan], 'n_samples': 3, 'undefined': 'too few'}
    """
    for key, entry in result.items():
        if f"{key}_".startswith((f"{measure}_", "difference_", "p_value_")):
            result[key] = _undefined(entry)
    result["undefined"] = reason


def _undefined(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {key: _undefined(part) for key, part in entry.items()}
    if isinstance(entry, list):
        return list(map(_undefined, entry))
    return math.nan if isinstance(entry, float) else entry


_LANGUAGE_SET = 0.1
"""From this share on, samples in another language than the one that was set give a note."""


def reading_warnings(sums: Sums, n_rows: int, *, leaves_out: bool) -> list[WarningRecord]:
    """Warn of languages, labels that look alike, and dropped texts.

    Args:
        sums: sums of a data set.
        n_rows: number of its samples, scored or not.
        leaves_out: the measure leaves out texts in another language; otherwise its language is a setting.
    """
    left_out, looks_like = sums.counted(_LEFT_OUT), sums.counted(_LOOKS_LIKE)
    message = f"{{}} samples are left out, because they are in {_named(left_out)}, which this measure cannot read"
    found = WarningRecord.of(FOREIGN, sum(left_out.values()), n_rows, message)
    n = sum(looks_like.values())
    if leaves_out and n > MOST_LEFT_OUT * n_rows:
        message = (
            f"{{}} samples look like {_named(looks_like)}, though they are too short to be left out (fewer than "
            f"{FEWEST_WORDS} words) or hardly sentences; this measure knows English words only"
        )
        found += WarningRecord.of("short_foreign", n, n_rows, message)
    elif not leaves_out and n >= _LANGUAGE_SET * sums.n_samples:
        message = f"{{}} scored summaries were read as English but look like {_named(looks_like)}; {_hint(looks_like)}"
        found += WarningRecord.of(FOREIGN, n, sums.n_samples, message)
    if n := sums.counts[(_DROPPED,)]:
        what = "source text or person" if n == 1 else "source texts or persons"
        message = f"{n} {what} without a label {'was' if n == 1 else 'were'} left out"
        found.append(WarningRecord("dropped", n, 1.0, message))
    return found + label_warnings([*sums.counted(_LABELS)])


def _hint(languages: Mapping[str, int]) -> str:
    known = [language.lower() for language in languages if language.lower() in LANGUAGES]
    if not known:
        return "translate them, or leave them out"
    example = max(known, key=lambda name: languages[name.title()])
    return f"set the language, for example language={example!r}"


_WHOLE = re.compile(r"[+-]?\d+\.0+")


def label_warnings(labels: Sequence[str]) -> list[WarningRecord]:
    """Warn of labels that look alike, and of whole numbers with a point.

    Example:
        >>> [warning.message for warning in label_warnings(["Sad", "sad", "happy"])]
        ["these labels differ in capitals only and count as different groups: 'Sad' and 'sad'"]
    """
    alike: dict[str, list[str]] = {}
    for label in sorted(labels):
        alike.setdefault(label.casefold(), []).append(label)
    same = [" and ".join(map(repr, of_one)) for of_one in alike.values() if len(of_one) > 1]
    points = [repr(label) for label in sorted(labels) if _WHOLE.fullmatch(label)]
    message = f"these labels differ in capitals only and count as different groups: {some_of(same)}"
    found = WarningRecord.of("labels_alike", len(same), len(alike), message)
    message = (
        "these labels are texts with a decimal point, which stay as they are, so that the number 5 and the text '5.0' "
        f"are different groups: {some_of(points)}"
    )
    return found + WarningRecord.of("labels_with_point", len(points), len(labels), message)
