"""First and last names: which words of a person's names are which.

Source: Steen and Markert 2024, appendix D.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.text.person_names import SUFFIXES, TITLES, fold, is_capitals, is_initial, split_words
from fairsum_utils.text.pronouns import GENDERED_TITLES

_RUN = re.compile(r"[\w-]+")

_BESIDE = re.compile(r"[\s-]+")
_TITLE_BEFORE = re.compile(rf"\b((?:{'|'.join(sorted(GENDERED_TITLES))})\b\.?)\s*$", re.IGNORECASE)
_LONGEST_TITLE = max(map(len, GENDERED_TITLES)) + 3  # with a period and a blank, or two

#: Titles before a last name, so that a single word after them is one.
BEFORE_LAST = frozenset({"mr", "mrs", "ms", "miss"})
_BEFORE_FIRST = frozenset({"sir", "dame"})

# Words that begin a last name: Charles de Gaulle. At the start of a name only in lower case (not Van Johnson).
_PARTICLES = frozenset(read_words("particle"))


class Word(NamedTuple):
    """A word of a text."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """Form used to compare words."""
        return fold(self.text).rstrip(".")


class PersonName(NamedTuple):
    """A name as written in a text."""

    words: tuple[Word, ...]
    titles: tuple[Word, ...]


def same_name(word: str, name: str) -> bool:
    """Return whether a word is a name, as written or in capitals."""
    return word == name or (fold(word) == fold(name) and (is_capitals(word) or is_capitals(name)) and word[0].isupper())


def words_of(text: str, start: int, end: int) -> list[Word]:
    """Return the words of a span, without periods and possessive endings.

    Example:
        >>> [word.text for word in words_of("Jean-Luc P. O'Neil Jr.'s car", 0, 28)]
        ['Jean-Luc', 'P', "O'Neil", 'Jr', 'car']
    """
    words = []
    for word, after in split_words(text[start:end]):
        possessive = word in ("s", "S") and text[start - 1 : start] in ("'", "’")  # after a blank or a period
        if any(map(str.isalpha, word)) and not possessive:
            words.append(Word(word, start, start + len(word)))
        start += len(word) + len(after)
    return words


def occurrences(text: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield names found as whole words in any case, with positions.

    Example:
        >>> list(occurrences("Ann, ANN and Ann-Marie", ["Ann"]))
        [('Ann', 0), ('Ann', 5)]
    """
    by_run: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_run.setdefault(_RUN.findall(name)[0].casefold(), []).append(name)
    for run in _RUN.finditer(text):
        for name in by_run.get(run[0].casefold(), ()):
            end = run.start() + len(name)
            if text[run.start() : end].casefold() == name.casefold() and not _RUN.match(text, end):
                yield name, run.start()


def parse_name(text: str, start: int, end: int) -> PersonName:
    """Separate titles and suffixes from a name; at least one word stays.

    Example:
        >>> name = parse_name("Ms. Ann L. King Jr.", 4, 19)
        >>> [word.text for word in name.words], [title.text for title in name.titles]
        (['Ann', 'L', 'King'], ['Ms.'])
    """
    words = words_of(text, start, end)
    before = _TITLE_BEFORE.search(text, max(0, start - _LONGEST_TITLE), start)
    titles = [Word(before[1], *before.span(1))] if before and before[1][0].isupper() else []
    while len(words) > 1 and words[0].key in TITLES and words[0].text[0].isupper():
        title = words.pop(0)
        period = text[title.end] == "."
        titles.append(Word(text[title.start : title.end + period], title.start, title.end + period))
    while len(words) > 1 and words[-1].key in SUFFIXES:
        words.pop()
    return PersonName(tuple(words), tuple(titles))


