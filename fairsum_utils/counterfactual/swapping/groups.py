"""Swaps of religion, nationality, sexual orientation and disability, by word lists.

A listed word is swapped where the words around it show that it describes a person. Anywhere else it makes the text
unswappable, like a word that tells the attribute in another way. All persons of a text must be of one group.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines, read_words
from fairsum_utils.counterfactual.edits import DAYS, MONTHS, Edit, Original, Unswappable, Variants, listed
from fairsum_utils.families.entities.names import first_name_gender, is_first_name
from fairsum_utils.text.lemmas import is_listed
from fairsum_utils.text.person_names import TITLES
from fairsum_utils.text.pronouns import CLOSED_CLASS, PRONOUNS

#: Attribute -> first year of the events that its swaps fit.
SINCE = {"religion": 1950, "nationality": 1950, "sexual_orientation": 2001, "disability": 1950}

#: Attributes that names often tell, too.
NAMES_TELL = ("religion", "nationality")

#: The variant without a word of the attribute.
UNMARKED = "none"

_YEAR = re.compile(r"(?<![\w,.£$€])(?:1[0-9]|20)\d\d(?!\w|[,.]\d)")
_HISTORY = re.compile(r"\b(?:\d+(?:st|nd|rd|th)[- ]centur\w+|BCE?|ancient|medieval|[Cc]entur(?:y|ies) ago)\b")
_NAME = re.compile(r"[^\W\d_](?:[\w'’-]|\.(?=\w))*")
_LONGEST_NAME = 5
_AFTER_TITLE = re.compile(r"\.?\s[^\W\d_a-z]")
_NEXT_CAPITAL = re.compile(r"\s[^\W\d_a-z]")
_OPENS_SENTENCE = re.compile(r"(?:\A|[.!?:;\n][\"”’)]*\s*)[\"“‘(]*\Z")
# Capitalized words that are no names.
_CAPITAL_WORDS = frozenset(
    f"i i'm i've i'll i'd {' '.join((*DAYS, *MONTHS))} march may august november".lower().split()
)
_BEFORE_NAME = re.compile(r"[^\W\d_a-z][\w’'.-]*\s+\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n][\"”’)]*\s*)[\"“‘(]*(?:\S+\s+)?\Z")
_PREFIX = re.compile(
    r"\b(?:non|anti|pro|half|part|ex|pre|post|mostly|predominantly|tone|color|colour|snow|legally|average|typical|any|single|every|each"
    r"|quintessential|only|this(?: [a-z-]+)?|like an?)\s+\Z",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<=[a-z\d)][a-z\d)])[.!?\n][\"”’)]*\s+(?=\S)")
# "Ann Lee is a German ...", "Ann Lee, a German ...", "the German nurse Ann Lee".
_DEFINED = re.compile(
    rf"[^\W\d_a-z][\w.'’-]+ (?:(?:{'|'.join(read_words('particle'))}) )*[^\W\d_a-z].*"
    r"\b(?:(?:is|was|are|were) (?:also )?(?:an?|the|one)\b|(?:are|were) \Z)",
    re.S,
)
_CLOSED = "|".join(sorted({*CLOSED_CLASS, *read_words("after_person")}))
# No further noun follows.
_END = re.compile(
    rf"\Z|\s*[.,;:!?)\"”\n—–]|['’]s\b|\s+(?:\(|(?:{_CLOSED}|\w+ed|\w+s (?:an?|the|his|her|my|our|their|me|us|him))\b)"
)
_END_OR_NAME = re.compile(rf"{_END.pattern}| [^\W\d_a-z]")
_PLURAL = re.compile(r"(?:[^s]s|men|people|children|folk|crew)\Z")
_NEXT = re.compile(r"(?:,? and|,| or)? ([a-z][\w-]*)")
# After an adjective that one variant leaves out.
_REMOVABLE = re.compile(r" (?!(?:and|or) )[a-z]")
_GROUPS = frozenset((*read_words("person"), *read_words("people")))
_MODIFIERS = frozenset(read_words("modifier"))
_COMPOUND_AFTER = re.compile(rf"(?:['’]s)?[ -](?:{'|'.join(read_words('no_person'))})\b", re.I)
_ONE = re.compile(
    rf"\b(?:an?|another|one|young|elderly|his|her|their|our|my)\s+(?:(?:{'|'.join(read_words('believer'))})\s+)?\Z",
    re.I,
)
_DETERMINED = re.compile(
    r"\b(?:an?|the|another|one|some|his|her|their|our|my|your|whose|as)\s+(?:[a-z-]+,?\s+){0,3}\Z"
    r"|['’]s\s+(?:[a-z-]+\s+)?\Z",
    re.I,
)
_THE_ONE = re.compile(rf"{_ONE.pattern}|\b(?:the|this|that|local|former)\s+\Z", re.I)
_SEVERAL = re.compile(
    r"(?<!\bin )(?<!\bof )(?:(?<![\d,.-])\b\d{1,2}|\b(?:two|three|four|five|six|seven|eight|nine|ten|several|a few"
    r"|group of|his|her|their|our|my|its))(?:\s+(?:young|elderly|other|more))?\s+\Z",
    re.I,
)
_IS = re.compile(
    r"\b([A-Za-z]+)(?:\s+(?:is|was|am)|['’][sm])(?:\s+(?:also|not|now|himself|herself|completely|almost))?\s+\Z",
    re.I,
)
_STOP = re.compile(r"\Z|\s*[.,;:!?)\"”\n]|\s+(?:and|but|or)\b")
_AT_PLACE = re.compile(
    r"\b(?:to|in|at|from|near|outside|inside|into|attend|attends|attended|visit|visits|visited)\s+"
    r"(?:(?:an?|the|his|her|their|our|my|this|that|local|nearby)\s+){0,2}\Z",
    re.I,
)
_FROM = re.compile(r"([a-z]+) from \Z")
_OWNER = re.compile(
    r"\b(his|her) (?:(?:late|former|new|first|second|third|then|long-time|longtime|current|future) )?\Z", re.I
)
_NAMED = re.compile(r",?\s+\(?(?:[^\W\d_a-z]|named|called|who\b)|, (?:an?|the)\b")
_WIDEST = 60


class _Lists(NamedTuple):
    """One attribute's words."""

    variants: tuple[str, ...]
    #: For each row its role and the words of the variants.
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    #: Word as listed -> its group and its rows.
    forms: dict[str, tuple[str, tuple[int, ...]]]
    words: re.Pattern[str]
    revealing: re.Pattern[str]
    never: frozenset[str]
    #: True if names often reveal the attribute.
    names_tell: bool
    #: Words that also have a meaning without group: "straight home".
    ordinary: frozenset[str]


