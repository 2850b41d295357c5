"""Supported languages: names, codes and the spelling used to compare words.

Also: scripts without spaces between words, which no word tokenizer can cut, stop words, recognition of foreign
languages, and the settings of all measures of shared words.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from fairsum_utils._util.resources import read_lines, read_words
from fairsum_utils.errors import InputError, require
from fairsum_utils.validation import describe, did_you_mean

#: English name -> ISO 639-1 code.
LANGUAGES = dict(pair.split(":") for pair in read_words("language"))
#: Languages without spaces between words, which need a segmenter.
UNSPACED = ("chinese", "japanese")

#: A normalization form of Unicode.
Form: TypeAlias = Literal["NFC", "NFKC"]

_NAMES = {code: name for name, code in LANGUAGES.items()}
# Short vowels and the lengthening stroke, which most writers omit.
_ARABIC_MARKS = re.compile("[\u064b-\u065f\u0670\u0640]+")
_JOINERS = {0x200C: None, 0x200D: None}


def check_language(module: str, name: str, language: object) -> str:
    """Return the English name of a language, given its name or ISO code.

    Example:
        >>> check_language("bur", "language", "de"), check_language("bur", "language", "German")
        ('german', 'german')
    """
    lowered = language.lower() if isinstance(language, str) else ""
    known = _NAMES.get(lowered, lowered)
    if known not in LANGUAGES:
        listed = ", ".join(f"{language} ({code})" for language, code in LANGUAGES.items())
        guess = did_you_mean(lowered, LANGUAGES)
        raise InputError(f"{module}: {name} must be one of {listed}, found {describe(language)}{guess}")
    return known


def needed(package: str, purpose: str) -> str:
    """Return the package version that a language needs, as in ``rjieba 0.2.2``."""
    from importlib.metadata import version  # slow to import, and `--help` runs this module

    require(package, extra="languages", purpose=purpose)
    return f"{package} {version(package)}"


def composition(language: str) -> Form:
    """Return the Unicode normalization form used to compare words of a language.

    Example:
        >>> composition("french"), composition("japanese")
        ('NFC', 'NFKC')
    """
    return "NFKC" if language in UNSPACED else "NFC"


def fold(text: str, language: str) -> str:
    """Fold text for comparing words: lower case, composed, without optional marks.

    Example:
        >>> fold("CAFE\N{COMBINING ACUTE ACCENT}", "french"), fold("ＡＢＣ", "japanese")
        ('café', 'abc')
    """
    text = text.lower()
    if text.isascii():
        return text
    text = unicodedata.normalize(composition(language), text)
    if language == "arabic":
        text = _ARABIC_MARKS.sub("", text)
    elif language == "russian":
        text = text.replace("ё", "е")  # most writers omit the dots
    return text.translate(_JOINERS) if "\u200d" in text or "\u200c" in text else text


@cache
def marks() -> str:
    """List the combining marks that belong to the preceding letter.

    Example:
        >>> "\N{COMBINING ACUTE ACCENT}" in marks(), "e" in marks()
        (True, False)
    """
    return "".join(filter(_is_mark, map(chr, range(0x10000))))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")


HAN_AND_KANA = "Chinese or Japanese"
# Script -> its letters, and the largest average run length in segmented text.
_SCRIPTS = {
    HAN_AND_KANA: (
        "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        3,
    ),
    "Thai": ("\u0e01-\u0e4e", 10),
    "Lao": ("\u0e81-\u0ecd", 10),
    "Burmese": ("\u1000-\u103f\u1050-\u108f", 10),
    "Khmer": ("\u1780-\u17d3", 10),
}

_ANY = re.compile(f"[{''.join(letters for letters, _ in _SCRIPTS.values())}]")
_RUNS = {script: (re.compile(f"[{letters}]+"), longest) for script, (letters, longest) in _SCRIPTS.items()}
_LETTERS = re.compile(r"[^\W\d_]")


def has_unspaced_letters(text: str) -> bool:
    """Return whether a text contains a letter of an unspaced script.

    Example:
        >>> has_unspaced_letters("soup 汤"), has_unspaced_letters("Café “Zoë”")
        (True, False)
    """
    if text.isascii():
        return False
    with suppress(UnicodeEncodeError):
        text.encode("latin-1")  # several times faster than the search, and sufficient for most texts
        return False
    return _ANY.search(text) is not None


def unspaced_script(text: str) -> str | None:
    """Return the script of a text without word segmentation, or None.

    More than half of its letters belong to such a script, in runs longer than words. Time grows linearly with the text;
    a text in another script costs one search.

    Example:
        >>> unspaced_script("这家餐厅的菜很好吃。"), unspaced_script("这 家 餐厅 的 菜 很 好吃。")
        ('Chinese or Japanese', None)
    """
    if not has_unspaced_letters(text):
        return None
    n_letters = len(_LETTERS.findall(text))
    for script, (pattern, longest) in _RUNS.items():
        lengths = list(map(len, pattern.findall(text)))
        if 2 * sum(lengths) > n_letters and sum(lengths) > longest * len(lengths):
            return script
    return None


def _is_cut(script: str, language: str | None) -> bool:
    """Return whether the language's segmenter cuts the words of a script."""
    return script == HAN_AND_KANA and language in UNSPACED


