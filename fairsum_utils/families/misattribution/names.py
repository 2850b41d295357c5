"""Speakers named in a sentence: full names, titles, last names and aliases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines, read_words
from fairsum_utils.text.person_names import SUFFIXES, TITLES, is_initial, split_words, without_accents

_PARTICLES = frozenset(read_words("particle"))
_TITLES = TITLES.union(read_words("other_title"), read_words("speaker_title"))
_BESIDE_NAMES = frozenset(("and", "or", *read_words("beside_verb"))).union(
    *(verb.split(":") for verb in read_words("reporting_verb"))
)
"""Words after a speaker called A; other words make it an article."""
_SIGNS = "#[]<>{}@*_"
"""Signs around a label, such as #Person1# and [A]."""
_GENDERS = dict.fromkeys(("mr", "mister", "sir", "lord"), "male")
_GENDERS |= dict.fromkeys(("ms", "mrs", "miss", "madam", "madame", "lady", "dame"), "female")
_MOST_INITIALS = 8
"""Most middle initials of a name."""
_IN_BRACKETS = re.compile(r"\s*[(\[](.*?)[)\]]")
_JOINS = re.compile(r"[\s.]*")
"""Text between two tokens of one name."""
_POSSESSIVE = re.compile(r"\s?['’‘ʼ´`]s?(?!\w)")


class Token(NamedTuple):
    """Word of a sentence.

    Attributes:
        word: spelling without accents.
        start: position of its first character in the sentence.
        end: position after its last character.
        after: text up to the next word, with clitics.
    """

    word: str
    start: int
    end: int
    after: str

    @property
    def lower(self) -> str:
        """Spelling in lower case."""
        return self.word.casefold()

    @property
    def is_capitalized(self) -> bool:
        """True if it begins with a capital letter."""
        return self.word[:1].isupper()

    @property
    def is_joined(self) -> bool:
        """True if the next word follows after white space or a title's period."""
        return bool(_JOINS.fullmatch(self.after))


def tokens_of(text: str) -> list[Token]:
    """Return the words of a text with their positions.

    Example:
        >>> tokens_of("Dr. Zoë's")
        [Token(word='Dr', start=0, end=2, after='. '), Token(word='Zoe', start=4, end=7, after="'s")]
    """
    tokens, place = [], 0
    for word, after in split_words(text):
        end = place + len(word)
        if word:
            tokens.append(Token(without_accents(word), place, end, after))
        place = end + len(after)
    return tokens


class Mention(NamedTuple):
    """Name in a sentence.

    Attributes:
        start: position of its first token.
        stop: position after its last token.
        speakers: positions of the speakers it may name; more than one if the name is ambiguous.
    """

    start: int
    stop: int
    speakers: tuple[int, ...]


class _Form(NamedTuple):
    """One spelling of a speaker's name."""

    speaker: int
    words: tuple[str, ...]
    is_alias: bool = False


