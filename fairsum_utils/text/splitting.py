"""Sentence splitting for all languages, and words for measuring chunks.

English sentences are split by Punkt, as in current NLTK. Other languages use the package sentencex, whose errors are
repaired: a sentence does not start with a lower-case letter after a period, and does not end after a title before a
name, after an abbreviation before a number, or after a German ordinal.

Also: word segmentation of Chinese and Japanese by dictionaries, the Flesch-Kincaid grade of an English text, and
truncation to a number of words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.errors import require
from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.text.languages import LANGUAGES, UNSPACED, marks, needed
from fairsum_utils.text.lists import is_marker, stretches
from fairsum_utils.text.punkt import sentences

# Languages with a list of titles abbreviated by a period.
_WITH_TITLES = ("arabic", "french", "german", "hindi", "portuguese", "russian", "spanish")
_PACKAGES = {"chinese": ("rjieba",), "japanese": ("sudachipy", "sudachidict_core")}
# Characters per SudachiPy call: it refuses more than 49,149 bytes.
_LONGEST = 12_000
# Parts of speech without words: punctuation, symbols, white space.
_MARKS = ("補助記号", "記号", "空白")
# Particles and auxiliary verbs.
_FUNCTION_WORDS = ("助詞", "助動詞")


class Morpheme(NamedTuple):
    """A Japanese word.

    Attributes:
        surface: word as written.
        lemma: dictionary form.
        form: normalized spelling of the lemma.
        is_word: True for words, False for punctuation and white space.
        is_function: True for particles and auxiliary verbs.
    """

    surface: str
    lemma: str
    form: str
    is_word: bool
    is_function: bool


def packages_of(language: str) -> tuple[str, ...]:
    """List the packages, with versions, that segment a language; none if spaces do.

    Example:
        >>> packages_of("german")
        ()
    """
    return tuple(needed(package, f"cut {language.title()} words") for package in _PACKAGES.get(language, ()))


def chinese_pieces(text: str) -> list[str]:
    """Cut Chinese text into words, marks and white space; joined, they are the text.

    Example:
        >>> chinese_pieces("汤是凉的。")
        ['汤', '是', '凉', '的', '。']
    """
    pieces: list[str] = _rjieba().cut(text)
    return pieces


def japanese_morphemes(text: str) -> Iterator[Morpheme]:
    """Cut Japanese text into its shortest words; their surfaces join to the text.

    Example:
        >>> [morpheme.form for morpheme in japanese_morphemes("おいしかった")]
        ['美味しい', 'た']
    """
    tokenizer = _sudachi()
    for part in _parts(text):
        for morpheme in tokenizer.tokenize(part):
            kind = morpheme.part_of_speech()[0]
            yield Morpheme(
                morpheme.surface(),
                morpheme.dictionary_form(),
                morpheme.normalized_form(),
                kind not in _MARKS and any(map(str.isalnum, morpheme.surface())),
                kind in _FUNCTION_WORDS,
            )


def pieces_of(language: str) -> Callable[[str], list[str]]:
    """Return the function that cuts an unspaced language into joinable pieces."""
    if language == "chinese":
        return chinese_pieces
    return lambda text: [morpheme.surface for morpheme in japanese_morphemes(text)]


def _parts(text: str) -> Iterator[str]:
    """Yield parts short enough for the tokenizer, cut after sentences if possible."""
    start = 0
    while len(text) - start > _LONGEST:
        stop = start + _LONGEST
        cut = max(text.rfind(mark, start, stop) for mark in "。\n！？ ") + 1
        stop = cut if cut > start else stop
        yield text[start:stop]
        start = stop
    yield text[start:]


@cache
def _rjieba() -> Any:
    return require("rjieba", extra="languages", purpose="cut Chinese words")


@cache
def _sudachi() -> Any:
    """Made once: its dictionary takes a moment to open."""
    sudachi = require("sudachipy", extra="languages", purpose="cut Japanese words")
    require("sudachidict_core", extra="languages", purpose="cut Japanese words")
    return sudachi.Dictionary(dict="core").tokenizer(mode=sudachi.SplitMode.A)


class SentenceSplitter:
    """Splitter of texts into sentences, and of sentences into joinable words.

    Example:
        >>> splitter = SentenceSplitter("english")
        >>> splitter.sentences("It was good. We'll come again!"), splitter.words("We'll come again!")
        (['It was good.', "We'll come again!"], ["We'll", 'come', 'again!'])
    """

    def __init__(self, language: str) -> None:
        self._cut: Callable[[str], list[str]] = sentences
        #: Part of a signature: the language and its packages; None for English.
        self.signature: str | None = None
        if language != "english":
            packages = (needed("sentencex", f"cut {language.title()} texts into sentences"), *packages_of(language))
            self.signature = f"{language}({', '.join(packages)})"
            self._cut = _Repaired(language).sentences
        self.words: Callable[[str], list[str]] = pieces_of(language) if language in UNSPACED else str.split
        #: Between sentences, and between words.
        self.space = "" if language in UNSPACED else " "

    def sentences(self, text: str) -> list[str]:
        """Return the non-blank sentences of a text, in order and linear time."""
        return [stripped for sentence in self._cut(text) if (stripped := sentence.strip())]


@cache
def get_splitter(language: str = "english") -> SentenceSplitter:
    """Return the cached splitter of a language."""
    return SentenceSplitter(language)


def summary_spans(summary: str, language: str = "english") -> list[tuple[int, int]]:
    """Locate the sentences of a summary, written as prose or as a list.

    Markers of lists and headings are no sentences; the headings of a summary that has nothing else are. A lone number
    that the splitter cuts off, as of "1. FC Köln", stays with its sentence.

    Returns:
        Start and end of each sentence, in order. Time grows linearly with the summary.

    Example:
        >>> summary = "Pros:\\n- Tasty soup\\n- Kind staff. They help."
        >>> [summary[start:end] for start, end in summary_spans(summary)]
        ['Tasty soup', 'Kind staff.', 'They help.']
    """
    cut, parts = get_splitter(language).sentences, stretches(summary)
    spans: list[tuple[int, int]] = []
    for part in [each for each in parts if not each.is_heading] or parts:
        text = summary[part.start : part.end]
        sentences = cut(text)
        is_number = list(map(is_marker, sentences))
        number: int | None = None
        for (start, end), is_alone in zip(located(text, sentences), is_number, strict=True):
            if is_alone:
                number = part.start + start if sum(is_number) == 1 else None
                continue
            spans.append((part.start + start if number is None else number, part.start + end))
            number = None
    return spans


def summary_sentences(summary: str, language: str = "english") -> list[str]:
    """Return the sentences of a summary, see `summary_spans`.

    Example:
        >>> summary_sentences("1. It was good.\\n2. We will come again.")
        ['It was good.', 'We will come again.']
    """
    return [summary[start:end] for start, end in summary_spans(summary, language)]


def sentence_units(summary: str, language: str = "english") -> list[str]:
    """Return the sentences of a summary with a letter or digit.

    Example:
        >>> sentence_units("It was good. ... We will come again!")
        ['It was good.', '... We will come again!']
        >>> sentence_units("-- ?!")
        []
    """
    return [sentence for sentence in summary_sentences(summary, language) if any(map(str.isalnum, sentence))]


def located(text: str, parts: Iterable[str]) -> list[tuple[int, int]]:
    """Locate the parts of a text; time grows linearly with the text.

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
        titles = "|".join(map(re.escape, read_words(f"title_{language}") if language in _WITH_TITLES else ()))
        numbers = "|".join(map(re.escape, read_words("before_number")))
        ordinal = r"|\b\d{1,2}\.\s*\Z" if language == "german" else ""
        # Pattern of an end after which the sentence continues.
        self._open = re.compile(rf"(?i)\b(?:{titles or '(?!)'})\.\s*\Z{ordinal}")
        self._before_number = re.compile(rf"(?i)\b(?:{numbers})\.\s*\Z")

    def sentences(self, text: str) -> list[str]:
        """Return the sentences with the white space after them; joined, they are the text."""
        joined: list[list[str]] = []
        for part in self._parts(text):
            if joined and self._goes_on(joined[-1][-1], part):
                joined[-1].append(part)
            else:
                joined.append([part])
        return ["".join(parts) for parts in joined]

    def _parts(self, text: str) -> Iterator[str]:
        """Split with sentencex, avoiding its failure on some initials."""
        ends = accumulate(map(len, self._segment(self._code, _ODD_INITIAL.sub(r"\1 ", text))), initial=0)
        return (text[start:end] for start, end in pairwise(ends))

    def _goes_on(self, before: str, after: str) -> bool:
        """Return whether the second part continues the first's sentence, by their edges."""
        end, start = before[-24:], after.lstrip()[:1]
        if "\n\n" in end or not end.rstrip().endswith("."):
            return False
        if start.islower() or self._open.search(end):
            return True
        return start.isdigit() and self._before_number.search(end) is not None