class _Found(NamedTuple):
    """A word in a text that describes a person, with its row."""

    start: int
    end: int
    group: str
    row: int
    flipped: bool = False


def _pattern(words: Iterator[str] | list[str], flags: int) -> str:
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in ordered)
    return rf"(?<!\w)(?{'i' if flags else '-i'}:{joined})(?!\w)" if joined else r"(?!)"


@cache
def _lists(attribute: str) -> _Lists:
    """Read the words of an attribute."""
    variants: tuple[str, ...] = ()
    rows: list[tuple[str, tuple[str, ...]]] = []
    lists: dict[str, list[str]] = {"told": [], "never": [], "ordinary": []}
    groups: dict[str, tuple[str, list[int]]] = {}
    for role, *words in (*listed("any_group"), *listed(attribute)):
        if role == "groups":
            variants = tuple(words)
        elif role in lists:
            lists[role] += words
        else:
            also = role == "also"
            for place, word in enumerate(words):
                group = words[0] or words[1] if also else variants[place]
                if word and group != UNMARKED:
                    groups.setdefault(word, (group, []))[1].append(place if also else len(rows))
            if not also:
                rows.append((role, tuple(words)))
    exact = [word for word in lists["told"] if word != word.lower()]
    others = [word for word in lists["told"] if word == word.lower()]
    return _Lists(
        variants,
        tuple(rows),
        {word: (group, tuple(places)) for word, (group, places) in groups.items()},
        re.compile(_pattern(list(groups), re.I)),
        re.compile(f"{_pattern(exact, 0)}|{_pattern(others, re.I)}"),
        frozenset(lists["never"]),
        attribute in NAMES_TELL,
        frozenset(lists["ordinary"]),
    )


@cache
def _people(kind: str) -> frozenset[str]:
    """Return nouns for persons, or names of well-known persons or of places."""
    entries = (line.split("\t") for line in read_lines("people.txt.gz"))
    return frozenset(word.replace(".", "") for name, word in entries if name == kind)