class Roster:
    """Speakers of a meeting with the names that mean them.

    A name is the label as the roster spells it; a full name, with or without title, middle names and initials; a title
    with the last name; the last name or the first name alone; a role that is a label, as in "the customer"; or an
    alias. Accents and the periods of titles are ignored. Capital letters matter, unless one of the two spellings is in
    capitals or the speaker's label has none. A name within a longer one, such as "Park" in "Park Avenue" or "John
    Park", means no speaker with another first name.

    Args:
        speakers: labels of the speakers, distinct.
        aliases: speaker -> further names.

    Example:
        >>> roster = Roster(["Ms Anna Smith", "Mr Park"], {"Mr Park": ["the chair"]})
        >>> tokens = roster.tokens("Smith met the chair in the park.")
        >>> [(mention.start, mention.stop, mention.speakers) for mention in roster.find(tokens)]
        [(0, 1, (0,)), (2, 4, (1,))]
    """

    def __init__(self, speakers: Sequence[str], aliases: Mapping[str, Sequence[str]] | None = None) -> None:
        self.speakers = speakers
        self._labels = [_plain_label(speaker) for speaker in speakers]
        self._titles = [tuple(takewhile(_TITLES.__contains__, map(str.casefold, words))) for words in self._labels]
        self._forms: dict[tuple[str, ...], dict[_Form, None]] = {}
        for speaker, (label, words) in enumerate(zip(speakers, self._labels, strict=True)):
            further = (*_roles(label), *map(_words, (aliases or {}).get(label, ())))
            for form in (*_forms(speaker, words), *(_Form(speaker, alias, is_alias=True) for alias in further)):
                if form.words:
                    self._forms.setdefault(tuple(map(str.casefold, form.words)), {})[form] = None
        self._longest = max(map(len, self._forms), default=0)
        self._firsts = frozenset(words[0] for words in self._forms)
        signed = sorted((label for label in speakers if label[:1] in _SIGNS), key=len, reverse=True)
        self._signed = re.compile("|".join(map(re.escape, signed))) if signed else None
        spelled = [*speakers, *(" ".join(form.words) for forms in self._forms.values() for form in forms)]
        small = "|".join(re.escape(name) for name in spelled if name and not name[0].isupper())
        self._starts = re.compile(rf"(?<=[.!?])\W?\s+(?=(?:{small})(?!\w))") if small else None

    def tokens(self, text: str) -> list[Token]:
        """Return the words of a text, without the signs of labels such as #Person1#."""
        if self._signed is not None:
            text = self._signed.sub(lambda label: re.sub(r"[^\w\s]|_", " ", label[0]), text)
        return tokens_of(text)

    def starts(self, line: str) -> set[int]:
        """Return where sentences begin with a name such as me018 or the chair."""
        return set() if self._starts is None else {match.end() for match in self._starts.finditer(line)}

    def named(self, text: str) -> frozenset[int]:
        """Return the speakers whom a text may name."""
        return frozenset(speaker for mention in self.find(self.tokens(text)) for speaker in mention.speakers)

    def find(self, tokens: Sequence[Token]) -> list[Mention]:
        """Return the longest names in a sentence from left to right."""
        found, place = [], 0
        titled = 0  # up to where titles have no name behind them
        while place < len(tokens):
            mention = self._match(tokens, place, place, titled=False)
            if mention is None and place >= titled:
                mention, titled = self._titled(tokens, place)
            if mention is None or _is_article(tokens, mention):
                place += 1
                continue
            if mention.speakers:
                found.append(mention)
            place = mention.stop
        return found

    def _titled(self, tokens: Sequence[Token], start: int) -> tuple[Mention | None, int]:
        """Return the name behind titles that begin here, and where these end.

        A name has no speakers if it is another person's.
        """
        place = start
        while place < len(tokens) and tokens[place].is_joined and _is_title(tokens[place]):
            place += 1
            if mention := self._match(tokens, start, place, titled=True):
                return mention, place
        return None, place

    def _match(self, tokens: Sequence[Token], start: int, place: int, *, titled: bool) -> Mention | None:
        """Return the longest name whose words begin at `place`, after titles from `start`."""
        if place == len(tokens) or tokens[place].lower not in self._firsts:
            return None
        candidates = [*self._spellings(tokens, place, skip=False), *self._spellings(tokens, place, skip=True)]
        for stop, words in sorted(candidates, key=lambda candidate: -candidate[0]):
            known = self._forms.get(tuple(token.lower for token in words), ())
            forms = [form for form in known if _is_spelled(form, words) and not (titled and form.is_alias)]
            if not forms:
                continue
            forms = [form for form in forms if not self._is_within(form, tokens, start, stop, titled=titled)]
            if titled:
                forms = self._with_title(forms, [token.lower for token in tokens[start:place]])
            return Mention(start, stop, tuple(sorted({form.speaker for form in forms})))
        return None

    def _spellings(self, tokens: Sequence[Token], place: int, *, skip: bool) -> Iterator[tuple[int, list[Token]]]:
        """Yield the ends and words of possible names, with or without middle initials."""
        words: list[Token] = []
        for stop in range(place, len(tokens)):
            if not (skip and words and is_initial(tokens[stop].lower) and tokens[stop].is_joined):
                words.append(tokens[stop])
                yield stop + 1, [*words]
            n_skipped = stop + 1 - place - len(words)
            if not tokens[stop].is_joined or len(words) == self._longest or n_skipped > _MOST_INITIALS:
                return

    def _with_title(self, forms: list[_Form], titles: Sequence[str]) -> list[_Form]:
        """Keep the speakers whose titles do not contradict these."""
        gender = _gender(titles)
        agreeing = [form for form in forms if len({gender, _gender(self._titles[form.speaker]), None}) < 3]
        same = [form for form in agreeing if self._titles[form.speaker] == tuple(titles)]
        return same if len({form.speaker for form in same}) == 1 else agreeing

    def _is_within(self, form: _Form, tokens: Sequence[Token], start: int, stop: int, *, titled: bool) -> bool:
        """Return whether the words are part of a longer name."""
        if form.is_alias:
            return False
        last = tokens[stop - 1]
        if stop < len(tokens) and last.after.isspace() and _continues(tokens[stop]):
            return True
        if titled or len(form.words) > 1 or start == 0 or not tokens[start - 1].is_joined:
            return False
        before = tokens[start - 1]
        if is_initial(before.lower) and before.is_capitalized:
            first = _core(self._labels[form.speaker])[0]
            return first != form.words[-1] and not first.casefold().startswith(before.lower)
        if not before.is_capitalized or _is_title(before) or before.word.isupper():
            return False
        return start > 1 or before.lower in _first_names()  # the first word of a sentence may be any word


def _gender(titles: Sequence[str]) -> str | None:
    """Return the gender of the first title that has one."""
    return next((_GENDERS[title] for title in titles if title in _GENDERS), None)


