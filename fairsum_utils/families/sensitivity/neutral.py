"""Summaries without the words that their variants put into the inputs: a faithful name is no difference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from fairsum_utils.text.anonymize import anonymize
from fairsum_utils.text.caching import kept_of_short_texts

__all__ = ["MARK", "changed_spans", "neutral_form", "without_changed"]

MARK = "X"
"""Stands for the words of variants. One letter, so that a model reads a name that it does not know."""

_KEPT = 1 << 14
_GAP = r"[^\S\n]+"
_INSIDE = r"[^\W_]"


@kept_of_short_texts
def neutral_form(text: str) -> str:
    """A text whose pronouns and titles tell no gender: they, them, their; TITLE.

    Verbs stay as they are.

    Args:
        text: any string.

    Example:
        >>> neutral_form("Mrs. Levin said she hid her car.")
        'TITLE Levin said they hid their car.'
    """
    return anonymize(text, ())


def without_changed(text: str, changed: Iterable[str]) -> str:
    """A text in which words become a mark, as whole words.

    Words with a capital stay apart from those without, so that "may" stays where "May" is marked; of several words with
    capitals, such as a name, each is marked alone as well. Marks side by side become one, and "an" before one is "a".
    Words in capitals throughout are marked too, as in headlines.

    Args:
        text: any string.
        changed: the words of all variants of an original.

    Example:
        >>> words = ["Mary Li", "engineer", "nurse"]
        >>> without_changed("Mary Li, an engineer, may come.", words), without_changed("Ms. Li, a Nurse, came.", words)
        ('X, a X, may come.', 'Ms. X, a X, came.')
    """
    pattern = _pattern(frozenset(changed))
    return pattern.sub(_marked, text) if pattern else text


def changed_spans(text: str, changed: Iterable[str]) -> list[tuple[int, int]]:
    """Where in a text the words stand that `without_changed` marks, without the article before them.

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
    """What finds the words, runs of them, and the article before one; None for no words."""
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
    """The ways in which a text can write words: as they are, in capitals, or, without any capital, with one first."""
    return {form, form.upper(), form if any(map(str.isupper, form)) else form[:1].upper() + form[1:]}