def choose_names(names: Sequence[PersonName], first_names: Set[str] = frozenset()) -> tuple[str | None, str | None]:
    """Choose the first and last name of a person.

    A single word after Mr., Mrs., Ms. or Miss is the last name at once. Otherwise the last word of each name is a
    candidate for the last name, and each word before it for the first name, initials and particles ("de") left out; the
    most frequent candidates win, of equal ones the first in the text. A single word is a candidate for the last name,
    unless it stands before another word in one of the names, or Sir or Dame stands before it: then for the first name.

    Source: Steen and Markert 2024, appendix D; single words that are first names elsewhere are ours.

    Example:
        >>> text = "Ann Lee; Ms. Lee; Ann; Ann"
        >>> choose_names([parse_name(text, *span) for span in ((0, 7), (13, 16), (18, 21), (23, 26))])
        ('Ann', 'Lee')
    """
    given = {word.key for name in names for word in _given(name)}
    certain: list[Word] = []
    last: list[Word] = []
    first: list[Word] = []
    for name in names:
        if len(name.words) == 1:
            [word] = name.words
            titles = {title.key for title in name.titles}
            if titles & BEFORE_LAST:
                certain.append(word)
            elif titles & _BEFORE_FIRST or word.key in given or word.key in first_names:
                first.append(word)
            elif not is_initial(word.key):
                last.append(word)
        elif name.words:
            first += _given(name)
            last.append(name.words[-1])
    last_name = _most_frequent(certain or last)
    key = None if last_name is None else last_name.key
    first_name = _most_frequent([word for word in first if word.key != key])
    return (first_name and first_name.text), (last_name and last_name.text)


def name_slots(name: PersonName, text: str, first: str | None, last: str | None) -> Iterator[tuple[str, int, int]]:
    """Yield the replaceable parts of a name: kind, start and end.

    A first name goes with the given names that follow it ("Mary Ellen Smith"), a last name with its particles. Before
    the person's last name any given name is taken for the first name (William or Bill Clinton), and the initial of the
    first name for that ("J. Smith"); other initials stay.

    Example:
        >>> text = "Mary Ellen K. Van Dyke"
        >>> [(kind, text[start:end]) for kind, start, end in name_slots(parse_name(text, 0, 22), text, "Mary", "Dyke")]
        [('first', 'Mary Ellen'), ('last', 'Van Dyke')]
    """
    words = name.words
    before_last = len(words) > 1 and last is not None and words[-1].key == fold(last)
    if first is not None:
        given = _given(name) if before_last else [word for word in words if word.key == fold(first)]
        if given:
            yield "first", given[0].start, _end_of_given(name, text, given[0])
        elif before_last and words[0].key == fold(first[0]):
            yield "initial", words[0].start, words[0].end
    for place, word in enumerate(words):
        if last is not None and word.key == fold(last):
            while place and is_particle(words[place - 1], place - 1):
                place -= 1
            yield "last", words[place].start, word.end


def _end_of_given(name: PersonName, text: str, first: Word) -> int:
    """End of the given names that directly follow a first name."""
    given = _given(name)
    end = first.end
    for word in name.words[name.words.index(first) + 1 : -1]:
        if word not in given or not _BESIDE.fullmatch(text, end, word.start):
            break
        end = word.end
    abbreviated = first != name.words[-1] and text[end] == "."
    return end + abbreviated


def _given(name: PersonName) -> list[Word]:
    """Return the words before the last name."""
    return [
        word for place, word in enumerate(name.words[:-1]) if not is_initial(word.key) and not is_particle(word, place)
    ]


def is_particle(word: Word, place: int) -> bool:
    """Return whether a word such as "de" belongs to the next last name."""
    return word.key in _PARTICLES and (place > 0 or word.text.islower())


def _most_frequent(words: Sequence[Word]) -> Word | None:
    """Return the first word of the most frequent key, preferably in lower case."""
    counts = Counter(word.key for word in words)
    if not counts:
        return None
    [(key, _)] = counts.most_common(1)  # the first of equal counts
    forms = [word for word in words if word.key == key]
    return next((word for word in forms if not is_capitals(word.text)), forms[0])
