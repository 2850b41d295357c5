"""Texts of summaries: neutral forms and copies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.measures._sensitivity import MaskedMeasure
from fairsum_utils.stats.sums import digest_of
from fairsum_utils.text.anonymize import anonymize

MARK = "X"
"""Stands for the words of variants. One letter, so that a model reads a name that it does not know."""
_KEPT = 1 << 14
_GAP = r"[^\S\n]+"
_INSIDE = r"[^\W_]"


@lru_cache(maxsize=1 << 10)
def neutral_form(text: str) -> str:
    """Replace pronouns and titles by they, them, their and TITLE; verbs stay.

    Example:
        >>> neutral_form("Mrs. Levin said she hid her car.")
        'TITLE Levin said they hid their car.'
    """
    return anonymize(text, ())


def without_changed(text: str, changed: Iterable[str]) -> str:
    """Replace the words of all variants by a mark, as whole words.

    Words with a capital stay apart from those without, so that "may" stays where "May" is marked; of several words with
    capitals, such as a name, each is marked alone as well. Marks side by side become one, and "an" before one is "a".
    Words in capitals throughout are marked too, as in headlines.

    Example:
        >>> words = ["Mary Li", "engineer", "nurse"]
        >>> without_changed("Mary Li, an engineer, may come.", words), without_changed("Ms. Li, a Nurse, came.", words)
        ('X, a X, may come.', 'Ms. X, a X, came.')
    """
    pattern = _pattern(frozenset(changed))
    return pattern.sub(_marked, text) if pattern else text


def changed_spans(text: str, changed: Iterable[str]) -> list[tuple[int, int]]:
    """Locate the words that `without_changed` replaces, without the article before them.

    Example:
        >>> changed_spans("An engineer came.", ["engineer"])
        [(3, 11)]
    """
    pattern = _pattern(frozenset(changed))
    found = pattern.finditer(text) if pattern else ()
    return [(match.end("gap") if match["article"] else match.start(), match.end()) for match in found]


def _marked(match: re.Match[str]) -> str:
    article = match["article"]
    return f"{article[0]}{match['gap']}{MARK}" if article else MARK


@lru_cache(maxsize=_KEPT)
def _pattern(changed: frozenset[str]) -> re.Pattern[str] | None:
    """Compile a pattern for runs of the words with an article; None without words."""
    forms: set[str] = set()
    for entry in changed:
        parts = entry.split()
        forms.add(" ".join(parts))
        forms.update(part for part in parts if len(parts) > 1 and part[0].isupper() and len(part) > 1)
    written = {each for form in forms for each in _written(form)}
    if not written:
        return None
    longest_first = sorted(written, key=lambda form: (-len(form), form))
    words = "|".join(_GAP.join(map(re.escape, form.split(" "))) for form in longest_first)
    one = rf"(?<!{_INSIDE})(?:{words})(?!{_INSIDE})"
    return re.compile(rf"(?:(?<!{_INSIDE})(?P<article>[Aa]n?)(?P<gap>{_GAP}))?{one}(?:{_GAP}{one})*")


def _written(form: str) -> set[str]:
    """List the spellings of words: as given, capitalized and in capitals."""
    return {form, form.upper(), form if any(map(str.isupper, form)) else form[:1].upper() + form[1:]}


def neutralized_name(settings: MaskedMeasure, given: Collection[str]) -> str:
    """Name the neutralization for a signature."""
    neutral = "pronouns+changed" if "changed" in given else "pronouns"
    return neutral if settings.neutral else "no"


_WORD = re.compile(_INSIDE + "+")
_FEWEST_CHANGED = 8
"""Fewest changed words that tell a copy: a short summary may well hold fewer."""


def digest(prediction: str) -> str:
    """Return a digest of a summary, regardless of whitespace and capitals.

    Example:
        >>> digest("It rained. ") == digest("it  rained.") != digest("It snowed.")
        True
    """
    return f"{digest_of(' '.join(prediction.casefold().split())):x}"


def is_copy(sample: Sample) -> bool:
    """Check whether a summary contains all its sources or every changed word.

    Example:
        >>> from fairsum_utils.families.sensitivity.samples import Sample
        >>> summaries = ["It rained. It snowed.", "It rained."]
        >>> [is_copy(Sample(0, text, "a", "x", sources=("It rained.", "It snowed."))) for text in summaries]
        [True, False]
    """
    prediction = sample.prediction.casefold()
    if sample.sources is not None:
        whole = " ".join(prediction.split())
        return all(" ".join(source.casefold().split()) in whole for source in sample.sources)
    changed = {word for entry in sample.changed or () for word in _WORD.findall(entry.casefold())}
    return len(changed) >= _FEWEST_CHANGED and changed <= set(_WORD.findall(prediction))