_ASCII_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")

_VOWELS = re.compile("[aeiouy]+")
# Vowels side by side that are two syllables ("riot", "being"), and syllables without a vowel ("prism", "didn't").
_SPOKEN_APART = re.compile(
    r"[^cglnrst]ia|ria(?!g)|[st]ian?ce|[rc]iet|[^cglnstx]io|(?<!q)u[ao]|(?<!^p)eo(?!u)|iu|ying|[aeou]ing|uity|nuous|dien[ct]"
    r"|cien?cies|creat|(?<=[aeiou][rd])ea(?=s?$)|ea(?:to|ti[ov])|rea(?:ct|l[ity])|science|i(?:er|est)$|[ia]sm$|n['’]t$"
)
# A silent e: "time", "walked", "times", "lately", but not "table", "wanted" and "houses".
_SILENT = re.compile(
    r"(?<![aeiouy])(?:(?<!l)|(?<=[aeiouyrlw]l))e$|(?<![aeiouydt])(?<![bcdfgkptz]l)ed$"
    r"|(?<![aeiouycgsxz])(?<!ch)(?<!sh)(?<!l)es$|(?<=[aeiouy]l)es$|e(?=(?:ly|less|ful|ment|ness)$)"
)


def _count(word: str) -> int:
    runs, apart, silent = (len(pattern.findall(word)) for pattern in (_VOWELS, _SPOKEN_APART, _SILENT))
    return max(1, runs + apart - silent)