def _is_person(word: str) -> bool:
    """Return whether a noun, singular or plural, is one for persons."""
    if word in CLOSED_CLASS:
        return False
    nouns = _people("noun") | _GROUPS
    ends = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("men", "man"), ("wives", "wife"))
    return any(word.endswith(end) and word.removesuffix(end) + single in nouns for end, single in ends if word != end)


def _names_known_person(text: str) -> bool:
    """Return whether a text names a person whom WordNet lists."""
    words = [match[0].replace(".", "") for match in _NAME.finditer(text)]
    starts = [start for start, word in enumerate(words) if word[0].isupper()]
    names = (" ".join(words[start : start + n]) for start in starts for n in range(1, _LONGEST_NAME + 1))
    return any(name in _people("person") for name in names)


def _has_name(text: str, first_names_tell: bool) -> bool:
    """Return whether a capitalized word is no ordinary word: "Obama and his wife".

    A lone first name is one only if it tells the attribute, too.
    """
    for match in _NAME.finditer(text):
        word = match[0].lower()
        if not match[0][0].isupper() or word in _CAPITAL_WORDS:
            continue
        if not first_names_tell and is_first_name(word) and not _NEXT_CAPITAL.match(text, match.end()):
            continue
        listed_name = match[0] in _people("surname") or match[0] in _people("place")
        ordinary = word in CLOSED_CLASS or (is_listed(word) and not listed_name)
        ordinary &= not (word in TITLES and _AFTER_TITLE.match(text, match.end()))
        if not (ordinary and _OPENS_SENTENCE.search(text, max(0, match.start() - _WIDEST), match.start())):
            return True
    return False


def _describes_person(text: str, start: int, end: int, lists: _Lists) -> bool:
    """Return whether a noun for a person follows and ends the noun phrase."""
    usual = text[start:end].lower() in lists.ordinary
    before = text[max(0, start - _WIDEST) : start]
    several = _SEVERAL.search(before)
    for place in range(5):
        match = _NEXT.match(text, end)
        if (
            not match
            or (not place and match[0][0] == ",")
            or match[1] in lists.never
            or (usual and match[1] not in _GROUPS)
        ):
            return False
        end = match.end()
        if _is_person(match[1]):
            if _COMPOUND_AFTER.match(text, end):
                return False
            if _PLURAL.search(match[1]):
                return bool(several)
            return bool(_END_OR_NAME.match(text, end) and (not lists.names_tell or _DETERMINED.search(before)))
        if match[1] not in _MODIFIERS:
            return False
    return False


def _is_about_person(text: str, start: int, end: int, lists: _Lists) -> bool:
    """Return whether the word is a predicate: "she is deaf"."""
    match = _IS.search(text, max(0, start - _WIDEST), start)
    if match is None or not _STOP.match(text, end):
        return False
    subject = match[1].lower()
    return (
        subject in ("i", "he", "she", "who") or _is_person(subject) or (not lists.names_tell and is_first_name(subject))
    )


def _fits(row: int, text: str, start: int, end: int, lists: _Lists, is_adjective: bool) -> bool:
    """Return whether the words around a listed word show its role."""
    role, _ = lists.rows[row]
    before = text[max(0, start - _WIDEST) : start]
    ends = bool(_END.match(text, end))
    if role == "adjective":
        return _is_about_person(text, start, end, lists) or _describes_person(text, start, end, lists)
    if role == "country":
        person = _FROM.search(before)
        return ends and person is not None and _is_person(person[1]) and person[1] not in lists.never
    if role == "partner":
        return bool(_OWNER.search(before)) and not _NAMED.match(text, end) and not _COMPOUND_AFTER.match(text, end)
    if role == "people":
        ends = not _COMPOUND_AFTER.match(text, end)
    shown = {"person": _ONE if is_adjective else _THE_ONE, "people": _SEVERAL, "place": _AT_PLACE}.get(role)
    return ends and (shown is None or bool(shown.search(before)))