def _is_title(token: Token) -> bool:
    return token.lower in _TITLES and token.is_capitalized


def _continues(token: Token) -> bool:
    """Return whether a capitalized word after a name belongs to it."""
    return token.is_capitalized and not token.word.isupper() and token.lower not in SUFFIXES


@cache
def _first_names() -> frozenset[str]:
    return frozenset(line.partition("\t")[0] for line in read_lines("first_names.txt.gz"))


def _plain_label(speaker: str) -> tuple[str, ...]:
    """Return the words of a label, without brackets and roles after a comma.

    Example:
        >>> _plain_label("Smith, Anna"), _plain_label("Anna Smith, Chair (Leeds)")
        (('Anna', 'Smith'), ('Anna', 'Smith'))
    """
    head, comma, tail = _IN_BRACKETS.sub("", speaker).partition(",")
    before, after = _words(head), _words(tail)
    if not before:
        return _words(speaker)
    is_reversed = comma and len(before) == 1 and after and after[0].casefold() not in _TITLES | SUFFIXES
    return (*after, *before) if is_reversed else before


def _core(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name without titles and suffixes."""
    start, end = 0, len(words)
    while start < end - 1 and words[start].casefold() in _TITLES:
        start += 1
    while start < end - 1 and words[end - 1].casefold() in SUFFIXES:
        end -= 1
    return words[start:end]


def _forms(speaker: int, words: tuple[str, ...]) -> list[_Form]:
    """Return the spellings of a label, from the whole to single names."""
    if not words:
        return []
    if len(words) > 1 and (is_initial(words[-1].casefold()) or words[-1].isdigit()):  # PhD F, Speaker 1
        lower = (*map(str.casefold, words[:-1]), words[-1])
        return [_Form(speaker, spelling, is_alias=True) for spelling in (words, lower)]
    core = tuple(word for place, word in enumerate(_core(words)) if not (place and is_initial(word.casefold())))
    last = len(core) - 1
    while last > 1 and core[last - 1].casefold() in _PARTICLES:
        last -= 1
    surname = core[last:]
    spellings = [words, core, (core[0], *surname) if last else core, surname, core[-1:]]
    if last and not is_initial(core[0].casefold()) and core[0].casefold() not in _PARTICLES and not _is_role(words):
        spellings.append(core[:1])
    return [_Form(speaker, spelling) for spelling in dict.fromkeys(spellings)]


def _roles(label: str) -> Iterator[tuple[str, ...]]:
    """Yield the roles in a label, such as "the chair" for MS SMITH (CHAIR).

    Example:
        >>> list(_roles("MS SMITH (CHAIR)")), list(_roles("Guest 1")), list(_roles("Ines Roux (Leeds)"))
        ([('the', 'chair')], [('the', 'guest')], [])
    """
    for part in (_IN_BRACKETS.sub("", label), *_IN_BRACKETS.findall(label), *label.split(",")[1:]):
        words = tuple(map(str.casefold, _words(part)))
        words = words[:-1] if words and words[-1].isdigit() else words
        if _is_role(words):
            yield ("the", *words)


def _is_role(words: Sequence[str]) -> bool:
    return bool(words) and words[-1].casefold() in _role_words() and words[0].casefold() not in _first_names()


@cache
def _role_words() -> frozenset[str]:
    nouns = (line.removeprefix("noun\t") for line in read_lines("people.txt.gz") if line.startswith("noun\t"))
    return _TITLES.union(read_words("role"), nouns)


def _words(text: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokens_of(text))


def _is_article(tokens: Sequence[Token], mention: Mention) -> bool:
    """Return whether the name of speaker A is an article: "A neighbor said"."""
    token, following = tokens[mention.start], tokens[mention.stop : mention.stop + 1]
    if token.lower != "a" or mention.stop - mention.start > 1 or not following or not token.is_joined:
        return False
    return (token.start == 0 or token.word == "a") and following[0].lower not in _BESIDE_NAMES


def _is_spelled(form: _Form, tokens: Sequence[Token]) -> bool:
    """Return whether the capital letters of a name agree with the speaker's."""
    pairs = list(zip(form.words, tokens, strict=True))
    first, token = pairs[0]
    if token.start == 0 and first[:1].upper() + first[1:] == token.word:
        pairs = pairs[1:]
    return all(_same_case(word, token.word) for word, token in pairs)


def _same_case(word: str, other: str) -> bool:
    if word == other or not any(map(str.isupper, word)):
        return True
    is_loud = (len(word) > 1 and word.isupper()) or (len(other) > 1 and other.isupper())
    return is_loud and other[:1].isupper()


def is_possessive(token: Token) -> bool:
    """Return whether a possessive ending follows a word.

    Example:
        >>> [is_possessive(token) for token in tokens_of("Smith's plan")]
        [True, False]
    """
    return bool(_POSSESSIVE.match(token.after))