_SYLLABLES: BoundedCache[str, int] = BoundedCache(_count)


def plain_words(text: str) -> list[str]:
    """List the words of a text as written: letters, digits and inner apostrophes.

    Example:
        >>> plain_words("Ann's 2 cats didn't come.")
        ["Ann's", '2', 'cats', "didn't", 'come']
    """
    return word_pattern(text).findall(text)


def word_pattern(text: str) -> re.Pattern[str]:
    """Compile the pattern of words: letters, digits, their marks and inner apostrophes.

    Example:
        >>> word_pattern("हिन्दी").findall("हिन्दी में")
        ['हिन्दी', 'में']
    """
    return _ASCII_WORD if text.isascii() else _any_word()


@cache
def _any_word() -> re.Pattern[str]:
    letters = rf"(?:[^\W_][{marks()}]*)+"
    return re.compile(rf"{letters}(?:['’]{letters})*")


def syllables(word: str) -> int:
    """Count the syllables of an English word by its spelling.

    For 94.5 percent of 18,993 frequent English words in the CMU dictionary the count is one that the dictionary gives;
    the mean is 0.02 too low. A number or an abbreviation has one syllable per run of vowels, at least one.

    Example:
        >>> [syllables(word) for word in ("time", "walked", "wanted", "table", "being", "Syllables", "1990")]
        [1, 1, 2, 2, 2, 3, 1]
    """
    return _SYLLABLES[word.lower()]


def reading_level(text: str) -> float:
    """Compute the Flesch-Kincaid grade of a text, in years of school.

    Source: J. P. Kincaid et al., "Derivation of New Readability Formulas for Navy Enlisted Personnel", 1975; rules for
    syllables are ours, because the package textstat, which uses a dictionary, depends on NLTK and its data.

    Example:
        >>> round(reading_level("The cat sat on the mat. It was wet."), 2)  # 9 words, 2 sentences, 9 syllables
        -2.03
    """
    words = plain_words(text)
    if not words:
        return float("nan")
    n_sentences = sum(any(map(str.isalnum, sentence)) for sentence in sentences(text))
    return 0.39 * len(words) / n_sentences + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


#: Where a text is cut.
ENDS = ("beginning", "end")

_WORD = re.compile(r"\S+")


def cut_text(text: str, words: int, cut_from: str = "beginning") -> str:
    """Truncate a text.

    Source: Li et al. 2025, appendix A.3: "for each news, we also perform truncation from the beginning",
    which can also mean keeping the beginning.

    Example:
        >>> cut_text("It was good. We left.", 3), cut_text("It was good. We left.", 3, cut_from="end")
        ('good. We left.', 'It was good.')
    """
    places = [found.span() for found in _WORD.finditer(text)]
    if len(places) <= words:
        return text
    return text[places[-words][0] :] if cut_from == "beginning" else text[: places[words - 1][1]]