def check_sources(module: str, index: int, sources: Sequence[str], language: str = "english") -> bool:
    """Refuse source texts if most of them cannot be read, see `check_script`.

    Example:
        >>> check_sources("bur", 0, ["The soup was tasty.", "菜很好吃"])
        True
    """
    together = " ".join(sources)
    if not has_unspaced_letters(together):
        return False
    check_script(module, index, "the text of most sources", together, language)
    return any(script is not None and not _is_cut(script, language) for script in map(unspaced_script, sources))


def check_script(module: str, index: int, what: str, text: str, language: str | None = None) -> None:
    """Refuse a text without a word segmenter: nothing would match, which looks fair.

    Example:
        >>> check_script("bur", 0, "the summary", "这家餐厅的菜很好吃", "english")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 0: the summary is written in Chinese or Japanese, without spaces
        between words, so that no word of it can be counted; choose language='zh' or language='ja'
    """
    script = unspaced_script(text)
    if script is None or _is_cut(script, language):
        return
    if language is None:
        remedy = "this measure supports English words only"
    elif script == HAN_AND_KANA:
        remedy = "choose language='zh' or language='ja'"
    else:
        remedy = "separate its words by spaces with a segmenter, and choose normalizer='simple'"
    raise InputError(
        f"{module}: sample {index}: {what} is written in {script}, without spaces between words, so that no word of "
        f"it can be counted; {remedy}"
    )


Normalizer = Literal["fairsumm", "simple", "nltk"]


#: Tokens that the published code drops in addition to punctuation and stop words.
ADDED_STOP_WORDS = ("||", "people", "''", "``", "...", "..")

# Stop word lists without a final line break in the data of the published numbers (July 2022).
_WITHOUT_LAST_LINE_BREAK = frozenset(
    ("arabic", "azerbaijani", "bengali", "catalan", "hebrew", "indonesian", "nepali", "romanian", "tajik")
)


def listed_stop_words() -> Iterator[tuple[str, str]]:
    """List NLTK's stop words as (language, word), including words with trailing white space."""
    for line in read_lines("stopwords.txt.gz"):
        language, _, word = line.partition("\t")
        yield language, word


@cache
def published_stop_words() -> frozenset[str]:
    """Return punctuation, NLTK's stop words of all languages, and the published additions.

    Like the published code, NLTK reads all lists as one text. If a list lacks a final line break, its last word merges
    with the first word of the next list, so "yang" is not a stop word.
    """
    listed: list[str] = []
    goes_on = False
    for language, entries in groupby(listed_stop_words(), key=itemgetter(0)):
        words = [word for _, word in entries]
        if goes_on:
            words[0] = listed.pop() + words[0]
        listed += words
        goes_on = language in _WITHOUT_LAST_LINE_BREAK
    return frozenset([*string.punctuation, *listed, *ADDED_STOP_WORDS])


@cache
def _listed(language: str) -> frozenset[str]:
    return frozenset([word.strip() for listed, word in listed_stop_words() if listed == language])


