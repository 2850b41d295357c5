"""Summaries of which the family's English words tell nothing: without a word, or in another language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from fairsum_utils.families.cautions import Caution, some_of
from fairsum_utils.stats.sums import AnySums, Key, Sums
from fairsum_utils.text.stop_words import foreign_language

__all__ = ["count_foreign", "foreign_cautions", "is_wordless"]


def is_wordless(text: str) -> bool:
    """Whether a text holds neither a letter nor a digit.

    Example:
        >>> is_wordless("...!"), is_wordless("A.")
        (True, False)
    """
    return not any(map(str.isalnum, text))


def count_foreign(sums: Sums, name: Callable[[str], str], texts: Iterable[str]) -> None:
    """Count the summaries that are plainly not English, by language.

    Args:
        sums: that keep the counts.
        name: of the measure's kinds of counts.
        texts: of the scored samples.
    """
    for text, n in Counter(texts).items():
        if (language := foreign_language(text)) is not None:
            sums.counts[(name("foreign"), language)] += n


def foreign_cautions(sums: AnySums, name: Callable[[str], str], lost: str) -> list[Caution]:
    """How many summaries are not English, in which languages, and what that means.

    Args:
        sums: with the counts of `count_foreign`.
        name: of the measure's kinds of counts.
        lost: what is not known of such summaries.
    """
    counts: Counter[Key] = Counter({key: n for key, n in sums.counts.items() if key[0] == name("foreign")})
    languages = [key[1] for key, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]
    message = f"{{}} scored summaries are not English but {some_of(languages)}: {lost}"
    return Caution.of("foreign", counts.total(), sums.n_samples, message)