def _found(text: str, attribute: str) -> Iterator[_Found]:
    """Yield the listed words, each in the role that it has."""
    lists = _lists(attribute)
    for match in lists.words.finditer(text):
        start, end = match.span()
        word = match[0]
        before = text[max(0, start - _WIDEST) : start]
        starts = bool(_SENTENCE_START.search(before)) and not before.rstrip(' "“‘(')[-1:].isalnum()
        if word not in lists.forms and starts:
            word = word[0].lower() + word[1:]
        group, rows = lists.forms.get(word, ("", ()))
        around = text[start - 1 : start] + text[end : end + 1]
        name = _BEFORE_NAME.search(before) and not _SENTENCE_START.search(before)
        is_adjective = any(lists.rows[row][0] == "adjective" for row in rows)
        row = next((row for row in rows if _fits(row, text, start, end, lists, is_adjective)), None)
        if row is None and word in lists.ordinary:
            continue
        if row is None or name or "-" in around or "/" in around or _PREFIX.search(before):
            raise Unswappable(f"{attribute}_elsewhere")
        if _DEFINED.search(_SENTENCE_END.split(text[:start])[-1]):
            raise Unswappable("named_person")
        owner = _OWNER.search(before) if lists.rows[row][0] == "partner" else None
        if owner is None:
            yield _Found(start, end, group, row)
        else:
            yield _couple(text, start, end, owner[1].lower(), lists, row)


def swap_group(attribute: str, original: Original, _generator: random.Random) -> Variants:
    """Give all persons of one group another group of an attribute."""
    text = original.document.text
    lists = _lists(attribute)
    found = list(_found(text, attribute))
    if not any(lists.rows[each.row][0] not in ("place", "thing") for each in found):
        raise Unswappable(f"no_{attribute}")
    if len({each.group for each in found}) > 1:
        raise Unswappable("several_groups")
    _check_rest(text, attribute, found)
    removable = all(all(lists.rows[each.row][1]) or _REMOVABLE.match(text, each.end) for each in found)
    return {
        variant: tuple(_edit(text, lists, each, place, removable) for each in found)
        for place, variant in enumerate(lists.variants)
        if removable or variant != UNMARKED
    }


def _check_rest(text: str, attribute: str, found: list[_Found]) -> None:
    """Refuse other words that tell the attribute, known persons and old events."""
    lists = _lists(attribute)
    rest = text
    for each in found:
        rest = rest[: each.start] + "_" * (each.end - each.start) + rest[each.end :]
    if lists.revealing.search(rest):
        raise Unswappable(f"{attribute}_told_otherwise")
    if attribute == "disability" and _names_known_person(text):
        raise Unswappable("known_person")
    if attribute != "disability" and _has_name(rest, attribute in NAMES_TELL):
        raise Unswappable("named_person")
    if _HISTORY.search(text) or any(int(year) < SINCE[attribute] for year in _YEAR.findall(text)):
        raise Unswappable("historical")


def _couple(text: str, start: int, end: int, owner: str, lists: _Lists, row: int) -> _Found:
    """Return a partner ("his wife"), if no other word may describe the partner."""
    columns = ("male", "female")
    partner = lists.rows[row][1].index(text[start:end].lower())
    flipped = owner == "her"
    other = columns[1 - flipped]
    words = {entry[flipped] for entry in listed("gendered")} | {word for (word,) in listed("untold")}
    words -= set(lists.forms)
    words |= set(PRONOUNS[other].values())
    same = set(PRONOUNS[columns[flipped]].values()) if partner == flipped else set()
    for match in _NAME.finditer(text):
        word = match[0].lower().removesuffix("'s").removesuffix("’s")
        unsure = word in words or (match.start() > end and word in same)
        if match.start() != start and (
            unsure or (match[0][0].isupper() and is_first_name(word) and first_name_gender(word) == other)
        ):
            raise Unswappable("partner_unclear")
    return _Found(start, end, lists.variants[partner ^ flipped], row, flipped)


def _edit(text: str, lists: _Lists, found: _Found, place: int, removable: bool) -> Edit:
    """Return the edit of a word; one that a variant drops includes the next."""
    _, words = lists.rows[found.row]
    after, end = words[place ^ found.flipped], found.end
    if "" in words and removable:
        following = re.compile(r"\s+[\w-]+").match(text, end)
        assert following is not None
        end = following.end()
        after = (after + following[0]).strip()
    before = text[found.start : found.end]
    if before not in lists.forms:
        after = after[0].upper() + after[1:]
    return Edit(found.start, end, after, "group")
