"""Sentences of every language, and the words that a chunk is measured in.

English sentences are Punkt's, as NLTK cuts them today. Others are those of the package sentencex, with what it cuts
wrongly put together again: a sentence does not start with a small letter after a period, and does not end after a title
before a name, after an abbreviation before a number, or after a German ordinal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise

from fairsum_utils.errors import require
from fairsum_utils.text.languages import LANGUAGES, UNSPACED, needed
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.segmenters import packages_of, pieces_of

_TITLES = {
    "arabic": "أ د م",
    "french": "dr me mgr mm mme mlle m pr st ste",
    "german": "dr fr frl hr hrn prof st",
    "hindi": "कु डॉ डा पं प्रो श्री श्रीमती सुश्री",
    "portuguese": "d dr dra eng exmo exma prof profa sr sra srta",
    "russian": "акад г гг д им просп проф св ул",
    "spanish": "d dr dra dña ing lic prof profa sr sra srta ud uds",
}
"""Language -> what comes before a name and is shortened by a period; written by hand from common usage."""
_BEFORE_NUMBERS = (
    "abb abs art bd ca cap fig hab kap mr n nº no nr núm op p pag pág págs pp s st tel vol z z гл п рис с стр табл रु सं"
)
"""What comes before a number and is shortened by a period, in any of the languages; written by hand."""


class SentenceSplitter:
    """Cuts texts of a language into sentences, and sentences into words that can be put together again.

    Args:
        language: English name.

    Raises:
        MissingDependencyError: a language whose packages are not installed.

    Example:
        >>> splitter = SentenceSplitter("english")
        >>> splitter.sentences("It was good. We'll come again!"), splitter.words("We'll come again!")
        (['It was good.', "We'll come again!"], ["We'll", 'come', 'again!'])
    """

    def __init__(self, language: str) -> None:
        self._cut: Callable[[str], list[str]] = sentences
        self.signature: str | None = None
        """For a result's signature: the language and the packages that cut it; None for English."""
        if language != "english":
            packages = (needed("sentencex", f"cut {language.title()} texts into sentences"), *packages_of(language))
            self.signature = f"{language}({', '.join(packages)})"
            self._cut = _Repaired(language).sentences
        self.words: Callable[[str], list[str]] = pieces_of(language) if language in UNSPACED else str.split
        self.space = "" if language in UNSPACED else " "
        """Between sentences, and between words."""

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text in order, none of them blank. Time grows linearly with the text.

        Args:
            text: any string.
        """
        return [stripped for sentence in self._cut(text) if (stripped := sentence.strip())]


@cache
def get_splitter(language: str = "english") -> SentenceSplitter:
    """The splitter of a language, made once.

    Args:
        language: English name.

    Raises:
        MissingDependencyError: a language whose packages are not installed.
    """
    return SentenceSplitter(language)


def sentence_units(summary: str, language: str = "english") -> list[str]:
    """The sentences of a summary that hold a letter or a digit.

    Args:
        summary: any string.
        language: English name.

    Returns:
        The units in order; none if there is nothing to judge.

    Example:
        >>> sentence_units("It was good. ... We will come again!")
        ['It was good.', '... We will come again!']
        >>> sentence_units("-- ?!")
        []
    """
    return [sentence for sentence in get_splitter(language).sentences(summary) if any(map(str.isalnum, sentence))]


def located(text: str, parts: Iterable[str]) -> list[tuple[int, int]]:
    """Where the parts of a text stand in it; time grows linearly with the text.

    Args:
        text: any string.
        parts: of the text, one after the other, with nothing but white space between.

    Returns:
        Of each part its first character and the one after its last.

    Example:
        >>> located("It was  good. It was.", ["It was  good.", "It was."])
        [(0, 13), (14, 21)]
    """
    spans, stop = [], 0
    for part in parts:
        start = text.index(part, stop)
        stop = start + len(part)
        spans.append((start, stop))
    return spans


_ODD_INITIAL = re.compile(r"(?<=[A-Z])(\s*)[^\S\x00-\x7f](?=\.)")


class _Repaired:
    """The sentences of sentencex, less the boundaries that are none."""

    def __init__(self, language: str) -> None:
        self._code = LANGUAGES[language]
        self._segment = require("sentencex", extra="languages", purpose="cut sentences").segment
        titles = "|".join(map(re.escape, _TITLES.get(language, "").split()))
        numbers = "|".join(map(re.escape, _BEFORE_NUMBERS.split()))
        ordinal = r"|\b\d{1,2}\.\s*\Z" if language == "german" else ""
        self._open = re.compile(rf"(?i)\b(?:{titles or '(?!)'})\.\s*\Z{ordinal}")
        """Ends what goes on, whatever follows."""
        self._before_number = re.compile(rf"(?i)\b(?:{numbers})\.\s*\Z")

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text with the white space after them; together they are the text."""
        joined: list[list[str]] = []
        for part in self._parts(text):
            if joined and self._goes_on(joined[-1][-1], part):
                joined[-1].append(part)
            else:
                joined.append([part])
        return ["".join(parts) for parts in joined]

    def _parts(self, text: str) -> Iterator[str]:
        """The parts of sentencex, which breaks down at an initial with a blank of several bytes before its period."""
        ends = accumulate(map(len, self._segment(self._code, _ODD_INITIAL.sub(r"\1 ", text))), initial=0)
        return (text[start:end] for start, end in pairwise(ends))

    def _goes_on(self, before: str, after: str) -> bool:
        """Whether the boundary between two parts is none; looks at the edges only."""
        end, start = before[-24:], after.lstrip()[:1]
        if "\n\n" in end or not end.rstrip().endswith("."):
            return False
        if start.islower() or self._open.search(end):
            return True
        return start.isdigit() and self._before_number.search(end) is not None
