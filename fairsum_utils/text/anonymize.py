"""Anonymized summaries: no words that reveal gender by grammar or name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from fairsum_utils.text.person_names import SUFFIXES, Name, core_tokens, fold, is_initial, name_tokens, split_words
from fairsum_utils.text.pronouns import (
    CLOSED_CLASS,
    FORMS_OF_ADDRESS,
    GENDERED_PRONOUNS,
    GENDERED_TITLES,
    pronoun_case,
    render,
)

FIRST_NAME = "FIRST_NAME"
LAST_NAME = "LAST_NAME"
TITLE = "TITLE"

_PRONOUNS = GENDERED_PRONOUNS | {"themself"}
# Titles like those in `GENDERED_TITLES`, but without a counterpart for counterfactual texts.
_TITLES = GENDERED_TITLES | FORMS_OF_ADDRESS | {"mister", "messrs", "mesdames", "mme", "madame", "monsieur"}
_ABBREVIATED_TITLES = frozenset({"mr", "mrs", "ms", "messrs", "mme"})
_ARTICLES = frozenset({"a", "an", "the"})
# These words can be names ("An", "He"), but count only next to another part of the name.
_FUNCTION_WORDS = CLOSED_CLASS | GENDERED_PRONOUNS
_NEVER_IN_MENTIONS = _FUNCTION_WORDS | _TITLES  # "The Beebes"
_BLANK = re.compile(r"[^\S\n]+")
_AFTER_ABBREVIATION = re.compile(r"\.[^\S\n]*|[^\S\n]+")
_BEFORE_SUFFIX = re.compile(r",?[^\S\n]+")
_PART = re.compile("[^-‐‑]+")  # part of a compound


def anonymize(text: str, names: Sequence[Name], mentions: Iterable[str] = ()) -> str:
    """Replace names, pronouns and titles by markers and neutral forms.

    - Names, as whole tokens in any letter case, become FIRST_NAME and LAST_NAME, one each for a first or last name of
      several tokens. Initials beside a name go into FIRST_NAME, and suffixes such as "Jr." are dropped. A word in
      lower case is a name only beside one or in a text without capitals, so that "a mark" stays in a text on Mark. The
      name in compounds such as "Levin-led" is replaced, whereas "Smith-Jones" is another name than "Smith".
    - Pronouns of both genders take their neutral form: they, them, their, theirs, themselves. Verbs stay as they are.
    - Mr., Mrs., Ms., Miss, Sir, Lady, Lord and Dame before a name or a capitalized word become TITLE, as do Mister,
      Messrs., Mesdames, Madame, Mme. and Monsieur. In lower case, those that are no abbreviations are titles only in a
      text without capitals.
    - Sir, sirs, ma'am, madam and madams become TITLE anywhere else, too, in any letter case, but for nouns ("a sir").

    Source: Steen and Markert 2024, section 3.4; titles are those of its published code, and ours.

    Example:
        >>> anonymize("Mrs. Levin's aide said Melissa Levin hid her car from Obama; Markets like her.",
        ...           [Name("Melissa", "Levin"), Name("Mark", None)], ["Barack Obama"])
        "TITLE LAST_NAME's aide said FIRST_NAME LAST_NAME hid their car from LAST_NAME; Markets like them."
    """
    words = _Words(
        text if text.isascii() else unicodedata.normalize("NFC", text), _roles(tuple(names), tuple(mentions))
    )
    words.replace_pronouns()
    words.replace_names()
    return str(words)


class _Roles(NamedTuple):
    """Roles of the tokens of names, folded."""

    first: frozenset[str]
    last: frozenset[str]
    pairs: frozenset[tuple[str, str]]  # adjacent tokens in a name
    initials: frozenset[str]  # initials of first names


@lru_cache(maxsize=2**10)
def _roles(names: tuple[Name, ...], mentions: tuple[str, ...]) -> _Roles:
    first: set[str] = set()
    last: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for name in names:
        given, family = name_tokens(name.first), core_tokens(name_tokens(name.last))
        first.update(given)
        last.update(family)
        pairs.update(pairwise(given + family))
    for mention in mentions:
        core = core_tokens(name_tokens(mention))
        tokens = [token for token in core if token not in _NEVER_IN_MENTIONS or is_initial(token)]
        last.update([token for token in tokens[-1:] if token not in first])
        first.update([token for token in tokens[:-1] if token not in last])
        pairs.update(pairwise(tokens))
    return _Roles(frozenset(first), frozenset(last), frozenset(pairs), frozenset(token[0] for token in first))


@lru_cache(maxsize=2**12)
def _neutral(pronoun: str, following: str) -> str:
    case = pronoun_case(pronoun, following)
    # A letter with an accent is no initial.
    return pronoun if case is None else render(case, "neutral", like=pronoun)


class _Words:
    """A text as words and separators, both replaced in place."""

    def __init__(self, text: str, roles: _Roles) -> None:
        self.roles = roles
        self.lower_case = text.islower()
        self.words, self.after = map(list, zip(*split_words(text), strict=True))
        # The part of `fold` that most words need.
        self.keys = [word.casefold() if word.isascii() else fold(word) for word in self.words]
        listed = _PRONOUNS.union(_TITLES, roles.first, roles.last)
        self.listed = [i for i, key in enumerate(self.keys) if key in listed]

    def __str__(self) -> str:
        return "".join(chain.from_iterable(zip(self.words, self.after, strict=True)))

    def replace_pronouns(self) -> None:
        for i in self.listed:
            if self.keys[i] in _PRONOUNS:
                self.words[i] = _neutral(self.words[i], self._following(i) if self.keys[i] in ("her", "his") else "")

    def _following(self, i: int) -> str:
        gap = self.after[i]
        mark = gap.strip()[:1]
        if not mark:
            return "".join(self.words[i + 1 : i + 2])
        return "“" if mark in "\"'" and gap[0].isspace() else mark  # a straight quote after a blank opens

    def replace_names(self) -> None:
        """Replace names with their titles and suffixes."""
        self._replace_compounds()
        marks = self._marks()
        for i in self.listed:
            if self.keys[i] in _TITLES and i not in marks:
                if self._is_title(i, marks):
                    self.words[i], self.after[i] = TITLE, " "
                elif self.keys[i] in FORMS_OF_ADDRESS and self.keys[i - 1] not in _ARTICLES:
                    self.words[i] = TITLE
        for i in sorted(marks, reverse=True):
            self._drop_suffix(i)
            self.words[i] = marks[i]
            if i + 1 in marks and self._joined(i):
                if marks[i + 1] == marks[i]:
                    self.after[i] = self.words[i + 1] = ""
                else:
                    self.after[i] = " "

    def _marker(self, key: str, following: str = "") -> str:
        """Return a token's marker; an ambiguous token before a last name is first."""
        first, last = self.roles.first, self.roles.last
        return LAST_NAME if key in last and not (key in first and following in last) else FIRST_NAME

    def _may_be_name(self, key: str) -> bool:
        return key in self.roles.first or key in self.roles.last

    def _is_name(self, key: str, word: str) -> bool:
        """Return whether a token is a name in any context."""
        return (
            self._may_be_name(key)
            and not is_initial(key)
            and key not in _FUNCTION_WORDS
            and (self.lower_case or not word.islower())
        )

    def _replace_compounds(self) -> None:
        """Replace names in compounds such as "Levin-led" and "Smith-Jones"."""
        for i in [i for i, key in enumerate(self.keys) if "-" in key]:
            parts = _PART.findall(self.words[i])
            if all(self._is_name(fold(part), part) or part.islower() for part in parts):
                self.words[i] = _PART.sub(self._replaced_part, self.words[i])

    def _replaced_part(self, part: re.Match[str]) -> str:
        key = fold(part[0])
        return self._marker(key) if self._is_name(key, part[0]) else part[0]

    def _marks(self) -> dict[int, str]:
        """Map the position of each name token to its marker."""
        names = {i for i in self.listed if self._is_name(self.keys[i], self.words[i])}
        # Other tokens next to a name, as in a listed name: "van" and "der" of "van der Berg".
        others = [i for i in self.listed if i not in names and self._may_be_name(self.keys[i])]
        for order, step in ((others, -1), (others[::-1], 1)):
            for i in order:
                left = min(i, i + step)
                if i + step in names and (self.keys[left], self._next_key(left)) in self.roles.pairs:
                    names.add(i)
        marks = {i: self._marker(self.keys[i], self._next_key(i)) for i in names}
        for i in sorted(names):
            marks.update(dict.fromkeys(self._initials_before(i, marks), FIRST_NAME))
        return marks

    def _next_key(self, i: int) -> str:
        return self.keys[i + 1] if i + 1 < len(self.keys) and self._joined(i) else ""

    def _joined(self, i: int) -> bool:
        """Return whether only a blank or an initial's period separates two words."""
        gap = self.after[i]
        return gap == " " or bool((_AFTER_ABBREVIATION if is_initial(self.keys[i]) else _BLANK).fullmatch(gap))

    def _initials_before(self, i: int, marks: Mapping[int, str]) -> range:
        """Return the positions of the initials that belong to a name."""
        start = i
        while start and start - 1 not in marks and self._may_be_initial(start - 1):
            start -= 1
        if start == i:
            return range(0)
        middle = marks.get(start - 1) == FIRST_NAME and self._joined(start - 1)
        key = self.keys[start]
        fits = key in self.roles.initials and (key not in CLOSED_CLASS or self.after[start].startswith("."))
        return range(start, i) if middle or fits else range(0)

    def _may_be_initial(self, i: int) -> bool:
        return is_initial(self.keys[i]) and (self.lower_case or self.words[i].isupper()) and self._joined(i)

    def _is_title(self, i: int, marks: Mapping[int, str]) -> bool:
        word, key, gap = self.words[i], self.keys[i], self.after[i]
        abbreviated = key in _ABBREVIATED_TITLES
        if i + 1 == len(self.words) or not (_AFTER_ABBREVIATION if abbreviated else _BLANK).fullmatch(gap):
            return False
        if i + 1 in marks and (abbreviated or self.lower_case):
            return True
        if not (self.lower_case or word[0].isupper()):
            return False
        if self.keys[i + 1] in ("and", "or"):  # "Sir and Lady"
            return not _TITLES.isdisjoint(self.keys[i + 2 : i + 3])
        # "Mr. de Bono" is still a title, but "MS" and "ms" have other meanings.
        return self.words[i + 1][0].isupper() or (abbreviated and (key != "ms" or gap.startswith(".")))

    def _drop_suffix(self, i: int) -> None:
        after = i + 1
        if self.keys[after : after + 1] and self.keys[after] in SUFFIXES and _BEFORE_SUFFIX.fullmatch(self.after[i]):
            gap = self.after[after]
            following = "".join(self.words[after + 1 : after + 2])
            # The period belongs to the suffix, unless the sentence may end here.
            if gap.startswith(".") and (gap[1:2] == "," or (gap[1:].isspace() and following.islower())):
                gap = gap[1:]
            self.after[i], self.words[after], self.after[after] = gap, "", ""