def stop_words_of(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the stop words of a language: NLTK's or, without one, stopwordsiso's.

    NLTK's lists are shorter: those of stopwordsiso contain opinion words, such as the German "gut".

    Example:
        >>> words, packages = stop_words_of("german")
        >>> "nicht" in words, packages
        (True, ())
    """
    words = _listed(language)
    packages: tuple[str, ...] = ()
    if not words:
        purpose = f"know the stop words of {language.title()}"
        packages = (needed("stopwordsiso", purpose),)
        words = require("stopwordsiso", extra="languages", purpose=purpose).stopwords(LANGUAGES[language])
    return frozenset(fold(word, language) for word in words), packages


# Script, as the Unicode names of its letters begin -> its language; others are named like their language.
_LANGUAGE_OF_SCRIPT = {
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "GURMUKHI": "Punjabi",
    "ETHIOPIC": "Amharic",
    "MYANMAR": "Burmese",
}
# Script of several languages -> letters that only one of them uses, in the order of looking, and that language.
_LETTERS_OF_LANGUAGES = {
    "ARABIC": (("ٹڈڑے", "Urdu"), ("پچژگیک", "Persian"), ("يكةىأإ", "Arabic")),
    "CYRILLIC": (("іїєґ", "Ukrainian"), ("ђћљњџј", "Serbian"), ("қғңұү", "Kazakh"), ("ыэё", "Russian")),
}
# Script of several languages -> words that only one of them uses, and that language.
_WORDS_OF_LANGUAGES = {
    "DEVANAGARI": (re.compile(r"(?<!\S)(?:है|हैं|में|ने|का|की|के|और)(?!\S)"), "Hindi"),
    "CYRILLIC": (re.compile(r"\b(?:что|он|она|это|как|его|где|меня)\b"), "Russian"),
}
# Letters that tell the script of a text.
_MOST_LETTERS = 500


def language_of_script(text: str) -> str:
    """Name the language of a text by its letters.

    The letters are named if several languages share them.

    Example:
        >>> language_of_script("فازت المرأة"), language_of_script("汤很冷"), language_of_script("добър ден")
        ('Arabic', 'Chinese', 'a language in Cyrillic letters')
    """
    letters = [letter for letter in _LETTERS.findall(text.lower())[:_MOST_LETTERS] if not _LATIN.match(letter)]
    scripts = Counter(unicodedata.name(letter, "unknown").split()[0] for letter in letters)
    if not scripts:
        return "another language"
    script = "HIRAGANA" if "HIRAGANA" in scripts else max(scripts, key=lambda each: (scripts[each], each))
    own = set(letters)
    for only, language in _LETTERS_OF_LANGUAGES.get(script, ()):
        if not own.isdisjoint(only):
            return language
    words, language = _WORDS_OF_LANGUAGES.get(script, (None, ""))
    if words is not None and words.search(text.lower()):
        return language
    if words is not None or script in _LETTERS_OF_LANGUAGES:
        return f"a language in {script.title()} letters"
    return _LANGUAGE_OF_SCRIPT.get(script, script.title())


# Languages with hand-made stop word lists, like the English list.
_LANGUAGES = (
    "danish", "dutch", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "spanish",
    "swedish", "turkish",
)  # fmt: skip
# Minimum number of stop words that identify a language; there must also be more than twice as many as English ones.
_FEWEST = 3
# Number of words examined at the beginning of a text.
_MOST_WORDS = 500
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_WORD = re.compile(r"[^\W\d_]+")


# Anything but letters of lower-case ASCII -> blank, to split a text into words faster than a pattern does.
_ASCII_BLANKS = {code: " " for code in range(128) if not chr(code).islower()}


def _first_words(text: str) -> list[str]:
    lowered = text.lower()
    return (lowered.translate(_ASCII_BLANKS).split() if text.isascii() else _WORD.findall(lowered))[:_MOST_WORDS]


def foreign_language(text: str) -> str | None:
    """Return the language of a clearly non-English text, or None.

    Example:
        >>> foreign_language("Die Patientin wurde am Montag entlassen, weil sie gesund war.")
        'German'
        >>> foreign_language("Der Patient"), foreign_language("Die another day"), foreign_language("فازت المرأة")
        (None, None, 'Arabic')
    """
    if not text.isascii() and 2 * len(_LATIN.findall(text)) < len(_LETTERS.findall(text)):
        return language_of_script(text)
    words = _first_words(text)
    english_words, foreign_words = _word_sets()
    n_english = sum(map(english_words.__contains__, words))
    # No language has more words than all of them together: this settles nearly every English text.
    n_foreign = sum(map(foreign_words.__contains__, words))
    if n_foreign < _FEWEST or n_foreign <= 2 * n_english:
        return None
    known = _languages_by_word()
    hits = Counter(chain.from_iterable([known[word] for word in words if word in foreign_words]))
    del hits["english"]
    language, n = max(hits.items(), key=lambda each: (each[1], each[0]))
    return language.title() if n >= _FEWEST and n > 2 * n_english else None


FEWEST_WORDS = 8
"""Shorter texts are not left out: a few foreign words, such as a title, are no foreign text."""
_FEWEST_TO_LEAVE_OUT = 4
"""Different stop words of a text that is left out: more than for a note, since leaving out changes numbers."""
_RUNNING = 0.3
"""Larger shares of stop words are those of sentences, smaller ones those of titles, names and references."""


class Noticed(NamedTuple):
    """Language that texts are noticed to be written in.

    Attributes:
        language: its name.
        leaves_out: a text is long and clear enough, or in a script without spaces.
    """

    language: str
    leaves_out: bool


def notice(spaced: Sequence[str], english: Sequence[str]) -> Noticed | None:
    """Notice another language in the texts of a sample.

    Args:
        spaced: texts whose words must be separated by spaces.
        english: texts whose words must be English, too.

    Example:
        >>> notice([], ["Die Suppe war kalt und wir haben sehr lange auf den Kellner gewartet."])
        Noticed(language='German', leaves_out=True)
        >>> notice(["汤很冷，面包也是"], [])
        Noticed(language='Chinese', leaves_out=True)
    """
    for text in (*spaced, *english):
        if unspaced_script(text) is not None:
            return Noticed(language_of_script(text), leaves_out=True)
    languages = ((text, foreign_language(text)) for text in english)
    noticed = [Noticed(language, _is_running(text, language)) for text, language in languages if language is not None]
    return max(noticed, key=lambda each: each.leaves_out, default=None)


def _is_running(text: str, language: str) -> bool:
    """Return whether a text is long enough, and sentences rather than names."""
    words = _first_words(text)
    if len(words) < FEWEST_WORDS or language.lower() not in _LANGUAGES:
        return len(words) >= FEWEST_WORDS  # other languages are known by their letters
    known = _languages_by_word()
    hits = [word for word in words if len(word) > 1 and language.lower() in known.get(word, ())]
    return len(set(hits)) >= _FEWEST_TO_LEAVE_OUT and len(hits) > _RUNNING * len(words)


def is_english(text: str) -> bool:
    """Check whether many words are English stop words.

    A tenth of the words must be, and more than are stop words of other languages only.

    Example:
        >>> is_english("The fish is fresh."), is_english("Der Fisch war verdorben."), is_english("xkcd qwz")
        (True, False, False)
    """
    words = _first_words(text)
    english_words, foreign_words = _word_sets()
    n_english = sum(map(english_words.__contains__, words))
    n_foreign = sum(word in foreign_words and word not in english_words for word in words)
    return n_english > n_foreign and 10 * n_english >= len(words)


@cache
def _word_sets() -> tuple[frozenset[str], frozenset[str]]:
    """Return the stop words of English, and those of any other language."""
    known = _languages_by_word()
    english = frozenset(word for word, languages in known.items() if "english" in languages)
    return english, frozenset(word for word, languages in known.items() if languages != ("english",))


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """Map words to the languages with this stop word."""
    found: dict[str, set[str]] = {}
    for language, word in listed_stop_words():  # one pass over the lists of all languages
        if language in ("english", *_LANGUAGES):
            found.setdefault(fold(word.strip(), language), set()).add(language)
    return {word: tuple(languages) for word, languages in found.items()}
