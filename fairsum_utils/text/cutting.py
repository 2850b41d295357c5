"""Texts that are cut to a number of words, as the coverage paper cuts articles to what a model reads."""

from __future__ import annotations

import re

ENDS = ("beginning", "end")
"""Where a text is cut."""

_WORD = re.compile(r"\S+")


def cut_text(text: str, words: int, cut_from: str = "beginning") -> str:
    """A text without what is too much of it.

    Args:
        text: any text.
        words: most words that are kept, at least 1; words are what white space separates.
        cut_from: ``"beginning"``: the first words go; ``"end"``: the last ones do.

    Returns:
        A stretch of the text; all of it where it has no more words.

    Source: papers/coverage-fairness, appendix A.3: "for each news, we also perform truncation from the beginning",
    which can also be read as keeping what stands there.

    Example:
        >>> cut_text("It was good. We left.", 3), cut_text("It was good. We left.", 3, cut_from="end")
        ('good. We left.', 'It was good.')
    """
    places = [found.span() for found in _WORD.finditer(text)]
    if len(places) <= words:
        return text
    return text[places[-words][0] :] if cut_from == "beginning" else text[: places[words - 1][1]]
